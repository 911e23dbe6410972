/** @jest-environment node */
import { jest } from '@jest/globals';
import * as codec from '@monero-node/codec';

/** Calls of the codec's parsers since the last reset. */
const parses = { blocks: 0, transactions: 0 };

jest.unstable_mockModule('@monero-node/codec', () => ({
  ...codec,
  parseBlock: (blob: Uint8Array) => {
    parses.blocks++;
    return codec.parseBlock(blob);
  },
  parseBlockSteps: (blob: Uint8Array) => {
    parses.blocks++;
    return codec.parseBlockSteps(blob);
  },
  parseTransaction: (blob: Uint8Array) => {
    parses.transactions++;
    return codec.parseTransaction(blob);
  },
  parseTransactionLazily: (blob: Uint8Array, prunableHash?: Uint8Array) => {
    parses.transactions++;
    return codec.parseTransactionLazily(blob, prunableHash);
  },
}));

const { EASY, SpendableChain, startTestChain } = await import('./testing/index.ts');
const { parseBundle } = await import('./verify/parse-bundle.ts');

const LENGTH = 80;
const made = new SpendableChain(EASY);
made.mineMany(LENGTH);
const tx = made.spend([2]);

function bytesOf({ parsed, txs }: (typeof made)['blocks'][number]) {
  return { block: parsed.blob, txs: txs.map(({ blob }) => blob) };
}

test('parses every block and transaction of a span exactly once', async () => {
  const chain = made.fork(LENGTH, 'span');
  const block = chain.mine([tx]);
  const blocks = [...made.blocks.slice(0, LENGTH), block].map(bytesOf);
  const test = await startTestChain();
  Object.assign(parses, { blocks: 0, transactions: 0 });
  const { results } = await test.chain.addSpan(blocks.map(parseBundle));
  expect(results.at(-1)).toMatchObject({ status: 'added', height: LENGTH + 1 });
  expect(parses).toEqual({ blocks: LENGTH + 1, transactions: 1 });
});

test('parses a block of a side chain and its transactions once, and again only from storage', async () => {
  const test = await startTestChain();
  await test.chain.addSpan(made.blocks.slice(0, LENGTH).map(bytesOf).map(parseBundle));
  const main = made.fork(LENGTH, 'main').mine();
  const side = made.fork(LENGTH, 'side');
  const [below, top] = [side.mine([tx]), side.mine()];
  await test.chain.addBlock(parseBundle(bytesOf(main)));
  Object.assign(parses, { blocks: 0, transactions: 0 });
  const kept = await test.chain.addBlock(parseBundle(bytesOf(below)));
  expect(kept.status).toBe('alternative');
  expect(parses).toEqual({ blocks: 1, transactions: 1 });
  const over = await test.chain.addBlock(parseBundle(bytesOf(top)));
  expect(over.status).toBe('reorganized');
  // The block below was read back from storage.
  expect(parses).toEqual({ blocks: 3, transactions: 2 });
});

test('parses transactions from the pool only when the block is new', async () => {
  const test = await startTestChain();
  await test.chain.addSpan(made.blocks.slice(0, LENGTH).map(bytesOf).map(parseBundle));
  const { parsed } = made.fork(LENGTH, 'pool').mine([tx]);
  Object.assign(parses, { blocks: 0, transactions: 0 });
  const add = () =>
    test.chain.addBlock({ block: parsed, txs: [] }, { findTransaction: () => tx.blob });
  expect((await add()).status).toBe('added');
  expect((await add()).status).toBe('known');
  expect(parses).toEqual({ blocks: 0, transactions: 1 });
});
