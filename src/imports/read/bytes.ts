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

  /** The text of the bytes from one offset to another, which are near the end. */
  text(from: number, to: number): string {
    let start = this.length;
    const pieces: Buffer[] = [];
    for (let i = this.#pieces.length - 1; i >= 0 && start > from; i--) {
      const piece = this.#pieces[i]!;
      start -= piece.length;
      pieces.unshift(piece);
    }
    return Buffer.concat(pieces).toString("utf8", from - start, to - start);
  }
}
