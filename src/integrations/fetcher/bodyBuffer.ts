/** A body that arrives in pieces, in one buffer: a piece that is kept as such takes hundreds of bytes, however small. */
export class BodyBuffer {
  readonly #most: number;
  #bytes: Uint8Array = new Uint8Array();
  #size = 0;

  /** `most`: never more bytes than that are added. */
  constructor(most: number) {
    this.#most = most;
  }

  add(piece: Uint8Array): void {
    const needed = this.#size + piece.length;
    // A body in one piece is never copied.
    if (this.#size === 0) this.#bytes = piece;
    else {
      if (needed > this.#bytes.length) {
        const larger = Buffer.allocUnsafe(Math.min(this.#most, Math.max(needed, 2 * this.#bytes.length)));
        larger.set(this.#bytes);
        this.#bytes = larger;
      }
      this.#bytes.set(piece, this.#size);
    }
    this.#size = needed;
  }

  /** Nothing may be added afterward. */
  whole(): Uint8Array {
    return this.#bytes.subarray(0, this.#size);
  }
}
