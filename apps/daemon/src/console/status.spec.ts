import { FakeDaemon } from '../testing/fake-daemon.ts';
import type { OwnState } from './command.ts';
import { runCommand } from './commands.ts';
import { NodeState } from '../runtime/node-state.ts';

const INFO = {
  height: 1217,
  target_height: 0,
  nettype: 'fakechain',
  wide_difficulty: '0x1',
  free_space: 50_000_000_000,
};

async function statusOf(info: Partial<typeof INFO>, own: OwnState): Promise<string[]> {
  const daemon = new FakeDaemon({ '/get_info': { ...INFO, ...info }, hard_fork_info: {} });
  const text = await runCommand(['status'], { daemon, own, remote: false, now: () => 0 });
  return text.split('\n');
}

test('status shows the time that is left', async () => {
  const own = { blocksPerSecond: 10, problem: undefined };
  const [line] = await statusOf({ target_height: 2417 }, own);
  expect(line).toMatch(/^Height: 1217\/2417 \(50\.4%, 2 min 0 s left\) on fakechain, /);
  const [atEnd] = await statusOf({}, own);
  expect(atEnd).toMatch(/^Height: 1217\/1217 \(100\.0%\) on fakechain, /);
});

test('status shows problems of the machine, and none while all is well', async () => {
  const own = { blocksPerSecond: 0, problem: 'this node cannot add blocks: no memory' };
  const [, ...problems] = await statusOf({ free_space: 5_242_880 }, own);
  expect(problems).toEqual([
    'Problem: this node cannot add blocks: no memory',
    'Problem: only 5.00 MB are free on the disk',
  ]);
  expect(await statusOf({}, { ...own, problem: undefined })).toHaveLength(1);
});

test('status shows what is published, when something is', async () => {
  const own = { blocksPerSecond: 0, problem: undefined, events: 'connected to nats://a:1' };
  expect((await statusOf({}, own)).slice(1)).toEqual(['Events: connected to nats://a:1']);
});

test('status shows the fleet as the node sees it', async () => {
  const state = new NodeState();
  const shown = async (ready: number, silent: number, height?: number): Promise<string[]> => {
    state.watchFleet(() => ({
      ready,
      notReady: 1,
      apart: ready && 1,
      silent,
      height,
      questions: 9,
    }));
    return (await statusOf({}, state)).slice(1);
  };
  expect(await shown(17, 2, 100)).toEqual([
    'Fleet: of 21 other nodes 17 ready, 1 far from what most have, 1 not ready, 2 without an answer; most have 100 blocks or more',
  ]);
  expect(await shown(0, 0)).toEqual(['Fleet: of 1 other node 0 ready, 1 not ready']);
});

test('status shows how far a new node is that copies the chain', async () => {
  const state = new NodeState();
  state.watchSeeds({
    status: { position: 2 ** 21, size: 2 ** 23, bytes: 5, bytesPerSecond: 2 ** 20 },
  });
  expect((await statusOf({}, state)).slice(1)).toEqual([
    'A new node copies the chain: 2 of 8 MiB (25.0 %), 1.0 MiB/s',
  ]);
  state.watchSeeds({ status: { position: 0, size: 0, bytes: 5, bytesPerSecond: 0 } });
  expect(await statusOf({}, state)).toHaveLength(1);
});

test('status shows how far the curve tree is while it is built', async () => {
  const state = new NodeState();
  const shown = async (treeBlocks: number | undefined): Promise<string[]> => {
    state.watchTree({ treeBlocks, height: 3000 });
    return (await statusOf({}, state)).slice(1);
  };
  expect(await shown(2999)).toEqual(['Curve tree: being built, 2999 of 3000 blocks (99.9%)']);
  expect([await shown(3000), await shown(undefined)]).toEqual([[], []]);
});

describe('the height of the network', () => {
  const own = { blocksPerSecond: 0, problem: undefined };
  const PEERS = { outgoing_connections_count: 8, incoming_connections_count: 0 };
  const MAINNET = { height: 1, nettype: 'mainnet', start_time: 5, synchronized: false };
  const cases: [string, object, string][] = [
    ['no peers', {}, '1 (no peers: cannot tell how far the network is)'],
    ['none any more', { synchronized: true }, '1 (no peers: cannot tell how far the network is)'],
    ['offline', { offline: true }, '1 (offline: cannot tell how far the network is)'],
    ['silent peers', PEERS, '1 (cannot tell yet how far the network is)'],
    ['a target', { ...PEERS, target_height: 4 }, '1/4 (25.0%)'],
    ['synchronized', { ...PEERS, synchronized: true }, '1/1 (100.0%)'],
    ['a restricted daemon', { start_time: 0, synchronized: true }, '1/1 (100.0%)'],
    ['a restricted one', { start_time: 0 }, '1 (cannot tell yet how far the network is)'],
  ];

  test.each(cases)('%s', async (_, info, shown) => {
    const [line] = await statusOf({ ...MAINNET, ...info } as Partial<typeof INFO>, own);
    expect(line).toContain(`Height: ${shown} on mainnet, `);
  });

  test('sync_info names none without a peer', async () => {
    const daemon = new FakeDaemon({ '/get_info': MAINNET, sync_info: { height: 1 } });
    const text = await runCommand(['sync_info'], { daemon, own, remote: false, now: () => 0 });
    expect(text.split('\n')[0]).toBe('Height: 1 (no peers: cannot tell how far the network is)');
  });
});
