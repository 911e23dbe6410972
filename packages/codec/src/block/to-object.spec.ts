import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { fromHex } from '../bytes.ts';
import { parseBlock } from './block.ts';
import { parseTransaction } from '../transaction/transaction.ts';
import { stringifyJson64 } from '../json/json64.ts';
import { blockToJson, blockToObject } from './block-json.ts';
import { transactionToJson, transactionToObject } from '../transaction/transaction-json.ts';

/** The miner transaction of Monero's first block. */
const GENESIS_TX =
  '013c01ff0001ffffffffffff03029b2e4c0281c0b02e7c53291a94d1d0cbff8883f8024f5142ee494ffbbd08807121017767aafcde9be00dcfd098715ebcf7f410daebc582fda69d24a28e9d0bc890d1';

test('has the fields of monerod', () => {
  expect(transactionToObject(parseTransaction(fromHex(GENESIS_TX)))).toEqual({
    version: 1,
    unlock_time: 60,
    vin: [{ gen: { height: 0 } }],
    vout: [
      {
        amount: 17592186044415,
        target: { key: '9b2e4c0281c0b02e7c53291a94d1d0cbff8883f8024f5142ee494ffbbd088071' },
      },
    ],
    extra: [...fromHex('017767aafcde9be00dcfd098715ebcf7f410daebc582fda69d24a28e9d0bc890d1')],
    signatures: [],
  });
});

const recorded = new URL('../../../consensus/fixtures/mainnet.json.gz', import.meta.url);
const { blocks, transactions } = JSON.parse(gunzipSync(readFileSync(recorded)).toString()) as {
  blocks: Record<string, string>;
  transactions: Record<string, string>;
};
const bytes = (base64: string) => new Uint8Array(Buffer.from(base64, 'base64'));

test.each(Object.entries(transactions))('renders transaction %s like the text', (_, blob) => {
  const parsed = parseTransaction(bytes(blob));
  for (const pruned of [false, true]) {
    const object = transactionToObject(parsed, { pruned });
    const text = transactionToJson(parsed, { pruned });
    expect(stringifyJson64(object)).toBe(text.replaceAll(/\s/g, ''));
    expect('rctsig_prunable' in object).toBe(text.includes('rctsig_prunable'));
  }
});

test.each(Object.entries(blocks))('renders block %s like the text', (_, blob) => {
  const { block } = parseBlock(bytes(blob));
  expect(stringifyJson64(blockToObject(block))).toBe(blockToJson(block).replaceAll(/\s/g, ''));
});

test('keeps amounts that a number cannot hold', () => {
  const { tx } = parseTransaction(fromHex(GENESIS_TX));
  const [output] = tx.outputs;
  if (output === undefined) throw new Error('no output');
  const amount = (1n << 64n) - 1n;
  const object = transactionToObject({ ...tx, outputs: [{ ...output, amount }] });
  expect(object).toMatchObject({ vout: [{ amount }] });
});
