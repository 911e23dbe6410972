/** Writes the fields of a row whose size is known beforehand. */
export class RowWriter {
  readonly bytes: Uint8Array;
  readonly #view: DataView;
  #offset = 0;

  constructor(size: number) {
    this.bytes = new Uint8Array(size);
    this.#view = new DataView(this.bytes.buffer);
  }

  get offset(): number {
    return this.#offset;
  }

  u8(value: number): void {
    this.#view.setUint8(this.#advance(1), value);
  }

  u32(value: number): void {
    this.#view.setUint32(this.#advance(4), value, true);
  }

  u64(value: bigint | number): void {
    this.#view.setBigUint64(this.#advance(8), BigInt(value), true);
  }

  u128(value: bigint): void {
    this.u64(value & 0xffff_ffff_ffff_ffffn);
    this.u64(value >> 64n);
  }

  put(bytes: Uint8Array): void {
    this.bytes.set(bytes, this.#advance(bytes.length));
  }

  #advance(length: number): number {
    const start = this.#offset;
    this.#offset = start + length;
    return start;
  }
}
