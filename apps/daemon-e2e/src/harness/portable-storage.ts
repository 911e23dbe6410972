/**
 * Portable storage, the binary form of .bin bodies and peer messages: a second implementation,
 * independent of the codec package so that the two can disagree. Source of the format: monerod
 * contrib/epee/include/storages/portable_storage_to_bin.h and portable_storage_from_bin.h.
 *
 * The type on the wire is chosen by the value: bigint and number → uint64, {@link Sized} → its own
 * width, boolean, string and bytes → string, an object → section, an array → array of the type of its
 * first element.
 */
export type Value = bigint | number | boolean | string | Uint8Array | Sized | Section | Value[];
export type Section = { [name: string]: Value };

const SIGNATURE = Buffer.from('011101010101020101', 'hex');
const TYPES = {
  i64: 1,
  i32: 2,
  i16: 3,
  i8: 4,
  u64: 5,
  u32: 6,
  u16: 7,
  u8: 8,
  double: 9,
  string: 10,
  bool: 11,
  object: 12,
} as const;
const WIDTHS = { i64: 8, i32: 4, i16: 2, i8: 1, u64: 8, u32: 4, u16: 2, u8: 1 } as const;
const ARRAY = 0x80;

export type IntegerType = keyof typeof WIDTHS;

/** An integer of a given width. */
class Sized {
  readonly type: IntegerType;
  readonly value: bigint;

  constructor(type: IntegerType, value: bigint | number) {
    this.type = type;
    this.value = BigInt(value);
  }
}

export const u8 = (value: number): Sized => new Sized('u8', value);
export const u32 = (value: number): Sized => new Sized('u32', value);
export const u64 = (value: number | bigint): Sized => new Sized('u64', value);

/** Encodes a length of portable storage; its two low bits encode its width. */
function size(value: number): Buffer {
  if (value < 1 << 6) return Buffer.from([value << 2]);
  if (value < 1 << 14) return littleEndian((BigInt(value) << 2n) | 1n, 2);
  if (value < 1 << 30) return littleEndian((BigInt(value) << 2n) | 2n, 4);
  return littleEndian((BigInt(value) << 2n) | 3n, 8);
}

function littleEndian(value: bigint, width: number): Buffer {
  const out = Buffer.alloc(8);
  out.writeBigUInt64LE(BigInt.asUintN(64, value));
  return out.subarray(0, width);
}

function typeOf(value: Value): number {
  if (value instanceof Sized) return TYPES[value.type];
  if (typeof value === 'bigint' || typeof value === 'number') return TYPES.u64;
  if (typeof value === 'boolean') return TYPES.bool;
  if (typeof value === 'string' || value instanceof Uint8Array) return TYPES.string;
  if (Array.isArray(value)) throw new TypeError('an array of arrays cannot be written');
  return TYPES.object;
}

function encodeValue(value: Value): Buffer {
  if (value instanceof Sized) return littleEndian(value.value, WIDTHS[value.type]);
  if (typeof value === 'bigint' || typeof value === 'number') return littleEndian(BigInt(value), 8);
  if (typeof value === 'boolean') return Buffer.from([value ? 1 : 0]);
  if (typeof value === 'string' || value instanceof Uint8Array) {
    const bytes = typeof value === 'string' ? Buffer.from(value) : value;
    return Buffer.concat([size(bytes.length), bytes]);
  }
  if (Array.isArray(value)) throw new TypeError('an array of arrays cannot be written');
  return encodeSection(value);
}

function encodeSection(section: Section): Buffer {
  const entries = Object.entries(section);
  const parts: Uint8Array[] = [size(entries.length)];
  for (const [name, value] of entries) {
    parts.push(Buffer.from([name.length]), Buffer.from(name, 'latin1'));
    if (Array.isArray(value)) {
      const first = value[0];
      parts.push(Buffer.from([ARRAY | (first === undefined ? TYPES.u64 : typeOf(first))]));
      parts.push(size(value.length), ...value.map(encodeValue));
    } else {
      parts.push(Buffer.from([typeOf(value)]), encodeValue(value));
    }
  }
  return Buffer.concat(parts);
}

export function encodeStorage(section: Section): Buffer {
  return Buffer.concat([SIGNATURE, encodeSection(section)]);
}

class Reader {
  readonly #bytes: Buffer;
  #offset = SIGNATURE.length;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  take(count: number): Buffer {
    if (count > this.#bytes.length - this.#offset) throw new Error('portable storage: truncated');
    this.#offset += count;
    return this.#bytes.subarray(this.#offset - count, this.#offset);
  }

  integer(width: number, signed: boolean): bigint {
    const bytes = Buffer.alloc(8);
    this.take(width).copy(bytes);
    const value = bytes.readBigUInt64LE();
    return signed ? BigInt.asIntN(8 * width, value) : value;
  }

  size(): number {
    const first = this.take(1);
    const width = 1 << ((first[0] ?? 0) & 3);
    const bytes = Buffer.alloc(8);
    Buffer.concat([first, this.take(width - 1)]).copy(bytes);
    return Number(bytes.readBigUInt64LE() >> 2n);
  }

  value(type: number): Value {
    if (type === TYPES.string) return this.take(this.size());
    if (type === TYPES.bool) return this.take(1)[0] !== 0;
    if (type === TYPES.object) return this.section();
    if (type === TYPES.double) return this.take(8).readDoubleLE();
    const name = (Object.keys(WIDTHS) as IntegerType[]).find((key) => TYPES[key] === type);
    if (name === undefined) throw new Error(`portable storage: unknown type ${type}`);
    return this.integer(WIDTHS[name], name.startsWith('i'));
  }

  section(): Section {
    const section: Section = {};
    for (let left = this.size(); left > 0; left--) {
      const name = this.take(this.take(1)[0] ?? 0).toString('latin1');
      const type = this.take(1)[0] ?? 0;
      section[name] =
        (type & ARRAY) === 0
          ? this.value(type)
          : Array.from({ length: this.size() }, () => this.value(type & ~ARRAY));
    }
    return section;
  }
}

/** Decodes a document: integers to bigint, strings to bytes. Throws Error when it is malformed. */
export function decodeStorage(bytes: Uint8Array): Section {
  const buffer = Buffer.from(bytes);
  if (!buffer.subarray(0, SIGNATURE.length).equals(SIGNATURE)) {
    throw new Error('not portable storage');
  }
  return new Reader(buffer).section();
}

export function bytesOf(section: Section, name: string): Buffer {
  const value = section[name];
  if (value === undefined) return Buffer.alloc(0);
  if (!(value instanceof Uint8Array)) throw new Error(`${name} is not a string`);
  return Buffer.from(value);
}

export function arrayOf(section: Section, name: string): Value[] {
  const value = section[name];
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new Error(`${name} is not an array`);
  return value;
}

export function isSection(value: Value | undefined): value is Section {
  return (
    typeof value === 'object' &&
    !Array.isArray(value) &&
    !(value instanceof Uint8Array) &&
    !(value instanceof Sized)
  );
}

/** Cuts a blob of packed values into pieces of `width` bytes. */
export function pieces(blob: Uint8Array, width: number): Buffer[] {
  if (blob.length % width !== 0) throw new Error('a packed list of the wrong length');
  return Array.from({ length: blob.length / width }, (_, i) =>
    Buffer.from(blob.subarray(i * width, (i + 1) * width)),
  );
}
