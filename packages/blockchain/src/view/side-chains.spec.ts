import { parseBlockHeader, toHex } from '@monero-node/codec';
import { median } from '@monero-node/consensus';
import { createMemoryStore, type ChainStore } from '@monero-node/storage';
import { genesisOf, makeBlock, makeBranch, type MadeBlock } from '../testing/block-factory.ts';
import { bundleOf, EASY, startTestChain } from '../testing/test-chain.ts';
import { readSideChain, sideHeader, type SideChain } from './side-chain.ts';
import { SideChains } from './side-chains.ts';

const TRUNK = 70;
const trunk = makeBranch(EASY, genesisOf(EASY), TRUNK);
const split = trunk[TRUNK - 1] as MadeBlock;

/** Makes a side chain of blocks whose timestamps go up and down. */
function side(length: number, nonce: number, parent: MadeBlock = split): MadeBlock[] {
  const blocks: MadeBlock[] = [];
  for (let i = 0; i < length; i++) {
    const below = blocks.at(-1) ?? parent;
    const above = below.height - split.height;
    const timestamp = split.timestamp + 10_000 + 100 * above + ((above * 7919) % 1000);
    blocks.push(makeBlock(EASY, below, { nonce, timestamp }));
  }
  return blocks;
}

/** Returns a store that counts the calls of each method. */
function counting(store: ChainStore): { store: ChainStore; calls: Map<string, number> } {
  const calls = new Map<string, number>();
  const counted = new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]): unknown => {
        calls.set(String(name), (calls.get(String(name)) ?? 0) + 1);
        return Reflect.apply(value, target, args);
      };
    },
  });
  return { store: counted, calls };
}

test('a block of a long side chain is read as often as one of a short', async () => {
  const { store, calls } = counting(createMemoryStore());
  const { chain } = await startTestChain(EASY, store);
  const main = makeBranch(EASY, split, 402);
  await chain.addSpan([...trunk, ...main].map(bundleOf));
  const reads: Record<string, number>[] = [];
  for (const block of side(400, 5)) {
    calls.clear();
    expect(await chain.addBlock(bundleOf(block))).toMatchObject({ status: 'alternative' });
    reads.push(Object.fromEntries(calls));
  }
  // Twice when its proof of work is verified, and twice when it is added.
  expect(reads[100]).toMatchObject({ altBlock: 4, commit: 1 });
  expect(reads.slice(2)).toEqual(reads.slice(2).map(() => reads[100]));
});

describe('remembered side chains', () => {
  const left = side(150, 1);
  const right = side(30, 2, left[79]);

  /** Stores both chains as alternatives, without an updater. */
  async function stored() {
    const { chain, store } = await startTestChain();
    const main = makeBranch(EASY, split, 160);
    await chain.addSpan([...trunk, ...main, ...left, ...right].map(bundleOf));
    return { chain, store };
  }

  const view = (chain: SideChain | undefined) =>
    chain && {
      split: chain.splitHeight,
      ids: chain.headers.pushed.map(({ id }) => toHex(id)).join(),
      oldest: chain.headers.tail(735)[0]?.height,
      lowest: chain.lowestTimestamp,
      coins: chain.generatedCoins,
    };

  test('are those that storage holds, block by block, also where they branch', async () => {
    const { store } = await stored();
    const chains = new SideChains(store);
    for (const { parsed } of [...left, ...right]) {
      const found = await chains.endingIn(parsed.block.prevId);
      expect(view(found)).toEqual(view(await readSideChain(store, parsed.block.prevId)));
      const block = store.altBlock(parsed.id);
      if (block === undefined || found === undefined) throw new Error('not stored');
      chains.push(found, sideHeader(block, parseBlockHeader(block.blob).timestamp));
    }
    const whole = [...left.slice(0, 80), ...right].map(({ timestamp }) => timestamp);
    const top = right.at(-1) as MadeBlock;
    expect((await chains.endingIn(top.parsed.id))?.lowestTimestamp).toBe(median(whole));
  });

  test('are not used when the main chain was popped below them', async () => {
    const { chain } = await stored();
    await chain.popBlocks(161);
    const next = makeBlock(EASY, left.at(-1) as MadeBlock, { timestamp: split.timestamp + 50_000 });
    expect(await chain.addBlock(bundleOf(next))).toMatchObject({ status: 'orphan' });
  });

  test('are forgotten when they become the main chain', async () => {
    const { chain } = await stored();
    const top = left.at(-1) as MadeBlock;
    const more = makeBranch(EASY, { ...top, timestamp: split.timestamp + 50_000 }, 12, {});
    const { results } = await chain.addSpan(more.map(bundleOf));
    expect(results.map(({ status }) => status).slice(9)).toEqual([
      'alternative',
      'reorganized',
      'added',
    ]);
    // The other branch now leaves a main chain that it left higher up.
    const timestamp = split.timestamp + 50_000;
    const branch = makeBlock(EASY, right.at(-1) as MadeBlock, { timestamp });
    expect(await chain.addBlock(bundleOf(branch))).toMatchObject({ status: 'alternative' });
    expect(await readSideChain(chain.store, branch.parsed.id)).toMatchObject({
      splitHeight: TRUNK + 81,
      length: 31,
    });
  });
});
