import { countParses } from '@monero-node/codec/testing';
import { EASY, SpendableChain, startTestChain } from './testing/index.ts';
import { parseBundle } from './verify/parse-bundle.ts';

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
  const parses = await countParses(async () => {
    const { results } = await test.chain.addSpan(blocks.map(parseBundle));
    expect(results.at(-1)).toMatchObject({ status: 'added', height: LENGTH + 1 });
  });
  expect(parses).toEqual({ blocks: LENGTH + 1, transactions: 1 });
});

test('keeps no objects of a transaction once its block is stored', async () => {
  const block = made.fork(LENGTH, 'objects').mine([tx]);
  const test = await startTestChain();
  const bundles = [...made.blocks.slice(0, LENGTH), block].map(bytesOf).map(parseBundle);
  const [own] = bundles.at(-1)?.txs ?? [];
  const objects = own?.tx;
  expect(own?.tx).toBe(objects);
  const { results } = await test.chain.addSpan(bundles);
  expect(results.at(-1)).toMatchObject({ status: 'added' });
  expect(own?.tx).not.toBe(objects);
  expect(own?.tx).toEqual(objects);
});

test('parses a block of a side chain and its transactions once, and again only from storage', async () => {
  const test = await startTestChain();
  await test.chain.addSpan(made.blocks.slice(0, LENGTH).map(bytesOf).map(parseBundle));
  const main = made.fork(LENGTH, 'main').mine();
  const side = made.fork(LENGTH, 'side');
  const [below, top] = [side.mine([tx]), side.mine()];
  await test.chain.addBlock(parseBundle(bytesOf(main)));
  const add = (block: typeof below, status: string) =>
    countParses(async () => {
      expect(await test.chain.addBlock(parseBundle(bytesOf(block)))).toMatchObject({ status });
    });
  expect(await add(below, 'alternative')).toEqual({ blocks: 1, transactions: 1 });
  // The block below is read back from storage.
  expect(await add(top, 'reorganized')).toEqual({ blocks: 2, transactions: 1 });
});

test('parses transactions from the pool only when the block is new', async () => {
  const test = await startTestChain();
  await test.chain.addSpan(made.blocks.slice(0, LENGTH).map(bytesOf).map(parseBundle));
  const { parsed } = made.fork(LENGTH, 'pool').mine([tx]);
  const add = () =>
    test.chain.addBlock({ block: parsed, txs: [] }, { findTransaction: () => tx.blob });
  const parses = await countParses(async () => {
    expect((await add()).status).toBe('added');
    expect((await add()).status).toBe('known');
  });
  expect(parses).toEqual({ blocks: 0, transactions: 1 });
});
