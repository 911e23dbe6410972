import { sampled, settle } from '@monero-node/base/testing';
import {
  EASY,
  makeBlock,
  SpendableChain,
  type BlockChanges,
  type MadeBlock,
} from '@monero-node/blockchain/testing';
import { bytesEqual } from '@monero-node/codec';
import { NETWORKS, withOverrides } from '@monero-node/consensus';
import { StorageError } from '@monero-node/storage';
import { FeederBench, type FeederBenchOptions } from '../testing/feeder-bench.ts';
import type { Span } from './span-queue.ts';

const LENGTH = 80;
const BASE = LENGTH + 1;
/** Blocks of a span: two spans are too many for one batch. */
const SPAN = 11;
const made = new SpendableChain(EASY);
made.mineMany(LENGTH);
const spending = made.spend([3]);

/** Returns the blocks of two spans. Some differ, by their positions. */
function blocksOfTwo(changes: Record<number, BlockChanges> = {}): MadeBlock[] {
  const blocks: MadeBlock[] = [];
  for (let i = 0; i < 2 * SPAN; i++)
    blocks.push(makeBlock(EASY, blocks.at(-1) ?? made.top, changes[i]));
  return blocks;
}

/** Two spans on top of the chain, each of its own host. */
function start(
  blocks: readonly MadeBlock[],
  options: Partial<FeederBenchOptions> & Pick<FeederBenchOptions, 'isSlow'>,
): Promise<FeederBench> {
  return FeederBench.start({ below: made.blocks, blocks, sizes: [SPAN, SPAN], ...options });
}

test('a span is decoded and verified while the one below is stored, both only once', async () => {
  const bench = await start(blocksOfTwo(), { isSlow: true });
  const heights: number[] = [];
  bench.whileWritten = async () => {
    // The decoding has begun before, so whoever changes the chain need not wait for it.
    expect(bench.decoded[SPAN]).toBe(1);
    await bench.untilAsked(2 * SPAN);
    heights.push(bench.chain.height);
  };
  expect(await bench.run()).toMatchObject({
    height: BASE + 2 * SPAN,
    waiting: [],
    scores: [0, 0],
    closed: [false, false],
  });
  expect(heights).toEqual([BASE, BASE + SPAN]);
  expect(bench.pow.requests).toBe(2 * SPAN);
  expect(bench.decoded).toEqual(Array(2 * SPAN).fill(1));
});

const MIB = 1024 * 1024;

test.each([
  [32 * MIB - 1000, 1001, SPAN],
  [1001, 32 * MIB - 1000, SPAN],
  [16 * MIB, 16 * MIB, 2 * SPAN],
])('of two spans of %d and %d bytes, %d blocks are decoded at a time', async (...numbers) => {
  const bench = await start(blocksOfTwo(), { isSlow: true });
  for (const [i, span] of bench.queue.spans.entries()) span.size = numbers[i] as number;
  const seen: number[] = [];
  bench.whileWritten = async () => {
    await settle(100);
    seen.push(bench.decoded.filter((times) => times > 0).length);
  };
  expect(await bench.run()).toMatchObject({ height: BASE + 2 * SPAN, waiting: [] });
  expect(seen).toEqual([numbers[2], 2 * SPAN]);
});

test.each([
  ['before these blocks are stored', 1, true],
  ['later', Infinity, false],
])('a span whose outlines come %s waits for them', async (_, refusals, isPrepared) => {
  const bench = await start(blocksOfTwo(), { isSlow: true });
  const second = bench.queue.spans[1] as Span;
  let asked = 0;
  const isOutlining = () => ++asked <= refusals;
  second.blocks = second.blocks?.map((block) => ({ ...block, isOutlining })) ?? [];
  const seen: number[] = [];
  bench.whileWritten = async () => {
    await settle(100);
    seen.push(bench.decoded[2 * SPAN - 1] ?? 0);
  };
  expect(await bench.run()).toMatchObject({ height: BASE + 2 * SPAN, waiting: [] });
  expect(seen).toEqual([isPrepared ? 1 : 0, 1]);
});

const cut = (txs: readonly Uint8Array[]) => txs.map((blob) => blob.subarray(0, blob.length - 1));
const withOneMore = (txs: readonly Uint8Array[]) => txs.map((blob) => Uint8Array.of(...blob, 0));

/** What can be wrong with a block, and how its transactions are damaged on the way. */
const WRONGS: readonly [string, BlockChanges, FeederBenchOptions['damage']?][] = [
  ['with too high a reward', { surplus: 1n }],
  ['with a transaction of an earlier one', { txs: [spending] }],
  ['with a transaction that is cut off', { txs: [made.spend([4])] }, cut],
  ['with a transaction that has a byte more', { txs: [made.spend([4])] }, withOneMore],
  ['without its transactions', { txs: [made.spend([4])] }, () => []],
];

/** All but the first one. Samples have the last block of the first span and the first of the second. */
const POSITIONS = [
  ...[10, 2, 3, 4, 5],
  ...[11, 6, 7, 8, 9],
  ...[21, 12, 13, 14, 15],
  ...[1, 17, 18, 19, 20],
  ...[16],
];

describe('the span whose turn it is, while its outlines are being made,', () => {
  /** A bench whose first span has no outlines yet, and what says that nobody need wait for them. */
  async function startWaiting() {
    const bench = await start(blocksOfTwo(), { isSlow: false });
    let [done, waits] = [(): void => undefined, 0];
    const made = new Promise<void>((resolve) => (done = resolve));
    const [span] = bench.queue.spans as [Span];
    const whenOutlined = () => {
      waits++;
      return made;
    };
    span.blocks =
      span.blocks?.map((block) => ({
        ...block,
        isOutlining: () => true,
        whenOutlined,
      })) ?? [];
    const running = bench.run();
    await settle(100);
    expect(bench.decoded).toEqual(Array(2 * SPAN).fill(0));
    return { bench, span, running, done, waits: () => waits };
  }

  test('waits for them once', async () => {
    const { bench, running, done, waits } = await startWaiting();
    done();
    expect(await running).toMatchObject({ height: BASE + 2 * SPAN, waiting: [], scores: [0, 0] });
    expect(waits()).toBe(1);
    expect(bench.decoded).toEqual(Array(2 * SPAN).fill(1));
  });

  test('is not stored when it has left the queue meanwhile', async () => {
    const { bench, span, running, done } = await startWaiting();
    bench.queue.remove(span);
    done();
    expect(await running).toMatchObject({ height: BASE, waiting: [BASE + SPAN] });
    expect(bench.decoded).toEqual(Array(2 * SPAN).fill(0));
  });

  test('is not begun when the node stops', async () => {
    const { bench, running, done } = await startWaiting();
    bench.feeder.stop();
    done();
    expect(await running).toMatchObject({ height: BASE, waiting: [BASE, BASE + SPAN] });
    expect(bench.decoded).toEqual(Array(2 * SPAN).fill(0));
  });
});

describe.each(WRONGS)('a block %s', (_, change, damage) => {
  test.each(sampled(POSITIONS, 5))(
    'at position %d of two spans is blamed on its sender, and those before it are stored',
    async (bad) => {
      const blocks = blocksOfTwo({ 0: { txs: [spending] }, [bad]: change });
      const own: FeederBenchOptions['damage'] = (txs, i) =>
        i === bad && damage !== undefined ? damage(txs, i) : txs;
      const [outcome, plain] = await Promise.all(
        [true, false].map(async (isSlow) => (await start(blocks, { isSlow, damage: own })).run()),
      );
      expect(outcome).toEqual(plain);
      expect(outcome).toMatchObject({ height: BASE + bad, failures: [] });
      const isFirst = bad < SPAN;
      const { closed, scores } = outcome as { closed: boolean[]; scores: number[] };
      expect(closed[isFirst ? 0 : 1]).toBe(true);
      expect(scores[isFirst ? 0 : 1]).toBeGreaterThan(0);
      // The next span stands on the last block of this one, wherever that block is bad.
      const hasBadParent = bad === SPAN - 1 && damage === undefined;
      if (!hasBadParent) expect(closed[isFirst ? 1 : 0]).toBe(false);
    },
  );
});

test.each([0, 5, SPAN - 1, SPAN, 2 * SPAN - 1])(
  'a bad proof of work at position %d is confirmed once and blamed on its sender',
  async (bad) => {
    const blocks = blocksOfTwo();
    const wrong = blocks[bad]?.parsed.hashingBlob ?? new Uint8Array();
    const network = withOverrides(NETWORKS.regtest, { fixedDifficulty: 2n });
    const outcomes = [true, false].map(async (isSlow) => {
      const bench = await start(blocks, { isSlow, network });
      let confirmed = 0;
      const hash = ({ blob }: { readonly blob: Uint8Array }) =>
        Promise.resolve(new Uint8Array(32).fill(bytesEqual(blob, wrong) ? 255 : 0));
      const confirm = (_: unknown, hashed: Uint8Array) => {
        confirmed++;
        return Promise.resolve(hashed);
      };
      Object.assign(bench.pow, { hash, confirm });
      return { ...(await bench.run()), confirmed };
    });
    const [slow, plain] = await Promise.all(outcomes);
    expect(slow).toEqual(plain);
    expect(slow).toMatchObject({ height: BASE + bad, confirmed: 1 });
    expect(slow).toHaveProperty(['closed', bad < SPAN ? 0 : 1], true);
  },
);

test.each([1, 2])('span %d, taken from the queue meanwhile, is not stored', async (taken) => {
  // The second and the third are verified together.
  const sizes = [18, 3, 1];
  const bench = await start(blocksOfTwo(), { isSlow: true, sizes });
  bench.whileWritten = async (commit) => {
    if (commit > 0) return;
    await bench.untilAsked(22);
    bench.queue.remove(bench.queue.spans[taken] as Span);
  };
  expect(await bench.run()).toMatchObject({
    height: BASE + (taken === 1 ? 18 : 21),
    waiting: taken === 1 ? [BASE + 21] : [],
    scores: [0, 0],
  });
});

test('a span that comes meanwhile is verified after those that were decoded', async () => {
  const bench = await start(blocksOfTwo(), { isSlow: true, sizes: [18, 3, 1] });
  const { queue } = bench;
  const last = queue.spans[2] as Span;
  queue.remove(last);
  bench.whileWritten = async (commit) => {
    if (commit > 0) return;
    await bench.untilAsked(21);
    queue.fill(last, { ...last, blocks: last.blocks ?? [], prevId: last.prevId ?? '' });
  };
  expect(await bench.run()).toMatchObject({ height: BASE + 22, waiting: [], scores: [0, 0] });
  expect(bench.pow.requests).toBe(22);
  expect(bench.decoded).toEqual(Array(22).fill(1));
});

test('a span whose sender leaves meanwhile is stored', async () => {
  const bench = await start(blocksOfTwo(), { isSlow: true });
  bench.whileWritten = async () => {
    await bench.untilAsked(2 * SPAN);
    const [, peer] = bench.peers;
    peer?.connection.close('gone');
    bench.queue.removeOwned(peer?.id ?? '', { filled: false });
  };
  expect(await bench.run()).toMatchObject({ height: BASE + 2 * SPAN, scores: [0, 0] });
});

test.each([
  ['pops blocks', ({ chain }: FeederBench) => chain.popBlocks(2)],
  [
    'adds a checkpoint that the next span contradicts',
    ({ chain }: FeederBench) => {
      const point = { height: BASE + SPAN + 3, id: 'ab'.repeat(32), cumulativeDifficulty: 1n };
      return chain.addCheckpoints([point]);
    },
  ],
] as const)('whoever %s meanwhile has a turn between two spans', async (_, change) => {
  const blocks = blocksOfTwo();
  const outcomes = [true, false].map(async (isSlow) => {
    const bench = await start(blocks, { isSlow });
    let changed: Promise<number> | undefined;
    bench.whileWritten = async () => {
      await settle(100);
      changed ??= change(bench);
    };
    const outcome = await bench.run();
    await changed;
    return { outcome, after: bench.outcome() };
  });
  const [slow, plain] = await Promise.all(outcomes);
  expect(slow).toEqual(plain);
  expect(slow?.outcome).not.toMatchObject({ height: BASE + 2 * SPAN });
});

test('a reorganization meanwhile is not undone', async () => {
  const blocks = blocksOfTwo();
  const fork = blocks[SPAN - 2] as MadeBlock;
  const side: MadeBlock[] = [];
  for (let i = 0; i < 3; i++) side.push(makeBlock(EASY, side.at(-1) ?? fork, { nonce: 1 }));
  const bench = await start(blocks, { isSlow: true });
  let offered: Promise<unknown> | undefined;
  bench.whileWritten = async () => {
    await settle(100);
    offered ??= (async () => {
      for (const { parsed } of side) await bench.chain.addBlock({ block: parsed, txs: [] });
    })();
  };
  await bench.run();
  await offered;
  bench.feeder.kick();
  expect(await bench.run()).toMatchObject({ scores: [0, 0], closed: [false, false], waiting: [] });
  // The second span has more work than the side chain.
  expect(bench.chain.height).toBe(BASE + 2 * SPAN);
  expect(bench.chain.has(side[2]?.parsed.id ?? new Uint8Array())).toBe('alt');
});

test('when the disk fails, nobody is blamed, and the next span is not stored', async () => {
  const bench = await start(blocksOfTwo(), { isSlow: true });
  bench.whileWritten = async () => {
    await bench.untilAsked(2 * SPAN);
    throw new StorageError('io', 'the disk is full');
  };
  expect(await bench.run()).toMatchObject({
    height: BASE,
    waiting: [BASE, BASE + SPAN],
    scores: [0, 0],
    failures: [{ byMachine: true, attempts: 1 }],
  });
  bench.feeder.stop();
});

test('a span that makes the program fail is met again when it is its turn', async () => {
  const bench = await start(blocksOfTwo(), { isSlow: true });
  const [, second] = bench.queue.spans;
  const broken = second?.blocks?.map((block) => ({
    ...block,
    outlined: () => {
      throw new TypeError('a defect');
    },
  }));
  Object.assign(second ?? {}, { blocks: broken });
  expect(await bench.run()).toMatchObject({
    height: BASE + SPAN,
    waiting: [BASE + SPAN],
    scores: [0, 0],
    failures: [{ byMachine: false, attempts: 1 }],
  });
  bench.feeder.stop();
});

test('stopping waits for the span that is being stored, and no other is begun', async () => {
  const bench = await start(blocksOfTwo(), { isSlow: true });
  const { chain, feeder, pow, queue, store } = bench;
  const second = queue.spans[1] as Span;
  queue.remove(second);
  const commit = store.commit.bind(store);
  let stopped: Promise<void> | undefined;
  store.commit = async (...args) => {
    feeder.stop();
    stopped ??= chain.stop();
    queue.fill(second, { ...second, blocks: second.blocks ?? [], prevId: second.prevId ?? '' });
    await commit(...args);
  };
  await bench.run();
  await stopped;
  expect(chain.height).toBe(BASE + SPAN);
  expect(pow.requests).toBe(SPAN);
  expect(bench.decoded.slice(SPAN)).toEqual(Array(SPAN).fill(0));
});

test('a next span that is decoded when the chain is to stop is not verified', async () => {
  const bench = await start(blocksOfTwo(), { isSlow: true });
  const { chain, feeder, pow } = bench;
  let stopped: Promise<void> | undefined;
  bench.whileWritten = async () => {
    feeder.stop();
    stopped ??= chain.stop();
    await settle(100);
  };
  await bench.run();
  await stopped;
  expect([chain.height, pow.requests]).toEqual([BASE + SPAN, SPAN]);
});
