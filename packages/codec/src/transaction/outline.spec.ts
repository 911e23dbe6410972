import { outlineMinerTransaction, parseBlock } from '../block/block.ts';
import { fromHex } from '../bytes.ts';
import { DecodeError } from '../errors.ts';
import { readEras } from '../testing/fixtures.ts';
import { outlineTransaction } from './outline.ts';
import { parseTransaction } from './transaction.ts';

const { transactions, blocks } = readEras();

test('shows of every kind of transaction what the parser reads, in both forms', () => {
  expect(transactions.length).toBeGreaterThan(10);
  for (const { hex } of transactions) {
    const { tx, blob, unprunedSize } = parseTransaction(fromHex(hex));
    const { version, outputs, extra, inputs } = tx;
    const expected = { version, outputs, extra, isCoinbase: inputs[0]?.kind === 'gen' };
    expect(outlineTransaction(blob)).toEqual(expected);
    expect(outlineTransaction(blob.subarray(0, unprunedSize))).toEqual(expected);
  }
});

test('shows the miner transaction of a block', () => {
  for (const { hex } of blocks) {
    const { version, outputs, extra } = parseBlock(fromHex(hex)).block.minerTx;
    const expected = { version, outputs, extra, isCoinbase: true };
    expect(outlineMinerTransaction(fromHex(hex))).toEqual(expected);
  }
});

test('inputs that no chain has are read as the parser reads them', () => {
  const script = `00${'11'.repeat(32)}0502aabb`;
  const scripthash = `01${'22'.repeat(32)}0501${'33'.repeat(32)}02ccdd01ee`;
  const outputs = `0100${'02'}${'44'.repeat(32)}`;
  const blob = fromHex(`010002${script}${scripthash}${outputs}0155`);
  const { tx } = parseTransaction(blob);
  expect(tx.inputs.map(({ kind }) => kind)).toEqual(['script', 'scripthash']);
  const { version, extra, outputs: read } = tx;
  expect(outlineTransaction(blob)).toEqual({ version, extra, outputs: read, isCoinbase: false });
});

test('refuses a prefix that is cut off anywhere', () => {
  const [first] = transactions;
  const blob = fromHex(first?.hex ?? '');
  const { prefixSize } = parseTransaction(blob);
  for (let size = 0; size < prefixSize; size++) {
    expect(() => outlineTransaction(blob.subarray(0, size))).toThrow(DecodeError);
  }
  expect(() => outlineTransaction(Uint8Array.of(3, ...blob.subarray(1)))).toThrow(DecodeError);
});
