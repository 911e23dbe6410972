/** A cursor over trusted bytes of our fixtures. It is not safe for hostile input. */
export class Cursor {
  readonly bytes: Buffer;
  offset = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  get left(): number {
    return this.bytes.length - this.offset;
  }

  u8(): number {
    return this.take(1)[0] ?? 0;
  }

  u32(): number {
    return this.take(4).readUInt32LE();
  }

  /** Returns a copy of the next `count` bytes. Throws Error when there are fewer. */
  take(count: number): Buffer {
    if (count > this.left) throw new Error(`truncated at ${this.offset}`);
    this.offset += count;
    return Buffer.from(this.bytes.subarray(this.offset - count, this.offset));
  }

  varint(): bigint {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.u8();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  }

  count(): number {
    return Number(this.varint());
  }

  /** Returns the next `count` keys of 32 bytes. */
  keys(count: number): Buffer[] {
    return Array.from({ length: count }, () => this.take(32));
  }
}

/** Encodes a base-128 varint, the lowest group first. */
export function varint(value: bigint | number): Buffer {
  const out: number[] = [];
  let rest = BigInt(value);
  while (rest >= 0x80n) {
    out.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  return Buffer.from([...out, Number(rest)]);
}

/** Encodes a varint with a superfluous zero group, which a decoder must reject. */
export function longVarint(value: bigint | number): Buffer {
  const minimal = varint(value);
  minimal[minimal.length - 1] = (minimal.at(-1) ?? 0) | 0x80;
  return Buffer.concat([minimal, Buffer.from([0])]);
}

export const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
export const unhex = (text: string): Buffer => Buffer.from(text, 'hex');
