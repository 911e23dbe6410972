import { silentLogger } from '@monero-node/base';
import { parsePeerAddress } from '../net/parse-address.ts';
import type { NetAddress } from '../net/address.ts';
import type { RateLimiters } from '../net/rate-limiters.ts';
import { PeerList } from '../peers/list/peer-list.ts';
import type { Peer } from '../peers/peer.ts';
import type { ChainSync } from '../sync/chain-sync.ts';
import type { Transport } from '../transport/transport.ts';
import type { Zones } from '../zones/zones.ts';
import { BackPing } from './back-ping.ts';
import { TrafficTotals } from './traffic.ts';

/** Returns the ports that are dialled for an incoming peer which announces port 28080. */
async function portsDialled(host: string, options: { proxied: boolean }): Promise<number[]> {
  const ports: number[] = [];
  const transport: Partial<Transport> = {
    connect: (address) => {
      ports.push(address.port);
      return Promise.reject(new Error('nobody listens'));
    },
  };
  const zone = { ...options, transport, list: new PeerList({ allowLocalIp: false }) };
  const identity = { peerId: 7n, supportFlags: 1, rpcPort: 0, rpcCreditsPerHash: 0 };
  const address = parsePeerAddress(host, 40_000) as NetAddress;
  const backPing = new BackPing({
    zones: { ofPeer: () => zone } as unknown as Zones,
    sync: {} as ChainSync,
    limiters: {} as RateLimiters,
    traffic: new TrafficTotals(() => 0),
    logger: silentLogger,
    signal: new AbortController().signal,
    now: () => 0,
    unixNow: () => 0,
  });
  await backPing.check({ address, identity } as Peer, 28_080);
  return ports;
}

test('asks a peer at the port that it announces', async () => {
  expect(await portsDialled('9.0.0.1', { proxied: false })).toEqual([28_080]);
});

test('asks nobody through a proxy', async () => {
  expect(await portsDialled('9.0.0.1', { proxied: true })).toEqual([]);
});

test('asks nobody at an address that no list may hold', async () => {
  expect(await portsDialled('10.0.0.1', { proxied: false })).toEqual([]);
});
