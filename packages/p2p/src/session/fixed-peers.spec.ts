import { parsePeerAddress } from '../net/parse-address.ts';
import type { NetAddress } from '../net/address.ts';
import { FixedAddresses } from '../peers/seeds/fixed-addresses.ts';
import type { BanList } from '../peers/bans/bans.ts';
import type { Peer } from '../peers/peer.ts';
import type { PeerSet } from '../peers/peer-set.ts';
import { FixedPeers } from './fixed-peers.ts';

const address = (text: string): NetAddress => {
  const parsed = parsePeerAddress(text, 18080);
  if (parsed === undefined) throw new Error(text);
  return parsed;
};

let connected: { address: NetAddress; handshaked: boolean }[];
let banned: Map<string, number>;
let fixed: FixedPeers;
beforeEach(async () => {
  connected = [];
  banned = new Map();
  const resolver = () => Promise.resolve([]);
  const book = {
    exclusive: new FixedAddresses(['10.0.0.1', 'no.such.host'], 18080, resolver),
    priority: new FixedAddresses(['10.0.0.2:28080'], 18080, resolver),
  };
  await Promise.all([book.exclusive.resolve(), book.priority.resolve()]);
  const peers = {
    count: (condition: (peer: Peer) => boolean) =>
      connected.filter((peer) => condition(peer as Peer)).length,
  };
  const bans = {
    secondsLeft: (host: string) => banned.get(host),
    toUnban: (host: string) => host,
  };
  fixed = new FixedPeers({ book, peers: peers as PeerSet, bans: bans as unknown as BanList });
});

test('reports why each peer is not connected', () => {
  fixed.failed(address('10.0.0.1'), 'connect ECONNREFUSED 10.0.0.1:18080');
  fixed.failed(address('10.9.9.9'), 'is not named by any option');
  expect(fixed.report()).toEqual([
    {
      text: '10.0.0.1',
      kind: 'exclusive',
      connected: false,
      trouble: 'connect ECONNREFUSED 10.0.0.1:18080',
    },
    {
      text: 'no.such.host',
      kind: 'exclusive',
      connected: false,
      trouble: 'no such host was found',
    },
    { text: '10.0.0.2:28080', kind: 'priority', connected: false },
  ]);
});

test('a ban explains more than the last failure', () => {
  fixed.failed(address('10.0.0.1'), 'closed by the peer');
  banned.set('10.0.0.1', 600);
  expect(fixed.report()[0]?.trouble).toMatch(
    /^it is banned for 600 more seconds \("unban 10\.0\.0\.1"/,
  );
});

test('a peer is connected once its handshake is done', () => {
  connected = [{ address: address('10.0.0.2:28080'), handshaked: false }];
  expect(fixed.report()[2]?.connected).toBe(false);
  connected = [{ address: address('10.0.0.2:28080'), handshaked: true }];
  expect(fixed.report()[2]).toEqual({ text: '10.0.0.2:28080', kind: 'priority', connected: true });
});
