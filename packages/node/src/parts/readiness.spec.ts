import type { ConnectionInfo } from '@monero-node/p2p';
import type { ChainTip } from '../fleet/fleet-tip.ts';
import { DEFAULT_READINESS, Readiness, type ReadinessLimits } from './readiness.ts';

const FLEET_HOST = '10.0.0.2';
const peer = (height: number, state = 'normal', host = '192.0.2.1') =>
  ({ addressType: 1, height, incoming: false, state, host }) as ConnectionInfo;
const fleetPeer = (): ConnectionInfo => peer(100, 'normal', FLEET_HOST);
/** The tip of a chain whose blocks took 10 hashes each. */
const tipAt = (height: number): ChainTip => {
  return { height, id: String(height), work: 10n * BigInt(height) };
};

function setUp(
  { synchronized = true, expectsPeers = true, peers = [peer(100)] } = {},
  limits: Partial<ReadinessLimits> = {},
) {
  const state = { synchronized, peers, now: 0, storeFailed: false, unixTime: 1_000 };
  const fleet = {
    instanceId: undefined as string | undefined,
    tip: undefined as ChainTip | undefined,
    has: (host: string) => host === FLEET_HOST,
  };
  const disk = { bytes: 5_000 as number | Error };
  const readiness = new Readiness(
    { ...DEFAULT_READINESS, ...limits },
    {
      chain: {
        height: 100,
        top: { timestamp: 900, id: new Uint8Array(32).fill(0xaa), cumulativeDifficulty: 1000n },
        difficultyOf: () => 10n,
      },
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
      fleet,
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
  return { readiness, state, fleet, disk, pass };
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
  [tipAt(102), []],
  [tipAt(103), ['behind']],
  [{ ...tipAt(103), height: 100 }, ['behind']],
  [{ ...tipAt(100), height: 999_999 }, []],
  [undefined, []],
])('a fleet that vouches for %j decides as peers do: %j', (tip, reasons) => {
  const { readiness, state, fleet } = setUp({}, { maxLag: 2 });
  expect(readiness.notReady()).toEqual([]);
  state.now = 250;
  fleet.tip = tip;
  expect(readiness.notReady()).toEqual(reasons);
});

test('a node of a fleet that was not ready is so again when it lacks nothing', () => {
  const { readiness, state, fleet } = setUp({}, { maxLag: 2 });
  fleet.instanceId = 'this node';
  const reasonsAt = (height: number): readonly string[] => {
    fleet.tip = tipAt(height);
    state.now += 250;
    return readiness.notReady();
  };
  const heights = [101, 100, 101, 102, 103, 102, 101, 100, 101];
  const behind = ['behind'];
  expect(heights.map(reasonsAt)).toEqual([behind, [], [], [], behind, behind, behind, [], []]);
});

test('a node without a fleet may lack as much when it comes back as before', () => {
  const { readiness } = setUp({ peers: [peer(102)] }, { maxLag: 2 });
  expect(readiness.notReady()).toEqual([]);
});

test('a lonely node that expects no peers hears from its fleet that it lags', () => {
  const { readiness, fleet } = setUp({ expectsPeers: false, synchronized: false, peers: [] });
  fleet.tip = tipAt(120);
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

test('peers of the same fleet do not count as peers', () => {
  const reasons = (peers: ConnectionInfo[], minPeers: number) =>
    setUp({ peers }, { minPeers }).readiness.notReady();
  const fleet = Array.from({ length: 4 }, fleetPeer);
  expect(reasons(fleet, 4)).toEqual(['few_peers']);
  expect(reasons(fleet, 1)).toEqual(['few_peers']);
  expect(reasons(fleet, 0)).toEqual([]);
  expect(reasons([...fleet, peer(100), peer(100)], 2)).toEqual([]);
  expect(reasons([...fleet, peer(100)], 2)).toEqual(['few_peers']);
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
  const { readiness, fleet, pass } = setUp({
    peers: [peer(99), fleetPeer(), peer(0, 'before_handshake')],
  });
  await pass();
  fleet.instanceId = 'this node';
  fleet.tip = tipAt(104);
  expect(readiness.figures()).toEqual({
    height: 100,
    topId: 'aa'.repeat(32),
    cumulativeDifficulty: '0x3e8',
    targetHeight: 104,
    lag: 4,
    tipAge: 100,
    peers: 2,
    fleetPeers: 1,
    freeSpace: 5_000,
    instanceId: 'this node',
  });
});
