import type { ConnectionInfo } from '@monero-node/p2p';
import { DEFAULT_READINESS, Readiness, type ReadinessLimits } from './readiness.ts';

const peer = (height: number, state = 'normal') =>
  ({ addressType: 1, height, incoming: false, state }) as ConnectionInfo;

function setUp(
  { synchronized = true, expectsPeers = true, peers = [peer(100)] } = {},
  limits: Partial<ReadinessLimits> = {},
) {
  const state = { synchronized, peers, now: 0, storeFailed: false, fleet: 0, unixTime: 1_000 };
  const disk = { bytes: 5_000 as number | Error };
  const readiness = new Readiness(
    { ...DEFAULT_READINESS, ...limits },
    {
      chain: { height: 100, top: { timestamp: 900 } },
      p2p: {
        get synchronized() {
          return state.synchronized;
        },
        connections: () => state.peers,
      },
      expectsPeers,
      storeFailed: () => state.storeFailed,
      now: () => state.now,
      unixTime: () => state.unixTime,
      fleetHeight: () => state.fleet,
      freeSpace: async () => {
        if (disk.bytes instanceof Error) throw disk.bytes;
        return disk.bytes;
      },
    },
  );
  /** Lets a measurement of the disk end, and the answer grow old. */
  const pass = async (): Promise<void> => {
    await Promise.resolve()
      .then(() => undefined)
      .then(() => undefined);
    state.now += 250;
  };
  return { readiness, state, disk, pass };
}

test('a node at the height of its peers is ready', () => {
  expect(setUp().readiness.notReady()).toEqual([]);
  expect(setUp({ peers: [peer(103)] }).readiness.notReady()).toEqual([]);
});

test.each([
  [{ synchronized: false }, ['synchronizing']],
  [{ peers: [peer(104)] }, ['behind']],
  [{ peers: [] }, ['no_peers']],
  [{ peers: [peer(100, 'before_handshake')] }, ['no_peers']],
  [{ synchronized: false, peers: [] }, ['synchronizing', 'no_peers']],
])('%j is not ready: %j', (change, reasons) => {
  expect(setUp(change).readiness.notReady()).toEqual(reasons);
});

test('a node that expects no peers is ready without them, but not while it synchronizes with one', () => {
  const alone = { expectsPeers: false, synchronized: false };
  expect(setUp({ ...alone, peers: [] }).readiness.notReady()).toEqual([]);
  expect(setUp({ ...alone, peers: [peer(9)] }).readiness.notReady()).toEqual(['synchronizing']);
});

test('a node whose store takes no writes is not ready', () => {
  const { readiness, state } = setUp();
  state.storeFailed = true;
  expect(readiness.notReady()).toEqual(['store_failed']);
});

test('the answer is reused for a quarter of a second', () => {
  const { readiness, state } = setUp();
  expect(readiness.notReady()).toEqual([]);
  state.peers = [];
  state.now = 249;
  expect(readiness.notReady()).toEqual([]);
  state.now = 250;
  expect(readiness.notReady()).toEqual(['no_peers']);
});

test.each([
  [102, []],
  [103, ['behind']],
  [0, []],
])('a fleet whose highest node is at %i decides as peers do: %j', (fleet, reasons) => {
  const { readiness, state } = setUp({}, { maxLag: 2 });
  state.fleet = fleet;
  expect(readiness.notReady()).toEqual(reasons);
});

test('a lonely node that expects no peers hears from its fleet that it lags', () => {
  const { readiness, state } = setUp({ expectsPeers: false, synchronized: false, peers: [] });
  state.fleet = 120;
  expect(readiness.notReady()).toEqual(['behind']);
});

test('the limits of lag, age and peers hold', () => {
  const reasons = (limits: Partial<ReadinessLimits>, peers = [peer(101)]) =>
    setUp({ peers }, limits).readiness.notReady();
  expect(reasons({ maxLag: 1 })).toEqual([]);
  expect(reasons({ maxLag: 0 })).toEqual(['behind']);
  expect(reasons({ maxTipAge: 100 })).toEqual([]);
  expect(reasons({ maxTipAge: 99 })).toEqual(['old_tip']);
  expect(reasons({ minPeers: 2 })).toEqual(['few_peers']);
  expect(reasons({ minPeers: 2 }, [])).toEqual(['no_peers']);
  expect(reasons({ minPeers: 0 }, [])).toEqual([]);
});

test('a full disk keeps a node from being ready, and a disk that fails leaves the last figure', async () => {
  const { readiness, disk, pass } = setUp({}, { minFreeSpace: 5_000 });
  await pass();
  expect(readiness.notReady()).toEqual([]);
  disk.bytes = 4_999;
  await pass();
  readiness.notReady();
  await pass();
  expect(readiness.notReady()).toEqual(['low_disk']);
  disk.bytes = new Error('no answer');
  await pass();
  readiness.notReady();
  await pass();
  expect(readiness.notReady()).toEqual(['low_disk']);
  expect(readiness.figures().freeSpace).toBe(4_999);
});

test('a node that will stop says so at once, besides other reasons', () => {
  const { readiness, state } = setUp();
  expect(readiness.notReady()).toEqual([]);
  readiness.announceStop();
  expect(readiness.notReady()).toEqual(['stopping']);
  state.peers = [];
  state.now = 250;
  expect(readiness.notReady()).toEqual(['stopping', 'no_peers']);
});

test('the figures are those that were judged', async () => {
  const { readiness, state, pass } = setUp({ peers: [peer(99), peer(0, 'before_handshake')] });
  await pass();
  state.fleet = 104;
  expect(readiness.figures()).toEqual({
    height: 100,
    targetHeight: 104,
    tipAge: 100,
    peers: 1,
    freeSpace: 5_000,
  });
});
