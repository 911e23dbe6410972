import { setImmediate as nextTurn } from 'node:timers/promises';
import { bundleOf, EASY, SpendableChain, startTestChain } from '@monero-node/blockchain/testing';
import type { IncomingBlock } from '@monero-node/blockchain';
import { parsePrunedTransaction } from '@monero-node/codec';
import type { BlockGroup } from '@monero-node/consensus';
import type { ImportSource } from './import-source.ts';
import { groupStoredBlocks } from './group-blocks.ts';
import { importBlocks, type ImportOptions, type ImportResult } from './import-blocks.ts';

/** Height of the one block with a transaction. */
const SPENDING = 80;
const GROUP = 512;
const made = new SpendableChain(EASY);
made.mineMany(SPENDING - 1);
made.mine([made.spend([3])]);
made.mineMany(GROUP - SPENDING + 30);
const LENGTH = made.blocks.length + 1;

type Test = Awaited<ReturnType<typeof startTestChain>>;
let whole: Test;
let groups: BlockGroup[];

beforeAll(async () => {
  whole = await startTestChain();
  await whole.chain.addSpan(made.blocks.map(bundleOf), { trust: true });
  groups = await groupStoredBlocks(whole.store, LENGTH);
  expect(groups).toHaveLength(1);
});

interface SourceOptions {
  pruningSeed?: number;
  /** Called with the height of each block that is read. */
  onRead?: (height: number) => void;
  /** Called before each batch is added. */
  check?: () => void;
}

/** The chain as a source. With a pruning seed, the transaction lacks its prunable part. */
function sourceOf({
  pruningSeed = 0,
  onRead = () => undefined,
  check = () => undefined,
}: SourceOptions = {}): ImportSource {
  let height = 1;
  const blockAt = (at: number): IncomingBlock | undefined => {
    const bundle = made.blocks[at - 1];
    const incoming = bundle && bundleOf(bundle);
    if (incoming === undefined || pruningSeed === 0) return incoming;
    const txs = incoming.txs.map((tx) =>
      parsePrunedTransaction(tx.blob.subarray(0, tx.unprunedSize), tx.prunableHash),
    );
    return { ...incoming, txs };
  };
  return {
    name: 'the source',
    firstBlock: 1,
    height: LENGTH,
    pruningSeed,
    get progress() {
      return height / LENGTH;
    },
    skipTo: (to) => {
      height = to;
      return Promise.resolve(to < LENGTH);
    },
    offer: (count) => {
      const metas = whole.store.blockMetas(height, height + count);
      const weights = metas.map(({ weight }) => BigInt(weight));
      return Promise.resolve({ start: height, ids: metas.map(({ id }) => id), weights });
    },
    next: async () => {
      await Promise.resolve();
      onRead(height);
      return blockAt(height++);
    },
    readAhead: () => undefined,
    check,
    close: () => Promise.resolve(),
  };
}

const run = (
  { chain }: Test,
  source: ImportSource,
  options: Partial<ImportOptions> = {},
): Promise<ImportResult> =>
  importBlocks(chain, source, { trust: false, batchSize: 50, ...options });

const trusting = () => startTestChain(EASY, undefined, { blockGroups: groups });

test('blocks of trusted groups are not verified, those above are', async () => {
  const test = await trusting();
  expect(await run(test, sourceOf(), { trustedBelow: GROUP })).toMatchObject({ height: LENGTH });
  const { known, pow } = test.chain.counters;
  expect({ known, pow }).toEqual({ known: GROUP - 1, pow: LENGTH - GROUP });
  expect(test.chain.topId).toEqual(whole.chain.topId);
});

test('an import that stopped within a group goes on without verifying', async () => {
  const test = await trusting();
  const source = sourceOf();
  await run(test, source, { trustedBelow: GROUP, blockStop: 100 });
  expect(test.chain.height).toBe(101);
  await run(test, sourceOf(), { trustedBelow: GROUP });
  expect(test.chain.counters).toMatchObject({ known: GROUP - 1 });
  expect(test.chain.topId).toEqual(whole.chain.topId);
});

test('blocks that are not those of the trusted list are refused', async () => {
  const [group] = groups as [BlockGroup];
  const blockGroups = [{ ...group, ids: new Uint8Array(32) }];
  const test = await startTestChain(EASY, undefined, { blockGroups });
  await expect(run(test, sourceOf(), { trustedBelow: GROUP })).rejects.toThrow(
    'blocks 0 to 511 of the source are not those of the list of trusted blocks',
  );
  expect(test.chain.height).toBe(1);
});

test('a pruned source makes a pruned chain with the same seed', async () => {
  const test = await trusting();
  const source = sourceOf({ pruningSeed: 386 });
  const result = await run(test, source, { trustedBelow: GROUP });
  expect(result).toEqual({ height: LENGTH, lacksData: false });
  expect(test.chain.pruningSeed).toBe(386);
  expect(test.store.tx(SPENDING, 1)).toMatchObject({ dropped: true });
  expect(test.store.blockMetas(0, LENGTH)).toEqual(whole.store.blockMetas(0, LENGTH));
});

test('without trusted groups, an import ends before the first block that lacks data', async () => {
  const test = await startTestChain();
  const result = await run(test, sourceOf({ pruningSeed: 386 }));
  expect(result).toEqual({ height: SPENDING, lacksData: true });
  expect(await run(test, sourceOf({ pruningSeed: 386 }))).toEqual(result);
});

test('chains that were pruned differently do not mix', async () => {
  const test = await trusting();
  await test.chain.prune(385);
  const wrong = run(test, sourceOf({ pruningSeed: 386 }), { trustedBelow: GROUP });
  await expect(wrong).rejects.toThrow('was pruned with seed 386 and this chain with 385');
});

test('no batch is added once the source is in use', async () => {
  const test = await startTestChain();
  let checks = 0;
  const check = (): void => {
    if (++checks === 3) throw new Error('in use');
  };
  await expect(run(test, sourceOf({ check }))).rejects.toThrow('in use');
  expect(test.chain.height).toBe(101);
});

/** Returns a chain whose spans are noted when they are stored, in the list of heights that are read. */
async function watched(notes: string[], failsAt = Infinity): Promise<Test> {
  const test = await trusting();
  const { chain } = test;
  const addSpan = chain.addSpan.bind(chain);
  chain.addSpan = async (...parameters) => {
    // Whatever can be read meanwhile is read.
    await new Promise((resolve) => setTimeout(resolve, 50));
    notes.push(`add ${chain.height}`);
    if (chain.height >= failsAt) throw new Error('the disk is full');
    return addSpan(...parameters);
  };
  return test;
}

test('the next batch is read while one is added, of the next group too', async () => {
  const notes: string[] = [];
  const shares: number[] = [];
  const test = await watched(notes);
  const onRead = (height: number) => {
    // The first blocks of batches of 256.
    if ([1, 257, 512, 513].includes(height)) notes.push(`read ${height}`);
  };
  const result = await run(test, sourceOf({ onRead }), {
    trustedBelow: GROUP,
    batchSize: 256,
    onProgress: ({ share }) => shares.push(Math.round(share * LENGTH)),
  });
  expect(result).toEqual({ height: LENGTH, lacksData: false });
  expect(notes).toEqual([
    'read 1',
    'read 257',
    'add 1',
    'read 512',
    'read 513',
    'add 257',
    'add 512',
  ]);
  // The source knows its end only once it has tried to read on.
  expect(shares).toEqual([257, 512, LENGTH + 1]);
});

test('an error of reading ends the import once the batch before is added', async () => {
  const notes: string[] = [];
  const test = await watched(notes);
  const onRead = (height: number) => {
    if (height === 101) throw new Error('a damaged block');
  };
  await expect(run(test, sourceOf({ onRead }))).rejects.toThrow('a damaged block');
  expect(notes).toEqual(['add 1', 'add 51']);
  expect(test.chain.height).toBe(101);
});

test('nothing is read any more once an import has failed', async () => {
  const notes: string[] = [];
  const test = await watched(notes, 51);
  let last = 0;
  const onRead = (height: number) => {
    last = height;
  };
  await expect(run(test, sourceOf({ onRead }))).rejects.toThrow('the disk is full');
  expect(last).toBe(150);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(last).toBe(150);
});

test('blocks beyond the last wanted one are not read', async () => {
  const test = await startTestChain();
  let last = 0;
  const onRead = (height: number) => {
    last = height;
  };
  await run(test, sourceOf({ onRead }), { blockStop: 120 });
  expect([last, test.chain.height]).toEqual([120, 121]);
});

test('the next batch is at hand while one is added', async () => {
  const { chain } = await startTestChain();
  const addSpan = chain.addSpan.bind(chain);
  const batches: (readonly IncomingBlock[])[] = [];
  const offered: (readonly IncomingBlock[] | undefined)[] = [];
  chain.addSpan = async (blocks, options = {}) => {
    batches.push(blocks);
    for (let turns = 0; turns < 500; turns++) await nextTurn();
    offered.push(await options.next?.());
    return addSpan(blocks, options);
  };
  const source = sourceOf();
  expect(await importBlocks(chain, source, { trust: true, batchSize: 50 })).toMatchObject({
    height: LENGTH,
  });
  expect(batches.length).toBeGreaterThan(9);
  for (const [i, batch] of batches.entries()) {
    const later = batches[i + 1] ?? [];
    expect(offered[i]).toHaveLength(later.length);
    expect(later.every((block, position) => block === offered[i]?.[position])).toBe(true);
    expect(batch).not.toHaveLength(0);
  }
});
