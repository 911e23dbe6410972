import { seededRandom } from '@monero-node/base';
import { RenderedList } from './field-values.ts';
import { f, optional } from './fields.ts';
import { fixedForm } from './fixed-form.ts';
import { defineTable } from './table.ts';
import { ByteSink } from './byte-sink.ts';
import { encodeMessage, writeStorage } from './write.ts';

const ROW = defineTable({
  small: f.u8(),
  zone: f.i64(),
  id: f.hash(),
  amount: f.u64(),
  ok: f.bool(),
});
const DOCUMENT = defineTable({ before: f.u8(), rows: f.binaryObjects(ROW), status: f.text() });

/** A row with numbers of every length. */
function randomRow(random: () => number) {
  const bits = BigInt(Math.floor(random() * 64));
  const amount = BigInt(Math.floor(random() * 2 ** 53)) << (bits > 11n ? 11n : bits);
  return {
    small: Math.floor(random() * 256),
    zone: -(amount >> 3n),
    id: Uint8Array.from({ length: 32 }, () => random() * 256),
    amount,
    ok: random() < 0.5,
  };
}

function rendered(rows: readonly ReturnType<typeof randomRow>[]): RenderedList {
  const { bytes: empty, offsets } = fixedForm(ROW);
  const bytes = new Uint8Array(empty.length * rows.length);
  const view = new DataView(bytes.buffer);
  for (const [i, row] of rows.entries()) {
    const start = empty.length * i;
    const at = (name: string): number => start + (offsets.get(name) ?? NaN);
    bytes.set(empty, start);
    view.setUint8(at('small'), row.small);
    view.setBigInt64(at('zone'), row.zone, true);
    bytes.set(row.id, at('id'));
    view.setBigUint64(at('amount'), row.amount, true);
    view.setUint8(at('ok'), row.ok ? 1 : 0);
  }
  return new RenderedList(rows.length, bytes);
}

test('rows that are filled in are the bytes of the same rows as objects', () => {
  const random = seededRandom(39);
  for (const count of [0, 1, 2, 63, 64, 100, 1000]) {
    const rows = Array.from({ length: count }, () => randomRow(random));
    const others = { before: 1, status: 'OK' };
    expect(encodeMessage(DOCUMENT, { ...others, rows: rendered(rows) })).toEqual(
      encodeMessage(DOCUMENT, { ...others, rows }),
    );
  }
});

test('a long list is written in pieces', () => {
  const random = seededRandom(40);
  const rows = Array.from({ length: 4000 }, () => randomRow(random));
  const document = { before: 1, status: 'OK', rows: rendered(rows) };
  const sink = new ByteSink();
  const pieces = [...writeStorage(sink, DOCUMENT, document)].length;
  expect(pieces).toBe(Math.ceil(document.rows.bytes.length / 2 ** 16));
  expect(sink.length).toBe(encodeMessage(DOCUMENT, document).length);
});

test('there is no form for objects of several sizes', () => {
  for (const field of [f.text(), f.hex(), f.u64s(), optional(f.u8())]) {
    expect(() => fixedForm(defineTable({ field }))).toThrow(
      new TypeError('field has no fixed size'),
    );
  }
});

test('rendered objects are not written as a list of another kind', () => {
  const table = defineTable({ rows: f.u64s() });
  const rows = new RenderedList(1, new Uint8Array(8)) as never;
  expect(() => encodeMessage(table, { rows })).toThrow("can't hold this object");
});
