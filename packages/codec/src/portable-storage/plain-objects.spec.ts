import { seededRandom } from '@monero-node/base';
import { concatBytes } from '../bytes.ts';
import { DecodeError } from '../errors.ts';
import { f } from './fields.ts';
import type { StorageLimits } from './format.ts';
import { decodeMessage } from './read.ts';
import { defineTable, type Fields, type Table } from './table.ts';
import { encodeMessage } from './write.ts';

const INTEGERS = { amount: f.u64(), index: f.u32(), low: f.i8(), time: f.i64() };
const PLAIN = defineTable({ rows: f.objects(defineTable(INTEGERS)) });
/** With a text, which makes the objects take the way of all others. */
const MIXED = defineTable({ rows: f.objects(defineTable({ ...INTEGERS, text: f.text() })) });

type Row = Readonly<Record<keyof typeof INTEGERS, number | bigint>>;

function randomRow(random: () => number): Row {
  const below = (end: number): number => Math.floor(random() * end);
  const amount = BigInt(below(2 ** 32)) * BigInt(below(2 ** 32));
  return { amount, index: below(2 ** 32), low: below(256) - 128, time: -(amount >> 2n) };
}

/** Returns what a table makes of a document: its rows without the text, or why there are none. */
function rowsOf(table: Table, bytes: Uint8Array, limits?: Partial<StorageLimits>): unknown {
  try {
    const { rows } = decodeMessage(table, bytes, limits) as { rows: readonly object[] };
    return rows.map((row) => ({ ...row, text: undefined }));
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return error.message;
  }
}

/** Returns a document with an object of these fields twice in its list. */
function documentOf(fields: Fields, row: object): Uint8Array {
  const table: Table = defineTable({ rows: f.objects(defineTable(fields)) });
  return encodeMessage(table, { rows: [row, row] });
}

/** Expects that objects of integers are read as objects with other members are. */
function expectSame(bytes: Uint8Array, limits?: Partial<StorageLimits>): unknown {
  const rows = rowsOf(PLAIN, bytes, limits);
  expect(rows).toEqual(rowsOf(MIXED, bytes, limits));
  return rows;
}

test('objects of integers are read as they were written', () => {
  const random = seededRandom(1);
  const rows = Array.from({ length: 3000 }, () => randomRow(random));
  const bytes = encodeMessage(PLAIN, { rows } as never);
  expect(expectSame(bytes)).toEqual(rows.map((row) => ({ ...row, text: undefined })));
});

test('other forms are read as ever: missing, more, other types, other order, cut off', () => {
  const random = seededRandom(2);
  const row = randomRow(random);
  const { amount, index } = INTEGERS;
  const documents = [
    documentOf(INTEGERS, row),
    documentOf({ amount, index }, row),
    documentOf({ ...INTEGERS, more: f.u64() }, { ...row, more: 1 }),
    documentOf({ ...INTEGERS, amounts: f.u64() }, { ...row, amounts: 1 }),
    documentOf({ ...INTEGERS, amount: f.u32(), index: f.u64() }, { ...row, amount: 1, index: 2 }),
    documentOf({ ...INTEGERS, low: f.bool() }, { ...row, low: true }),
    documentOf({ ...INTEGERS, low: f.text() }, { ...row, low: 'x' }),
  ];
  const results = documents.map((bytes) => expectSame(bytes));
  expect(results.filter((result) => typeof result === 'string')).toHaveLength(2);
  const [first = new Uint8Array(0)] = documents;
  for (let end = 0; end < first.length; end++) expectSame(first.subarray(0, end));
  for (let at = 0; at < first.length; at++) {
    const changed = first.slice();
    changed[at] = (changed[at] as number) ^ (1 << Math.floor(random() * 8));
    expectSame(changed);
  }
  expectSame(concatBytes(first, Uint8Array.of(1, 2, 3)));
});

test('limits are those of other objects', () => {
  const random = seededRandom(3);
  const rows = Array.from({ length: 10 }, () => randomRow(random));
  const bytes = encodeMessage(PLAIN, { rows } as never);
  for (const limits of [{ objects: 9 }, { objects: 10 }, { fields: 40 }, { fields: 41 }]) {
    expectSame(bytes, limits);
  }
  expect(rowsOf(PLAIN, bytes, { fields: 40 })).toContain('too many fields');
});
