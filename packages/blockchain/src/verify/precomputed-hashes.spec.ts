import { settle } from '@monero-node/base/testing';
import { toHex } from '@monero-node/codec';
import {
  BLOCK_GROUP_SIZE,
  encodeBlockGroups,
  hashGroupIds,
  hashGroupWeights,
  parseBlockGroups,
  type BlockGroup,
} from '@monero-node/consensus';
import { genesisOf, makeBlock, makeBranch, type MadeBlock } from '../testing/block-factory.ts';
import { bundleOf, EASY, startTestChain } from '../testing/test-chain.ts';

const genesis = genesisOf(EASY);
const LENGTH = 2 * BLOCK_GROUP_SIZE + 10;
const above = makeBranch(EASY, genesis, LENGTH - 1);
const ids = [EASY.genesisId, ...above.map(({ parsed }) => parsed.id)];

/** Groups of the made chain, by the weights that a node has stored. */
async function groupsOfChain(): Promise<{ groups: BlockGroup[]; weights: bigint[] }> {
  const { chain, store } = await startTestChain();
  await chain.addSpan(above.map(bundleOf));
  const weights = ids.map((_, height) => BigInt(store.blockMeta(height)?.weight ?? 0));
  const groups = [0, 1].map((group) => {
    const range = [group * BLOCK_GROUP_SIZE, (group + 1) * BLOCK_GROUP_SIZE] as const;
    return {
      ids: hashGroupIds(ids.slice(...range)),
      weights: hashGroupWeights(weights.slice(...range)),
    };
  });
  return { groups, weights };
}

describe('blocks known by the hash of their group', () => {
  let groups: BlockGroup[];
  let weights: bigint[];
  beforeAll(async () => {
    ({ groups, weights } = await groupsOfChain());
  });

  test('skips proof of work and signatures up to the end of the last group', async () => {
    const { chain, pow } = await startTestChain(EASY, undefined, { blockGroups: groups });
    expect(chain.approveIds({ start: 0, ids, weights })).toBe(LENGTH);
    await chain.addSpan(above.map(bundleOf));
    expect(chain.height).toBe(LENGTH);
    expect(pow.requests).toBe(10);
    expect(chain.counters).toMatchObject({ blocks: LENGTH - 1, known: LENGTH - 11, pow: 10 });
  });

  test('rejects another block at a known height', async () => {
    const { chain } = await startTestChain(EASY, undefined, { blockGroups: groups });
    chain.approveIds({ start: 0, ids, weights: [] });
    const other = makeBlock(EASY, genesis, { timestamp: 1_600_000_000 });
    const { results } = await chain.addSpan([bundleOf(other)]);
    expect(results).toMatchObject([{ status: 'invalid', error: { code: 'checkpoint-mismatch' } }]);
    expect(chain.height).toBe(1);
  });

  test('rejects another block that was verified ahead, before the ids were known', async () => {
    const { chain, pow, store } = await startTestChain(EASY, undefined, { blockGroups: groups });
    const last = BLOCK_GROUP_SIZE - 1;
    await chain.addSpan(above.slice(0, last - 2).map(bundleOf));
    const commit = store.commit.bind(store);
    store.commit = async (change, onQueued) => {
      onQueued?.();
      await settle(100);
      await commit(change);
    };
    const below = above[last - 2] as MadeBlock;
    const other = bundleOf(makeBlock(EASY, below, { nonce: 1 }));
    await chain.addSpan([bundleOf(below)], { next: () => [other] });
    expect([chain.height, pow.requests]).toEqual([last, last]);
    chain.approveIds({ start: last, ids: ids.slice(last), weights: [] });
    const { results } = await chain.addSpan([other]);
    expect(results).toMatchObject([{ status: 'invalid', error: { code: 'checkpoint-mismatch' } }]);
    expect(chain.height).toBe(last);
  });

  test('approves no ids of a group that does not match', async () => {
    const { chain, pow } = await startTestChain(EASY, undefined, { blockGroups: groups });
    const wrong = [...ids];
    wrong[700] = new Uint8Array(32).fill(1);
    expect(chain.approveIds({ start: 0, ids: wrong, weights })).toBe(BLOCK_GROUP_SIZE);
    await chain.addSpan(above.slice(0, 600).map(bundleOf));
    expect(pow.requests).toBe(600 - (BLOCK_GROUP_SIZE - 1));
  });

  test('approves no group with wrong weights', async () => {
    const { chain } = await startTestChain(EASY, undefined, { blockGroups: groups });
    const wrong = weights.map((weight, height) => (height === 100 ? weight + 1n : weight));
    expect(chain.approveIds({ start: 0, ids, weights: wrong })).toBe(0);
  });

  test('does not approve an incomplete last group yet', async () => {
    const { chain } = await startTestChain(EASY, undefined, { blockGroups: groups });
    const offer = { start: 0, ids: ids.slice(0, 1000), weights: weights.slice(0, 1000) };
    expect(chain.approveIds(offer)).toBe(BLOCK_GROUP_SIZE);
  });

  test('completes a group with stored blocks', async () => {
    const { chain, pow } = await startTestChain(EASY, undefined, { blockGroups: groups });
    await chain.addSpan(above.slice(0, 300).map(bundleOf));
    expect(pow.requests).toBe(300);
    const offer = { start: 300, ids: ids.slice(300), weights: weights.slice(300) };
    expect(chain.approveIds(offer)).toBe(LENGTH - 300);
    await chain.addSpan(above.slice(300).map(bundleOf));
    expect(chain.height).toBe(LENGTH);
    expect(pow.requests).toBe(310);
  });

  test('leaves a partial first group far above the chain to verification', async () => {
    const { chain } = await startTestChain(EASY, undefined, { blockGroups: groups });
    const offer = { start: 100, ids: ids.slice(100), weights: [] };
    expect(chain.approveIds(offer)).toBe(LENGTH - 100);
    const { results } = await chain.addSpan(above.slice(0, 1).map(bundleOf));
    expect(results[0]?.status).toBe('added');
    expect(chain.counters.known).toBe(0);
  });

  test('accepts too few ids to compare', async () => {
    const { chain } = await startTestChain(EASY, undefined, { blockGroups: groups });
    expect(chain.approveIds({ start: 1, ids: ids.slice(1, 20), weights: [] })).toBe(19);
    expect(chain.approveIds({ start: 5000, ids: ids.slice(0, 20), weights: [] })).toBe(20);
  });

  test('reads a file of groups, and rejects a truncated one', () => {
    const file = encodeBlockGroups(groups);
    expect(file.length).toBe(4 + 64 * 2);
    expect(parseBlockGroups(file).map((group) => toHex(group.ids))).toEqual(
      groups.map((group) => toHex(group.ids)),
    );
    expect(() => parseBlockGroups(file.subarray(0, 100))).toThrow('2 groups in 96 bytes');
  });
});

describe('trusted blocks', () => {
  test('are stored without proof of work, but only if they obey the context rules', async () => {
    const { chain, pow } = await startTestChain();
    const good = above.slice(0, 5);
    const bad = makeBlock(EASY, good[4] as MadeBlock, { surplus: 1n });
    const { results } = await chain.addSpan([...good, bad].map(bundleOf), { trust: true });
    expect(results.map(({ status }) => status)).toEqual([...Array(5).fill('added'), 'invalid']);
    expect(pow.requests).toBe(0);
    expect(chain.height).toBe(6);
  });
});
