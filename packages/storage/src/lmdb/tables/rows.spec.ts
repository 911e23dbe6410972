import { RowReader, rowOf, RowWriter } from './rows.ts';

/** Small and large ones, empty ones among them, more than share one piece of memory. */
const SIZES = Array.from({ length: 300 }, (_, i) => (i * 37) % 5000);

test('a row keeps its bytes whatever is written after it', () => {
  const rows = SIZES.map((size, i) => rowOf(new Uint8Array(size).fill(i)));
  rows.forEach((row, i) => {
    expect(row).toEqual(new Uint8Array(SIZES[i] as number).fill(i));
  });
});

test('small rows share memory, so that lmdb asks for few addresses', () => {
  const rows = Array.from({ length: 1000 }, () => new RowWriter(40).bytes);
  expect(new Set(rows.map(({ buffer }) => buffer)).size).toBeLessThanOrEqual(2);
});

test('fields are read as they were written, after other rows', () => {
  rowOf(new Uint8Array(13));
  const writer = new RowWriter(1 + 4 + 8 + 16 + 32);
  writer.u8(0xfe);
  writer.u32(0xfedc_ba98);
  writer.u64(2n ** 64n - 2n);
  writer.skip(16);
  writer.putHash(new Uint8Array(40).fill(7), 8);
  writer.seek(13);
  writer.u128(2n ** 127n + 5n);
  const reader = new RowReader('block_meta', writer.bytes);
  expect([reader.u8(), reader.u32(), reader.u64(), reader.u128()]).toEqual([
    0xfe,
    0xfedc_ba98,
    2n ** 64n - 2n,
    2n ** 127n + 5n,
  ]);
  expect(reader.bytes(32)).toEqual(new Uint8Array(32).fill(7));
  reader.end();
});
