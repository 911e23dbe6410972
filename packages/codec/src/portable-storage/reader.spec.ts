import { jest } from '@jest/globals';
import { concatBytes, fromHex } from '../bytes.ts';
import { DecodeError } from '../errors.ts';
import { StorageCursor } from './cursor.ts';
import { encodeStorage, type StorageValue } from './section.ts';
import { EMPTY_TABLE, eitherOf, f, mapped } from './fields.ts';
import { LEVIN_STORAGE_LIMITS, STORAGE_SIGNATURE } from './format.ts';
import { defineTable, wireName, type Fields, type Table } from './table.ts';
import { encodeMessage } from './write.ts';
import { decodeMessage } from './read.ts';

/** A document whose root has these entries in this order; values in hex, beginning with the type. */
function document(entries: readonly (readonly [name: string, hex: string])[]): Uint8Array {
  const parts = entries.flatMap(([name, hex]) => [wireName(name), fromHex(hex)]);
  return concatBytes(STORAGE_SIGNATURE, Uint8Array.of(entries.length << 2), ...parts);
}

const A = defineTable({ a: f.u8(), c: f.u8() });

describe('entries', () => {
  test.each([
    ['in order', ['a', 'b', 'c']],
    ['in reverse order', ['c', 'b', 'a']],
    ['out of order', ['b', 'a', 'c']],
  ])('are found %s', (_, names) => {
    const bytes = document(names.map((name, i) => [name, `080${i + 1}`]));
    const expected = { a: names.indexOf('a') + 1, c: names.indexOf('c') + 1 };
    expect(decodeMessage(A, bytes)).toEqual(expected);
  });

  test.each([
    ['known', ['a', 'a']],
    ['unknown', ['b', 'b']],
    ['out of order', ['c', 'a', 'c']],
    ['after disorder', ['c', 'b', 'a', 'b']],
  ])('that occur twice are refused: %s', (_, names) => {
    const root = names.map((name) => [name, '0801'] as const);
    expect(() => decodeMessage(A, document(root))).toThrow(/duplicate entry/);
  });

  test('that occur twice are refused in a skipped section', () => {
    const inner = Buffer.from(
      document([
        ['x', '0801'],
        ['x', '0801'],
      ]).subarray(9),
    ).toString('hex');
    expect(() => decodeMessage(A, document([['b', `0c${inner}`]]))).toThrow(/duplicate entry "x"/);
  });

  test('follow a prefix of their name', () => {
    const table = defineTable({ a: f.u8(), aa: f.u8() });
    const bytes = document([
      ['a', '0801'],
      ['aa', '0802'],
    ]);
    expect(decodeMessage(table, bytes)).toEqual({ a: 1, aa: 2 });
  });
});

describe('values of another type', () => {
  const read = (field: Fields[string], stored: StorageValue): unknown =>
    decodeMessage(defineTable({ x: field }), encodeStorage(new Map([['x', stored]])))['x'];
  const object: StorageValue = { type: 'object', value: new Map() };
  const numbers: StorageValue = { type: 'array', of: 'uint8', items: [1, 2] };
  const strings: StorageValue = { type: 'array', of: 'string', items: [fromHex('aa')] };

  test('count as absent where an array or an object is expected', () => {
    expect(read(f.u64s(), { type: 'uint64', value: 1n })).toEqual([]);
    expect(read(f.blobs(), { type: 'string', value: fromHex('aa') })).toEqual([]);
    expect(read(f.objects(A), numbers)).toEqual([]);
    expect(read(f.objects(A), object)).toEqual([]);
    expect(read(f.object(A), numbers)).toEqual({ a: 0, c: 0 });
    expect(read(f.object(A), { type: 'bool', value: true })).toEqual({ a: 0, c: 0 });
  });

  test('convert element by element in arrays', () => {
    expect(read(f.u64s(), numbers)).toEqual([1n, 2n]);
    const stored = (item: bigint): StorageValue => ({ type: 'array', of: 'uint64', items: [item] });
    expect(read(f.u32s(), stored(2n ** 32n - 1n))).toEqual([2 ** 32 - 1]);
    expect(() => read(f.u32s(), stored(2n ** 32n))).toThrow(DecodeError);
    expect(() => read(f.u64s(), strings)).toThrow(DecodeError);
    expect(() => read(f.blobs(), numbers)).toThrow(DecodeError);
  });

  test.each([
    ['u8', f.u8()],
    ['bool', f.bool()],
    ['text', f.text()],
    ['hash', f.hash()],
    ['joined hashes', f.hashBlob()],
  ])('fail where %s is expected', (_, field) => {
    expect(() => read(field, object)).toThrow(DecodeError);
    expect(() => read(field, numbers)).toThrow(DecodeError);
  });

  test('an empty array fails where a scalar is expected and is absent where an array is', () => {
    const empty = document([['x', '8800']]);
    expect(() => decodeMessage(defineTable({ x: f.u8() }), empty)).toThrow(DecodeError);
    expect(decodeMessage(defineTable({ x: f.blobs() }), empty)).toEqual({ x: [] });
  });
});

describe('choices', () => {
  const either = eitherOf(f.blob(), f.u64s(), (value) => value instanceof Uint8Array);
  const table = defineTable({ x: either });

  test('without a deciding field take the first kind that fits', () => {
    for (const x of [fromHex('aabb'), [1n, 2n]]) {
      expect(decodeMessage(table, encodeMessage(table, { x }))).toEqual({ x });
    }
    expect(() => decodeMessage(table, document([['x', '0b01']]))).toThrow(DecodeError);
  });
});

describe('mapped objects', () => {
  const point = mapped(defineTable({ a: f.u8(), b: f.u8() }), {
    read: ({ a, b }) => `${a}:${b}`,
    write: (text) => ({ a: Number(text.split(':')[0]), b: Number(text.split(':')[1]) }),
  });
  const table = defineTable({ one: point });

  test('are read and written in the form of the program', () => {
    expect(decodeMessage(table, encodeMessage(table, { one: '1:2' }))).toEqual({ one: '1:2' });
    expect(decodeMessage(table, document([]))).toEqual({ one: '0:0' });
  });
});

describe('unknown fields', () => {
  afterEach(() => void jest.restoreAllMocks());

  const MEGABYTES_50 = 50 << 20;

  /** A document with one array of integers of that type id and element size, 50 MB in all. */
  function largeArray(typeId: number, size: number): Uint8Array {
    const count = (BigInt(MEGABYTES_50 / size) << 2n) | 3n;
    const head = new Uint8Array(8);
    new DataView(head.buffer).setBigUint64(0, count, true);
    const type = Uint8Array.of(typeId | 0x80);
    const start = [STORAGE_SIGNATURE, Uint8Array.of(8), wireName('b'), type, head];
    const end = [wireName('c'), Uint8Array.of(8, 7)];
    return concatBytes(...start, new Uint8Array(MEGABYTES_50), ...end);
  }

  test.each([
    ['uint8', 8, 1],
    ['uint64', 5, 8],
    ['double', 9, 8],
  ])('of 50 MB of %s are skipped without allocating memory', (_, typeId, size) => {
    const bytes = largeArray(typeId, size);
    const { take } = StorageCursor.prototype;
    const moves = jest.spyOn(StorageCursor.prototype, 'take').mockImplementation(function (
      this: StorageCursor,
      length,
    ) {
      if (moves.mock.calls.length > 20) throw new Error('elements are passed one by one');
      return take.call(this, length);
    });
    const before = process.memoryUsage();
    expect(decodeMessage(A, bytes, LEVIN_STORAGE_LIMITS)).toEqual({ a: 0, c: 7 });
    const after = process.memoryUsage();
    expect(after.heapUsed - before.heapUsed).toBeLessThan(2e6);
    expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(1e6);
  });

  test('are refused when their count is larger than the input', () => {
    const count = 'ffffffffffffff00';
    for (const type of ['88', '85', '8a', '8c', '8b']) {
      expect(() => decodeMessage(A, document([['b', type + count]]))).toThrow(DecodeError);
    }
  });
});

describe('limits', () => {
  const fits = (table: Table, bytes: Uint8Array, items: number): boolean => {
    try {
      decodeMessage(table, bytes, { items });
      return true;
    } catch (error) {
      expect(error).toBeInstanceOf(DecodeError);
      return false;
    }
  };

  test.each([
    ['arrays of integers', defineTable({ x: f.u64s() }), { x: [1, 2, 3] }],
    ['packed integers', defineTable({ x: f.packedU64s() }), { x: [1n, 2n, 3n] }],
    ['packed structures', defineTable({ x: f.pods(2) }), { x: Array(3).fill(new Uint8Array(2)) }],
  ])('bound the items of %s', (_, table: Table, value) => {
    const bytes = encodeMessage(table, value);
    expect(fits(table, bytes, 3)).toBe(true);
    expect(fits(table, bytes, 2)).toBe(false);
    expect(fits(EMPTY_TABLE, bytes, 0)).toBe(true);
  });
});

test('defaults are not shared between messages', () => {
  const table = defineTable({ id: f.pod(4), inner: f.object(defineTable({ id: f.pod(4) })) });
  const first = decodeMessage(table, document([]));
  first.id.fill(1);
  first.inner.id.fill(1);
  const zeros = new Uint8Array(4);
  expect(decodeMessage(table, document([]))).toEqual({ id: zeros, inner: { id: zeros } });
});
