import type { ConnectionInfo } from '@monero-node/p2p';
import { Readiness } from './readiness.ts';

const peer = (height: number, state = 'normal') =>
  ({ addressType: 1, height, incoming: false, state }) as ConnectionInfo;

function setUp({ synchronized = true, expectsPeers = true, peers = [peer(100)] } = {}) {
  const state = { synchronized, peers, now: 0, storeFailed: false };
  const readiness = new Readiness({
    chain: { height: 100 },
    p2p: {
      get synchronized() {
        return state.synchronized;
      },
      connections: () => state.peers,
    },
    expectsPeers,
    storeFailed: () => state.storeFailed,
    now: () => state.now,
  });
  return { readiness, state };
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
