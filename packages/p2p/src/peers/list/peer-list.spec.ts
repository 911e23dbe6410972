import { NETWORKS } from '@monero-node/consensus';
import { ipAddress } from '../../net/parse-address.ts';
import { PeerList } from './peer-list.ts';
import type { KnownPeer } from './known-peer.ts';
import { acceptPeerList, toPeerListEntry } from './received-list.ts';

function peer(host: string, changes: Partial<KnownPeer> & { port?: number } = {}): KnownPeer {
  const { port = 18080, ...rest } = changes;
  const address = ipAddress(host, port) ?? { kind: 'tor', host, port };
  return {
    address,
    id: 1n,
    lastSeen: 100,
    pruningSeed: 0,
    rpcPort: 0,
    rpcCreditsPerHash: 0,
    ...rest,
  };
}

function numbered(i: number, lastSeen: number): KnownPeer {
  return peer(`9.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}`, { lastSeen });
}

function hosts(peers: readonly { address: { host: string } }[]): string[] {
  return peers.map(({ address }) => address.host);
}

test('rejects loopback addresses, and private ones unless allowed', () => {
  const strict = new PeerList({ allowLocalIp: false });
  const open = new PeerList({ allowLocalIp: true });
  for (const list of [strict, open]) {
    list.addWhite(peer('127.0.0.1'), true);
    list.addWhite(peer('10.0.0.1'), true);
    list.addGray([peer('192.168.0.1')]);
  }
  expect([strict.whiteCount, strict.grayCount]).toEqual([0, 0]);
  expect([open.whiteCount, open.grayCount]).toEqual([1, 1]);
});

test('a gray peer that answers becomes white, and received lists do not make it gray again', () => {
  const list = new PeerList({ allowLocalIp: false });
  list.addGray([peer('9.9.9.9', { lastSeen: 0 })]);
  list.addWhite(peer('9.9.9.9', { lastSeen: 500 }), true);
  list.addGray([peer('9.9.9.9', { lastSeen: 900 })]);
  expect([list.whiteCount, list.grayCount]).toEqual([1, 0]);
  expect(list.white()[0]?.lastSeen).toBe(500);
});

test('a host has at most one white entry', () => {
  const list = new PeerList({ allowLocalIp: false });
  list.addWhite(peer('9.9.9.9', { port: 1 }), true);
  list.addWhite(peer('9.9.9.9', { port: 2 }), true);
  expect(list.white().map(({ address }) => address.port)).toEqual([2]);
});

test('only our own contact updates the time of an entry, and zeros replace nothing', () => {
  const list = new PeerList({ allowLocalIp: false });
  list.addWhite(peer('9.9.9.9', { lastSeen: 100, pruningSeed: 385, rpcPort: 18089 }), true);
  list.addWhite(peer('9.9.9.9', { lastSeen: 200 }), false);
  expect(list.white()[0]).toMatchObject({ lastSeen: 100, pruningSeed: 385, rpcPort: 18089 });
  list.addWhite(peer('9.9.9.9', { lastSeen: 300, rpcPort: 5 }), true);
  expect(list.white()[0]).toMatchObject({ lastSeen: 300, pruningSeed: 385, rpcPort: 5 });
});

test('the lists are bounded and drop the entries seen longest ago', () => {
  const list = new PeerList({ allowLocalIp: false });
  for (let i = 0; i < 1002; i++) list.addWhite(numbered(i, i === 500 ? 1 : 1000 + i), true);
  expect(list.whiteCount).toBe(1000);
  expect(hosts(list.white())).not.toContain('9.0.1.244'); // number 500
  expect(hosts(list.white())).not.toContain('9.0.0.0');
  for (let i = 0; i < 5001; i++) list.addGray([numbered(100_000 + i, 0)]);
  expect(list.grayCount).toBe(5000);
});

test('a received list costs one look at each entry of a full gray list', () => {
  const list = new PeerList({ allowLocalIp: false });
  let looks = 0;
  const counted = (i: number): KnownPeer => {
    const { lastSeen, ...rest } = numbered(100_000 + i, i < 5000 ? 1000 + i : 0);
    return Object.defineProperty(rest, 'lastSeen', {
      get: () => {
        looks++;
        return lastSeen;
      },
    }) as KnownPeer;
  };
  list.addGray(Array.from({ length: 5000 }, (_, i) => counted(i)));
  looks = 0;
  list.addGray(Array.from({ length: 250 }, (_, i) => counted(5000 + i)));
  expect(looks).toBe(5250);
  // The new ones were seen longest ago.
  expect(list.grayCount).toBe(5000);
  expect(Math.min(...list.gray().map((known) => known.lastSeen))).toBe(1000);
});

test('sends at most 250 white peers, without times', () => {
  const list = new PeerList({ allowLocalIp: false });
  for (let i = 0; i < 400; i++) list.addWhite(numbered(i, 1000 + i), true);
  const sent = list.toSend();
  expect(sent).toHaveLength(250);
  expect(sent.every(({ lastSeen }) => lastSeen === 0)).toBe(true);
  expect(new Set(hosts(sent)).size).toBe(250);
  expect(toPeerListEntry(sent[0] ?? peer('9.9.9.9'))).toMatchObject({ last_seen: 0n });
});

test('returns the anchors once, oldest first', () => {
  const list = new PeerList({ allowLocalIp: false });
  list.addAnchor({ address: peer('9.9.9.9').address, id: 1n, firstSeen: 20 });
  list.addAnchor({ address: peer('9.9.9.8').address, id: 2n, firstSeen: 10 });
  list.addAnchor({ address: peer('9.9.9.7').address, id: 3n, firstSeen: 5 });
  list.removeAnchor(peer('9.9.9.7').address);
  expect(list.takeAnchors().map(({ id }) => id)).toEqual([2n, 1n]);
  expect(list.takeAnchors()).toEqual([]);
});

test('removes matching entries', () => {
  const list = new PeerList({ allowLocalIp: false });
  list.addWhite(peer('9.9.9.9'), true);
  list.addGray([peer('9.9.9.8')]);
  list.addAnchor({ address: peer('9.9.9.9').address, id: 1n, firstSeen: 1 });
  list.removeMatching(({ host }) => host === '9.9.9.9');
  expect(list.snapshot()).toMatchObject({ white: [], anchor: [], gray: [{ id: 1n }] });
});

describe('a received list', () => {
  const entry = (known: KnownPeer) => toPeerListEntry(known);

  test("may have 250 entries, all of the connection's zone", () => {
    const many = Array.from({ length: 250 }, (_, i) => entry(numbered(i, 5)));
    expect(acceptPeerList(many, 'public')).toHaveLength(250);
    expect(acceptPeerList([...many, ...many.slice(0, 1)], 'public')).toBeUndefined();
    const onion = entry(peer(NETWORKS.mainnet.torSeedNodes[0] ?? ''));
    expect(acceptPeerList([onion], 'public')).toBeUndefined();
    expect(acceptPeerList([onion], 'tor')).toHaveLength(1);
  });

  test('loses invalid entries and all times', () => {
    const list = [
      peer('9.9.9.9', { lastSeen: 77, pruningSeed: 391 }),
      peer('9.9.9.8', { pruningSeed: 392 }),
      peer('9.9.9.7', { rpcPort: 18080 }),
      peer('::ffff:9.9.9.6'),
      peer('fe80::1'),
      peer('2001:db8::1'),
      peer('9.9.9.5', { port: 0, rpcPort: 18089 }),
      peer('0.0.0.0'),
      peer('127.0.0.1'),
      peer('172.20.0.1'),
    ];
    const accepted = acceptPeerList(list.map(entry), 'public');
    expect(hosts(accepted ?? [])).toEqual(['9.9.9.9', '2001:db8::1']);
    expect(accepted?.[0]?.lastSeen).toBe(0);
  });
});
