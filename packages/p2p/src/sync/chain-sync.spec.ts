import { jest } from '@jest/globals';
import { settle } from '@monero-node/base/testing';
import { fromHex } from '@monero-node/codec';
import { encodeNotify } from '../levin/frame.ts';
import { COMMANDS } from '../messages/commands.ts';
import { servedObjects } from '../testing/served.ts';
import { spanOverview } from './span-queue.ts';

import { SyncBench } from '../testing/sync-bench.ts';

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['setImmediate', 'queueMicrotask'] }));
afterEach(() => void jest.useRealTimers());

async function pass(ms: number): Promise<void> {
  await jest.advanceTimersByTimeAsync(ms);
  await settle();
}

test('requests ids, then blocks, and finishes when they are verified', async () => {
  const bench = new SyncBench();
  bench.theirs.grow(30);
  const peer = await bench.peer();
  expect(bench.sync.target).toBe(31);
  expect(peer.requests()).toMatchObject([{ command: COMMANDS.requestChain }]);
  await peer.answerChain();
  const [first] = peer.requests();
  expect(first?.ids).toHaveLength(20);
  await peer.answerBlocks(first?.ids ?? []);
  // The next blocks are asked for while the first are being verified.
  const [second] = peer.requests();
  expect(second?.ids).toHaveLength(10);
  await pass(10);
  expect(bench.chain.height).toBe(21);
  await peer.answerBlocks(second?.ids ?? []);
  await pass(10);
  expect(bench.log).toEqual(['21/31', '31/31', 'synchronized']);
  expect(peer.state).toBe('normal');
});

test('asks a peer again that announced a higher block while its blocks were downloaded, and once only', async () => {
  const bench = new SyncBench({ startsSynchronized: true });
  bench.theirs.grow(10);
  const peer = await bench.peer();
  peer.requests();
  await peer.answerChain();
  const [first] = peer.requests();
  bench.theirs.grow(1);
  bench.sync.onAnnouncedMeanwhile(peer.peer, bench.theirs.height);
  await peer.answerBlocks(first?.ids ?? []);
  await pass(10);
  expect(bench.chain.height).toBe(11);
  expect(peer.requests()).toMatchObject([{ command: COMMANDS.requestChain }]);
  await peer.answerChain();
  const [second] = peer.requests();
  // It is not asked a third time for what it says and does not have.
  bench.sync.onAnnouncedMeanwhile(peer.peer, 12);
  await peer.answerBlocks(second?.ids ?? []);
  await pass(10);
  expect(bench.chain.height).toBe(12);
  expect([peer.state, peer.requests()]).toEqual(['normal', []]);
  // Nor does it begin because of an announcement at another time.
  bench.sync.onAnnouncedMeanwhile(peer.peer, 99);
  await pass(2_000);
  expect([peer.state, peer.requests()]).toEqual(['normal', []]);
});

test('lets at most ten spans wait for verification', async () => {
  const bench = new SyncBench();
  bench.theirs.grow(1000);
  bench.chain.delay = 1e6;
  const peer = await bench.peer();
  peer.requests();
  await peer.answerChain();
  let answered = 0;
  for (let [request] = peer.requests(); request; [request] = peer.requests()) {
    await peer.answerBlocks(request.ids);
    answered++;
  }
  expect(answered).toBe(10);
  expect(peer.state).toBe('standby');
  expect(bench.sync.queue.filledCount).toBe(10);
});

test('lets no more bytes wait than allowed', async () => {
  const bench = new SyncBench({ blockDownloadMaxSize: 5_000 });
  bench.theirs.grow(1000);
  bench.chain.delay = 1e6;
  const peer = await bench.peer();
  peer.requests();
  await peer.answerChain();
  for (let [request] = peer.requests(); request; [request] = peer.requests())
    await peer.answerBlocks(request.ids);
  expect(bench.sync.queue.bytes).toBeGreaterThanOrEqual(5_000);
  expect(bench.sync.queue.bytes).toBeLessThan(8_000);
});

test('requests different blocks from different peers', async () => {
  const bench = new SyncBench();
  bench.theirs.grow(100);
  const all: string[] = [];
  for (const host of ['9.9.9.1', '9.9.9.2', '9.9.9.3']) {
    const peer = await bench.peer(host);
    peer.requests();
    await peer.answerChain();
    all.push(...(peer.requests()[0]?.ids ?? []));
  }
  expect(new Set(all).size).toBe(60);
});

test('requests the blocks of a lost peer from another at once', async () => {
  const bench = new SyncBench();
  bench.theirs.grow(20);
  const [lost, other] = [await bench.peer('9.9.9.1'), await bench.peer('9.9.9.2')];
  for (const peer of [lost, other]) {
    peer.requests();
    await peer.answerChain();
  }
  const [request] = lost.requests();
  expect(other.requests()).toEqual([]);
  lost.peer.connection.close('gone');
  await settle();
  expect(other.requests()).toEqual([request]);
});

test('asks a silent peer again after twenty seconds and drops it after twenty more', async () => {
  const bench = new SyncBench();
  bench.theirs.grow(30);
  const peer = await bench.peer();
  peer.requests();
  await pass(20_000);
  expect(peer.requests()).toEqual([]);
  await pass(1_000);
  expect(peer.requests()).toMatchObject([{ command: COMMANDS.requestChain }]);
  expect(bench.bans.score('9.9.9.9')).toBe(0);
  await pass(22_000);
  expect(peer.peer.connection.closed).toBe(true);
  expect(bench.bans.score('9.9.9.9')).toBe(5);
});

test('a peer that trickles its answer has four minutes', async () => {
  const bench = new SyncBench();
  bench.theirs.grow(30);
  const peer = await bench.peer();
  peer.requests();
  await peer.answerChain();
  peer.requests();
  const frame = encodeNotify(COMMANDS.newTransactions, new Uint8Array(10_000));
  for (let s = 0; s < 238; s += 2) {
    peer.stream.receive(frame.subarray(s, s + 2));
    await pass(2_000);
  }
  expect(peer.score).toBe(0);
  peer.stream.receive(frame.subarray(238, 240));
  await pass(4_000);
  expect(peer.score).toBe(-1);
});

test('downloads nothing with no-sync', async () => {
  const bench = new SyncBench({ noSync: true });
  bench.theirs.grow(30);
  const peer = await bench.peer();
  expect([peer.requests(), peer.state, bench.sync.target]).toEqual([[], 'normal', 31]);
});

test('lowers the target when the highest peer leaves', async () => {
  const bench = new SyncBench();
  bench.theirs.grow(10);
  await bench.peer('9.9.9.1');
  bench.theirs.grow(20);
  const high = await bench.peer('9.9.9.2');
  expect(bench.sync.target).toBe(31);
  high.peer.connection.close('gone');
  expect(bench.sync.target).toBe(11);
});

test('is synchronized after a peer with the same chain, not after one that is behind', async () => {
  const level = new SyncBench();
  await level.peer();
  expect(level.sync.synchronized).toBe(true);
  const ahead = new SyncBench();
  ahead.chain.grow(5);
  await ahead.peer();
  expect(ahead.sync.synchronized).toBe(false);
});

test('downloads only ids that match the precomputed hashes', async () => {
  const bench = new SyncBench();
  bench.theirs.grow(30);
  bench.chain.usableIds = 10;
  const peer = await bench.peer();
  peer.requests();
  await peer.answerChain();
  // The first of the ten is genesis.
  const heights = peer
    .requests()
    .flatMap(({ ids }) => ids.map((id) => bench.theirs.store.heightOf(fromHex(id))));
  expect(heights).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test('drops a peer whose ids contradict the precomputed hashes', async () => {
  const bench = new SyncBench();
  bench.theirs.grow(30);
  bench.chain.usableIds = 0;
  const peer = await bench.peer();
  await peer.answerChain();
  expect(peer.peer.connection.closed).toBe(true);
});

test('drops an outgoing peer when synchronization is stuck', async () => {
  const bench = new SyncBench();
  bench.theirs.grow(6_000);
  // It holds the newest 5,500 blocks but not the first ones, and there is no other peer.
  const peer = await bench.peer('9.9.9.9', { pruningSeed: 385, anchor: true });
  peer.requests();
  await peer.answerChain();
  for (let [request] = peer.requests(); request; [request] = peer.requests())
    await peer.answerBlocks(request.ids);
  expect(spanOverview(bench.sync.queue.spans, 1)).toMatch(/^\[_+o{10}\]$/);
  await pass(20_000);
  expect(peer.peer.connection.closed).toBe(false);
  await pass(12_000);
  expect(peer.peer.connection.closed).toBe(true);
});

test('sets the prune flag in chain requests to pruned peers', async () => {
  const bench = new SyncBench();
  bench.theirs.grow(30);
  expect((await bench.peer('9.9.9.9')).requests()).toMatchObject([{ prune: false }]);
  expect((await bench.peer('9.9.9.8', { pruningSeed: 385 })).requests()).toMatchObject([
    { prune: true },
  ]);
});

describe('a pruned node that downloads pruned blocks', () => {
  /** Blocks that are not among the newest 5,500 of theirs: the first stripe, which is not its own. */
  const OLD = 130;

  async function synchronizing(changes: { weights?: number; seed?: number; peerSeed?: number }) {
    const bench = new SyncBench({ syncPrunedBlocks: true, blockSyncSize: 50 });
    bench.theirs.grow(5_499 + OLD);
    bench.chain.pruningSeed = changes.seed ?? 385;
    bench.chain.weightsBelow = changes.weights ?? 6_000;
    const peer = await bench.peer('9.9.9.9', { pruningSeed: changes.peerSeed ?? 0 });
    peer.requests();
    await peer.answerChain();
    return { bench, peer };
  }

  /** Answers up to five requests and returns the first height, the last height and the prune flag of each. */
  async function answerAll({ bench, peer }: Awaited<ReturnType<typeof synchronizing>>) {
    const asked: [number, number, boolean][] = [];
    for (
      let [request] = peer.requests();
      request && asked.length < 5;
      [request] = peer.requests()
    ) {
      const heights = request.ids.map((id) => bench.theirs.store.heightOf(fromHex(id)) ?? -1);
      asked.push([heights[0] ?? -1, heights.at(-1) ?? -1, request.prune]);
      await peer.answerBlocks(request.ids, request.prune);
    }
    return asked;
  }

  test('requests whole blocks from the height where it keeps them', async () => {
    expect(await answerAll(await synchronizing({}))).toEqual([
      [1, 50, true],
      [51, 100, true],
      [101, OLD - 1, true],
      [OLD, OLD + 49, false],
      [OLD + 50, OLD + 99, false],
    ]);
  });

  test('requests whole blocks where no weight is known', async () => {
    const asked = await answerAll(await synchronizing({ weights: 60 }));
    expect(asked.slice(0, 3)).toEqual([
      [1, 50, true],
      [51, 59, true],
      [60, 109, false],
    ]);
  });

  test.each([
    ['in its own stripe', 384],
    ['when it is not pruned', 0],
  ])('requests whole blocks %s', async (_, seed) => {
    const [first] = await answerAll(await synchronizing({ seed }));
    expect(first).toEqual([1, 50, false]);
  });

  test('accepts them from a peer that has no whole ones', async () => {
    const { bench, peer } = await synchronizing({ peerSeed: 386 });
    await answerAll({ bench, peer });
    await pass(100);
    expect(bench.chain.height).toBeGreaterThan(OLD);
  });

  test('accepts whole blocks too, but no pruned ones without weight', async () => {
    const whole = await synchronizing({});
    const [request] = whole.peer.requests();
    await whole.peer.answerBlocks(request?.ids ?? [], false);
    await pass(100);
    expect(whole.bench.chain.height).toBe(51);

    const { bench, peer } = await synchronizing({});
    const ids = (peer.requests()[0]?.ids ?? []).map((id) => fromHex(id));
    const { blocks, ...rest } = await servedObjects(bench.theirs, { blocks: ids, prune: true });
    const light = blocks.map((entry) => ({ ...entry, block_weight: 0 }));
    await bench.sync.onObjects(peer.peer, { ...rest, blocks: light });
    expect(peer.peer.connection.closed).toBe(true);
  });
});

test('stopping leaves no timers', async () => {
  const bench = new SyncBench();
  bench.theirs.grow(30);
  const peer = await bench.peer();
  bench.sync.stop();
  peer.peer.connection.close('stopping');
  expect(jest.getTimerCount()).toBe(0);
});
