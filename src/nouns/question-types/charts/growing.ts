// A list of numbers that takes as many bytes as they need: a list of JavaScript takes several times as many.

const FIRST_LENGTH = 64;

type Typed = Float64Array | Uint8Array;

export class Growing<Kind extends Typed> {
  readonly #kind: new (
    length: number,
  ) => Kind;
  #numbers: Kind;
  #length = 0;

  constructor(kind: new (length: number) => Kind) {
    this.#kind = kind;
    this.#numbers = new kind(FIRST_LENGTH);
  }

  push(number: number): void {
    if (this.#length === this.#numbers.length) {
      const grown = new this.#kind(2 * this.#length);
      grown.set(this.#numbers);
      this.#numbers = grown;
    }
    this.#numbers[this.#length++] = number;
  }

  get values(): Kind {
    return this.#numbers.subarray(0, this.#length) as Kind;
  }
}
