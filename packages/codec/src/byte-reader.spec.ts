import fc from 'fast-check';
import { ByteReader } from './byte-reader.ts';
import { fromHex, toHex } from './bytes.ts';
import { DecodeError } from './errors.ts';
import { encodeVarint, varintSize } from './varint.ts';

const MAX_U64 = 2n ** 64n - 1n;

/** The definition of a varint, without shortcuts. */
function referenceVarint(value: bigint): number[] {
  const low = Number(value & 0x7fn);
  return value < 0x80n ? [low] : [low | 0x80, ...referenceVarint(value >> 7n)];
}

describe('varints', () => {
  test.each([
    [0n, '00'],
    [1n, '01'],
    [127n, '7f'],
    [128n, '8001'],
    [300n, 'ac02'],
    [202612n, 'f4ae0c'],
    [2n ** 49n - 1n, 'ffffffffffff7f'],
    [2n ** 49n, '8080808080808001'],
    [2n ** 53n - 1n, 'ffffffffffffff0f'],
    [2n ** 53n, '8080808080808010'],
    [2n ** 63n, '80808080808080808001'],
    [MAX_U64, 'ffffffffffffffffff01'],
  ])('%d is %s', (value, hex) => {
    expect(toHex(encodeVarint(value))).toBe(hex);
    expect(new ByteReader(fromHex(hex)).varint()).toBe(value);
    expect(varintSize(value)).toBe(hex.length / 2);
  });

  test('any value is encoded by the definition, as a bigint and as a number', () => {
    const anyU64 = fc.oneof(fc.bigInt(0n, MAX_U64), fc.bigInt(0n, 70000n));
    fc.assert(
      fc.property(anyU64, (value) => {
        const expected = referenceVarint(value);
        expect([...encodeVarint(value)]).toEqual(expected);
        if (value < 2n ** 53n) expect([...encodeVarint(Number(value))]).toEqual(expected);
        const reader = new ByteReader(Uint8Array.of(...expected, 0x55));
        expect(reader.varint()).toBe(value);
        expect(reader.remaining).toBe(1);
        expect(reader.sawTruncatedVarint).toBe(false);
      }),
    );
  });

  test.each([
    ['no byte', '', 64],
    ['a final zero byte', '8000', 64],
    ['a final zero byte later', 'ff8000', 64],
    ['a zero byte behind seven', 'ffffffffffffff00', 64],
    ['65 bits', 'ffffffffffffffffff02', 64],
    ['an eleventh byte', 'ffffffffffffffffff8101', 64],
    ['nine bits for a byte', '8002', 8],
    ['a third byte for a byte', '8181', 8],
    ['33 bits for 32', 'ffffffff10', 32],
  ] as const)('refuses %s', (_, hex, bits) => {
    expect(() => new ByteReader(fromHex(hex)).varint(bits)).toThrow(DecodeError);
  });

  test('takes the largest value of each width', () => {
    expect(new ByteReader(fromHex('ff01')).varint(8)).toBe(255n);
    expect(new ByteReader(fromHex('ffffffff0f')).varint(32)).toBe(2n ** 32n - 1n);
  });

  test.each([
    ['80', 0n],
    ['8080', 0n],
    ['ff', 127n],
    ['ffffffffffffff', 2n ** 49n - 1n],
    ['ffffffffffffffff', 2n ** 56n - 1n],
  ])('accepts %s, cut off by the end of the input, as %d and records it', (hex, value) => {
    const reader = new ByteReader(fromHex(hex));
    expect(reader.varint()).toBe(value);
    expect(reader.sawTruncatedVarint).toBe(true);
    expect(reader.remaining).toBe(0);
  });

  test('varintNumber refuses values above its bound, below and above 2^49', () => {
    const read = (hex: string, max?: number) => new ByteReader(fromHex(hex)).varintNumber(max);
    expect(read('ffffffffffffff0f')).toBe(Number.MAX_SAFE_INTEGER);
    expect(() => read('8080808080808010')).toThrow(DecodeError);
    expect(read('0a', 10)).toBe(10);
    expect(() => read('0b', 10)).toThrow(DecodeError);
  });

  test('refuses to write a value outside 0 … 2^64 - 1', () => {
    expect(() => encodeVarint(-1)).toThrow(RangeError);
    expect(() => encodeVarint(-1n)).toThrow(RangeError);
    expect(() => encodeVarint(1.5)).toThrow(RangeError);
    expect(() => encodeVarint(MAX_U64 + 1n)).toThrow(RangeError);
  });
});

describe('ByteReader', () => {
  test('reads little-endian integers', () => {
    const reader = new ByteReader(fromHex('01 0201 04030201 0807060504030201'.replaceAll(' ', '')));
    expect(reader.u8()).toBe(1);
    expect(reader.u16le()).toBe(0x0102);
    expect(reader.u32le()).toBe(0x01020304);
    expect(reader.u64le()).toBe(0x0102030405060708n);
    reader.end();
  });

  test('byte strings are plain views of the input, even of a Buffer', () => {
    const buffer = Buffer.from('00010203', 'hex');
    const view = new ByteReader(buffer).bytes(2);
    expect(view.constructor).toBe(Uint8Array);
    buffer[1] = 9;
    expect([...view]).toEqual([0, 9]);
  });

  test('refuses to read beyond the end, and reports where', () => {
    const reader = new ByteReader(new Uint8Array(3));
    reader.u8();
    expect(() => reader.bytes(3)).toThrow(expect.objectContaining({ offset: 1 }));
    expect(() => reader.bytes(-1)).toThrow(DecodeError);
    expect(() => reader.u32le()).toThrow(DecodeError);
    expect(() => reader.end()).toThrow(DecodeError);
    expect(reader.remaining).toBe(2);
  });

  test('refuses a count of elements that do not fit into the input', () => {
    const bytes = new Uint8Array(70).fill(0);
    bytes[0] = 3;
    expect(() => new ByteReader(bytes).count(32)).toThrow(DecodeError);
    bytes[0] = 2;
    expect(new ByteReader(bytes).count(32)).toBe(2);
    expect(() => new ByteReader(encodeVarint(MAX_U64)).count(1)).toThrow(DecodeError);
  });
});
