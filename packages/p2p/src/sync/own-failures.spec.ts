import { jest } from '@jest/globals';
import { settle } from '@monero-node/base/testing';
import { ConsensusError } from '@monero-node/consensus';
import { StorageError } from '@monero-node/storage';
import { SyncBench, type SyncTestPeer } from '../testing/sync-bench.ts';
import type { AddingFailure } from '../contract/p2p-events.ts';

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['setImmediate', 'queueMicrotask'] }));
afterEach(() => void jest.useRealTimers());

/** Advances the fake clock, and lets what it wakes run. */
async function advance(ms: number): Promise<void> {
  await jest.advanceTimersByTimeAsync(ms);
  await settle();
}

/** Two peers with 20 blocks, which the first has sent; every attempt to add them is noted. */
async function setUp(failures: (Error | undefined)[]) {
  const bench = new SyncBench();
  bench.theirs.grow(20);
  bench.chain.failures = failures;
  const noted: AddingFailure[] = [];
  const recovered: number[] = [];
  bench.events.on('addingFailed', (failure) => noted.push(failure));
  bench.events.on('addingRecovered', (attempts) => recovered.push(attempts));
  const peers = [await bench.peer('9.9.9.1'), await bench.peer('9.9.9.2')] as const;
  for (const peer of peers) {
    peer.requests();
    await peer.answerChain();
  }
  await peers[0].answerBlocks(peers[0].requests()[0]?.ids ?? []);
  await advance(10);
  return { bench, peers, noted, recovered };
}

function expectNoBlame(bench: SyncBench, peers: readonly SyncTestPeer[]): void {
  expect(peers.map(({ peer }) => peer.connection.closed)).toEqual(peers.map(() => false));
  expect(['9.9.9.1', '9.9.9.2'].map((host) => bench.bans.score(host))).toEqual([0, 0]);
}

test('attempts after a failure of this machine come at growing intervals, and no peer is blamed', async () => {
  const full = new StorageError('io', 'the disk is full');
  const { bench, peers, noted, recovered } = await setUp(Array<Error>(6).fill(full));
  await advance(140_000);
  expect(bench.chain.spans).toHaveLength(6);
  expect(noted.map(({ attempts }) => attempts)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(noted.map(({ retryIn }) => retryIn / 1000)).toEqual([5, 10, 20, 40, 60, 60]);
  expect(noted.at(-1)).toMatchObject({ error: full, byMachine: true });
  expect(noted.at(-1)?.lasting).toBeGreaterThanOrEqual(135_000);
  expect(bench.sync.failing).toBe(true);
  expectNoBlame(bench, peers);
  await advance(60_000);
  expect(bench.chain.height).toBe(21);
  expect(recovered).toEqual([6]);
  expect(bench.sync.failing).toBe(false);
  expectNoBlame(bench, peers);
});

test('blocks that make the program fail are downloaded again after three attempts', async () => {
  const { bench, peers, noted } = await setUp(Array<Error>(3).fill(new TypeError('a defect')));
  await advance(36_000);
  expect(noted).toHaveLength(3);
  expect(noted.every(({ byMachine }) => !byMachine)).toBe(true);
  const asked = peers.find((peer) => peer.requests().length > 0);
  expect(asked).toBeDefined();
  await asked?.answerBlocks(idsOf(bench));
  await advance(10);
  expect(bench.chain.height).toBe(21);
  expectNoBlame(bench, peers);
});

test('the failure is over when the blocks have come another way', async () => {
  const full = new StorageError('io', 'the disk is full');
  const { bench, recovered } = await setUp([full]);
  expect(bench.sync.failing).toBe(true);
  bench.chain.grow(20);
  await advance(6_000);
  expect(bench.sync.failing).toBe(false);
  expect(recovered).toEqual([1]);
});

test('the failure is over when nobody has the blocks any more', async () => {
  const { bench, peers, recovered } = await setUp(Array<Error>(3).fill(new TypeError('a defect')));
  for (const { peer } of peers) peer.connection.close('gone');
  await advance(60_000);
  expect(bench.sync.failing).toBe(false);
  expect(recovered).toEqual([3]);
});

function idsOf({ theirs }: SyncBench): string[] {
  return Array.from({ length: 20 }, (_, i) => Buffer.from(theirs.idAt(i + 1)).toString('hex'));
}

/** The codes of errors that this node may have to blame itself for, and the number of blocks from the future. */
const DOUBTFUL = [
  ['work that was not confirmed', 'unconfirmed-proof-of-work', 0],
  ['a block from the future, because our own clock may be slow,', 'timestamp-too-new', 1],
] as const;

test.each(DOUBTFUL)('the sender of %s leaves without points', async (_, code, future) => {
  const bench = new SyncBench();
  bench.theirs.grow(20);
  let noted = 0;
  bench.events.on('futureBlock', () => (noted += 1));
  const error = new ConsensusError(code);
  bench.chain.addSpan = (blocks) =>
    Promise.resolve({
      results: blocks.slice(0, 1).map(() => ({ status: 'invalid' as const, error })),
    });
  const peer = await bench.peer('9.9.9.1');
  peer.requests();
  await peer.answerChain();
  await peer.answerBlocks(peer.requests()[0]?.ids ?? []);
  await advance(10);
  expect(peer.peer.connection.closed).toBe(true);
  expect(bench.bans.score('9.9.9.1')).toBe(0);
  expect(noted).toBe(future);
});
