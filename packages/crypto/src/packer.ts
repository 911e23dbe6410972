// The addon takes a whole batch as one array, since reading hundreds of small arrays through N-API would
// take as long as the arithmetic. Every element has 32 bytes, numbers have 32 bits, little-endian;
// native/binding.cc reads the same fields in the same order.

/** Appends fields to a buffer of fixed size. */
export class Packer {
  readonly bytes: Uint8Array;
  readonly #view: DataView;
  #offset = 0;

  constructor(size: number) {
    this.bytes = new Uint8Array(size);
    this.#view = new DataView(this.bytes.buffer);
  }

  number(value: number): void {
    this.#view.setUint32(this.#offset, value, true);
    this.#offset += 4;
  }

  element(bytes: Uint8Array): void {
    this.bytes.set(bytes, this.#offset);
    this.#offset += 32;
  }

  elements(list: readonly Uint8Array[]): void {
    for (const bytes of list) this.element(bytes);
  }
}
