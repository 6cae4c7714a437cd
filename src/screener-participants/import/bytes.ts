// Collects what is read piece by piece.

/** Bytes that are collected piece by piece. */
export class Bytes {
  #pieces: Buffer[] = [];
  length = 0;

  /** Copies `piece`, because the next read overwrites its buffer. */
  add(piece: Buffer): void {
    if (!piece.length) return;
    this.#pieces.push(Buffer.from(piece));
    this.length += piece.length;
  }

  take(): Buffer {
    const all = Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.length = 0;
    return all;
  }

  /** At least the last `length` bytes (if there are so many), as text. */
  tail(length: number): string {
    const pieces: Buffer[] = [];
    let found = 0;
    for (let i = this.#pieces.length - 1; i >= 0 && found < length; i--) {
      const piece = this.#pieces[i]!.subarray(-length);
      pieces.unshift(piece);
      found += piece.length;
    }
    return Buffer.concat(pieces).toString("utf8");
  }
}
