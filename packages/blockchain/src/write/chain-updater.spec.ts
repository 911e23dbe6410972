import { createMemoryStore, type StoreChange } from '@monero-node/storage';
import { makeBlock, genesisOf, type MadeBlock } from '../testing/block-factory.ts';
import { bundleOf, EASY, startTestChain } from '../testing/test-chain.ts';

test('a span with many outputs is stored in several commits', async () => {
  const store = createMemoryStore();
  const commits: number[] = [];
  const commit = store.commit.bind(store);
  store.commit = (change: StoreChange) => {
    commits.push(change.append?.length ?? 0);
    return commit(change);
  };
  const { chain } = await startTestChain(EASY, store);
  const blocks: MadeBlock[] = [genesisOf(EASY)];
  for (let i = 1; i <= 5; i++)
    blocks.push(makeBlock(EASY, blocks[i - 1] as MadeBlock, { coinbaseOutputs: 1500 }));
  commits.length = 0;
  const { results } = await chain.addSpan(blocks.slice(1).map(bundleOf));
  expect(results.map(({ status }) => status)).toEqual(Array(5).fill('added'));
  expect(commits).toEqual([2, 2, 1]);
});
