// Portable storage written by hand, independently of the codec of the node.
const SIGNATURE = Buffer.from('011101010101020101', 'hex');
const TYPE = { u64: 5, u32: 6, u8: 8, string: 10, object: 12 };
const ARRAY = 0x80;

/**
 * Returns a length in the format of portable storage.
 *
 * @param {number} n
 */
function size(n) {
  if (n < 64) return Buffer.from([n << 2]);
  const wide = n >= 16_384;
  const bytes = Buffer.alloc(wide ? 4 : 2);
  if (wide) bytes.writeUInt32LE(n * 4 + 2);
  else bytes.writeUInt16LE(n * 4 + 1);
  return bytes;
}

/**
 * @param {string} name
 * @param {number} type
 * @param {...Buffer} value
 */
function entry(name, type, ...value) {
  return Buffer.concat([
    Buffer.from([name.length]),
    Buffer.from(name),
    Buffer.from([type]),
    ...value,
  ]);
}

/**
 * @param {number} bytes that it has
 * @param {number | bigint} value
 */
function integer(bytes, value) {
  const buffer = Buffer.alloc(8);
  buffer.writeBigUInt64LE(BigInt(value));
  return buffer.subarray(0, bytes);
}

/** @typedef {(name: string, value: number | bigint) => Buffer} IntegerField */

/** @type {IntegerField} */
export const u64 = (name, value) => entry(name, TYPE.u64, integer(8, value));
/** @type {IntegerField} */
export const u32 = (name, value) => entry(name, TYPE.u32, integer(4, value));
/** @type {IntegerField} */
export const u8 = (name, value) => entry(name, TYPE.u8, integer(1, value));
/** @type {(name: string, bytes: Buffer) => Buffer} */
export const string = (name, bytes) => entry(name, TYPE.string, size(bytes.length), bytes);
/** @type {(name: string, fields: readonly Buffer[]) => Buffer} */
export const object = (name, fields) => entry(name, TYPE.object, section(fields));

/**
 * An array of bytes as numbers of one byte each.
 *
 * @type {(name: string, bytes: Buffer) => Buffer}
 */
export const u8Array = (name, bytes) => entry(name, TYPE.u8 | ARRAY, size(bytes.length), bytes);

/** @type {(name: string, list: readonly Buffer[]) => Buffer} */
export const strings = (name, list) =>
  entry(
    name,
    TYPE.string | ARRAY,
    size(list.length),
    ...list.flatMap((each) => [size(each.length), each]),
  );

/** @param {readonly Buffer[]} fields */
function section(fields) {
  return Buffer.concat([size(fields.length), ...fields]);
}

/**
 * Returns the body of a message with those fields.
 *
 * @param {readonly Buffer[]} fields
 */
export function body(fields) {
  return Buffer.concat([SIGNATURE, section(fields)]);
}
