/** The memory of an instance with an area for data at its end. */
export interface InputArea {
  readonly memory: { readonly buffer: ArrayBuffer };
  /** Returns the address of the input area, which from then on has at least `size` bytes. The memory may have moved. */
  input(size: number): number;
}

/** Writes the data to check into the input area of an instance. */
export class InputWriter {
  readonly #wasm: InputArea;
  #start = 0;
  #capacity = 0;
  #bytes = new Uint8Array();
  #at = 0;

  constructor(wasm: InputArea) {
    this.#wasm = wasm;
  }

  /** Starts over with room for `size` bytes and returns their address. */
  begin(size: number): number {
    if (size > this.#capacity || this.#bytes.length === 0) {
      this.#start = this.#wasm.input(size);
      this.#capacity = size;
      this.#bytes = new Uint8Array(this.#wasm.memory.buffer); // growing detaches the old buffer
    }
    this.#at = this.#start;
    return this.#start;
  }

  element(bytes: Uint8Array): void {
    this.#bytes.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  elements(list: readonly Uint8Array[]): void {
    for (const bytes of list) this.element(bytes);
  }

  /** Writes two 32-bit numbers as an element of 32 bytes. */
  sizes(first: number, second: number): void {
    const view = new DataView(this.#bytes.buffer, this.#at, 8);
    view.setUint32(0, first, true);
    view.setUint32(4, second, true);
    this.#at += 32;
  }

  /** Turns 32 random bytes into a weight and writes it: one of 2^247 scalars below l, never 0. */
  weight(random: Uint8Array): void {
    random[0] = (random[0] as number) | 1;
    random[31] = 0;
    this.element(random);
  }

  skip(size: number): void {
    this.#at += size;
  }

  /** Continues writing at an address inside the area. */
  seek(address: number): void {
    this.#at = address;
  }

  /** Returns a copy of `size` bytes at an address. */
  read(address: number, size: number): Uint8Array {
    return this.#bytes.slice(address, address + size);
  }
}
