import { silentLogger } from '@monero-node/base';
import { parsePeerAddress } from '../net/parse-address.ts';
import type { NetAddress } from '../net/address.ts';
import type { BanList } from '../peers/bans/bans.ts';
import { FailedHosts } from '../peers/failed-hosts.ts';
import type { KnownPeer } from '../peers/list/known-peer.ts';
import type { Peer } from '../peers/peer.ts';
import type { PeerList } from '../peers/list/peer-list.ts';
import type { PeerSet } from '../peers/peer-set.ts';
import { ConnectionMaker } from './connection-maker.ts';

const SECOND = 1000;
const address = parsePeerAddress('10.0.0.1', 18080) as NetAddress;
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const other = parsePeerAddress('192.0.2.1', 18080) as NetAddress;
const identity = { peerId: 7n, supportFlags: 0, rpcPort: 0, rpcCreditsPerHash: 0 };

let now: number;
let wanted: number;
let answers: boolean;
let dials: number[];
let connected: Partial<Peer>[];
let maker: ConnectionMaker;
let gray: KnownPeer[];
/** How often the connections were looked through. */
let walks: number;
beforeEach(() => {
  now = 0;
  wanted = 1;
  answers = false;
  dials = [];
  connected = [];
  const peers = {
    count: (condition: (peer: Peer) => boolean) => {
      walks++;
      return connected.filter((peer) => condition(peer as Peer)).length;
    },
    [Symbol.iterator]: () => {
      walks++;
      return connected[Symbol.iterator]();
    },
  };
  walks = 0;
  const known = { address, id: 7n, lastSeen: 0, pruningSeed: 0, rpcPort: 0, rpcCreditsPerHash: 0 };
  gray = [];
  const list = { whiteCount: 1, white: () => [known], gray: () => gray, takeAnchors: () => [] };
  maker = new ConnectionMaker({
    peers: peers as unknown as PeerSet,
    list: list as unknown as PeerList,
    bans: { secondsLeft: () => undefined } as unknown as BanList,
    failures: new FailedHosts(() => now),
    zone: 'public',
    onlyExclusive: () => false,
    logger: silentLogger,
    isExcluded: () => false,
    outPeers: () => wanted,
    stripe: () => 0,
    dial: () => {
      dials.push(now / SECOND);
      if (answers) connected.push({ address, incoming: false, handshaked: true, identity });
      return Promise.resolve(answers);
    },
    exclusive: () => [],
    priority: () => [],
    seeds: () => Promise.resolve([]),
    visit: () => Promise.resolve(false),
    now: () => now,
    random: () => 0,
  });
});

/** Lets seconds pass, as the timer of the maker does. */
async function pass(seconds: number): Promise<void> {
  for (let i = 0; i < seconds; i++) {
    maker.make();
    await settled();
    now += SECOND;
  }
}

test('a node without any peer dials again every minute those that did not answer', async () => {
  await pass(150);
  expect(dials).toEqual([0, 60, 120]);
});

test('while another outgoing peer is connected, it is left alone for an hour', async () => {
  wanted = 2;
  connected = [{ address: other, incoming: false, handshaked: true, identity }];
  await pass(3700);
  expect(dials).toEqual([0, 3601]);
});

test('incoming connections prove nothing about those that this node makes', async () => {
  connected = [{ address: other, incoming: true, handshaked: true, identity }];
  await pass(61);
  expect(dials).toEqual([0, 60]);
});

test('a network that returns is met within a minute', async () => {
  await pass(30);
  answers = true;
  await pass(31);
  expect(dials).toEqual([0, 60]);
  await pass(200);
  expect(dials).toHaveLength(2);
});

test('the connections are looked through as often for many candidates as for few', async () => {
  const walksFor = async (count: number): Promise<number> => {
    gray = Array.from({ length: count }, (_, i) => ({
      address: parsePeerAddress(`9.${i >> 8}.${i & 255}.1`, 18080) as NetAddress,
      id: 9n,
      lastSeen: 0,
      pruningSeed: 0,
      rpcPort: 0,
      rpcCreditsPerHash: 0,
    }));
    walks = 0;
    await pass(1);
    return walks;
  };
  answers = true;
  wanted = 3;
  const few = await walksFor(10);
  connected = [];
  expect(await walksFor(5000)).toBe(few);
  expect(dials.length).toBeGreaterThan(2);
});
