import { DecodeError } from '../errors.ts';
import { concatBytes } from '../bytes.ts';
import { decodeStorage } from './section.ts';
import { atMost, EMPTY_TABLE, f } from './fields.ts';
import { ELEMENT_BYTES, LEVIN_STORAGE_LIMITS, STORAGE_SIGNATURE, TYPE_IDS } from './format.ts';
import { defineTable, type Fields, type Table } from './table.ts';
import { decodeMessage, readMessage } from './read.ts';
import { UNITS_PER_STEP } from './cursor.ts';

const MANY = 20_000_000;

/** A document with one entry `z`: a type byte, a count or length of eight bytes, and that many bytes. */
function oneEntry(type: number, count: number, bytes: number, fill = 0): Uint8Array {
  const head = new Uint8Array(4 + 8);
  head.set([1 << 2, 1, 'z'.charCodeAt(0), type]);
  new DataView(head.buffer).setBigUint64(4, (BigInt(count) << 2n) | 3n, true);
  return concatBytes(STORAGE_SIGNATURE, head, new Uint8Array(bytes).fill(fill));
}

const arrayOf = (type: keyof typeof TYPE_IDS, count: number): Uint8Array =>
  oneEntry(0x80 | TYPE_IDS[type], count, count * (ELEMENT_BYTES[TYPE_IDS[type]] as number));

/** Returns the number of steps in which a document is read. */
function stepsOf<F extends Fields>(table: Table<F>, bytes: Uint8Array, limits = {}): number {
  const reading = readMessage(table, bytes, limits);
  let steps = 1;
  while (reading.next().done !== true) steps++;
  return steps;
}

describe('arrays that no field asks for', () => {
  test.each(['int8', 'uint8', 'uint16', 'uint32', 'uint64', 'double'] as const)(
    'millions of %s are jumped over in one step',
    (type) => {
      expect(stepsOf(EMPTY_TABLE, arrayOf(type, MANY / 8), LEVIN_STORAGE_LIMITS)).toBe(1);
    },
  );

  test('20 million bytes as numbers build nothing', () => {
    const bytes = arrayOf('uint8', MANY);
    const before = process.memoryUsage().heapUsed;
    expect(decodeMessage(EMPTY_TABLE, bytes, LEVIN_STORAGE_LIMITS)).toEqual({});
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(4_000_000);
  });

  test('booleans, of which each byte is checked, are limited', () => {
    const fits = arrayOf('bool', 1000);
    expect(decodeMessage(EMPTY_TABLE, fits, LEVIN_STORAGE_LIMITS)).toEqual({});
    const tooMany = arrayOf('bool', MANY);
    expect(() => decodeMessage(EMPTY_TABLE, tooMany, LEVIN_STORAGE_LIMITS)).toThrow(
      /too many list/,
    );
    const wrong = oneEntry(0x80 | TYPE_IDS.bool, 5, 5, 2);
    expect(() => decodeMessage(EMPTY_TABLE, wrong)).toThrow(/not a boolean/);
  });

  test('empty strings and objects are skipped in steps', () => {
    for (const type of ['string', 'object'] as const) {
      const bytes = oneEntry(0x80 | TYPE_IDS[type], 50_000, 100_000);
      expect(stepsOf(EMPTY_TABLE, bytes)).toBe(Math.floor(50_000 / UNITS_PER_STEP) + 1);
    }
  });
});

describe('arrays that a field asks for', () => {
  const HASHES = defineTable({ z: f.pods(32) });
  const PACKED = defineTable({ z: f.packedU64s() });
  const NUMBERS = defineTable({ z: f.u64s() });
  const count = 100_000;

  test.each([
    ['ids', HASHES, oneEntry(TYPE_IDS.string, 32 * count, 32 * count)],
    ['packed numbers', PACKED, oneEntry(TYPE_IDS.string, 8 * count, 8 * count)],
    ['numbers', NUMBERS, arrayOf('uint64', count)],
  ])('100,000 %s are read in steps, with the same result', (_, table, bytes) => {
    expect(stepsOf<Fields>(table, bytes)).toBe(Math.floor(count / UNITS_PER_STEP) + 1);
    const { z } = decodeMessage<Fields>(table, bytes) as { z: unknown[] };
    expect(z).toHaveLength(count);
  });

  test.each([
    ['ids', HASHES, oneEntry(TYPE_IDS.string, 32 * MANY, 0)],
    ['numbers', NUMBERS, arrayOf('uint64', 200_000)],
  ])('more %s than the limit or than there are bytes are refused', (_, table, bytes) => {
    expect(() => decodeMessage<Fields>(table, bytes, LEVIN_STORAGE_LIMITS)).toThrow(DecodeError);
  });

  test('a list has a limit of its own', () => {
    const table = defineTable({ z: atMost(3, f.pods(32)) });
    const ids = (n: number): Uint8Array => oneEntry(TYPE_IDS.string, 32 * n, 32 * n);
    expect(decodeMessage(table, ids(3)).z).toHaveLength(3);
    expect(() => decodeMessage(table, ids(4))).toThrow('4 list items, at most 3 are allowed');
    const numbers = defineTable({ z: atMost(3, f.u64s()) });
    expect(() => decodeMessage(numbers, arrayOf('uint64', 4))).toThrow(/at most 3/);
    expect(() => atMost(3, f.u8())).toThrow(TypeError);
  });
});

test('documents without a field table have the same limits', () => {
  const limits = { items: 1000 };
  expect(() => decodeStorage(arrayOf('uint8', MANY), limits)).toThrow(/too many list items/);
  expect(() => decodeStorage(arrayOf('bool', 1001), limits)).toThrow(/too many list items/);
  expect(decodeStorage(arrayOf('uint8', 1000), limits).size).toBe(1);
});
