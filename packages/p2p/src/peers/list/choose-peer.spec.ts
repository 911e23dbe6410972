import { ipAddress } from '../../net/parse-address.ts';
import type { NetAddress } from '../../net/address.ts';
import { biasedIndex, choosePeer } from './choose-peer.ts';
import type { ChoiceContext } from './choose-peer.ts';
import type { KnownPeer } from './known-peer.ts';

function peer(host: string, pruningSeed = 0, port = 18080): KnownPeer {
  const address = ipAddress(host, port) as NetAddress;
  return { address, id: 1n, lastSeen: 0, pruningSeed, rpcPort: 0, rpcCreditsPerHash: 0 };
}

function choose(
  peers: KnownPeer[],
  changes: Partial<ChoiceContext> = {},
  kind: 'white' | 'gray' = 'white',
): string | undefined {
  const context = {
    connectedGroups: new Set<string>(),
    stripe: 0,
    isUsable: () => true,
    random: () => 0,
    ...changes,
  };
  return choosePeer(peers, kind, context)?.address.host;
}

test('prefers subnets without a connected peer, and takes others if there are none', () => {
  const connectedGroups = new Set(['1.1.1']);
  expect(choose([peer('1.1.1.5'), peer('2.2.2.2')], { connectedGroups })).toBe('2.2.2.2');
  expect(choose([peer('1.1.1.5')], { connectedGroups })).toBe('1.1.1.5');
  expect(choose([], {})).toBeUndefined();
});

test('skips peers that may not be dialled', () => {
  const isUsable = ({ address }: KnownPeer): boolean => address.host !== '1.1.1.1';
  expect(choose([peer('1.1.1.1'), peer('2.2.2.2')], { isUsable })).toBe('2.2.2.2');
  expect(choose([peer('1.1.1.1')], { isUsable })).toBeUndefined();
});

test('treats all ports of a host as one candidate', () => {
  const peers = [1, 2, 3, 4].map((port) => peer('1.1.1.1', 0, port));
  const seen = new Set<string | undefined>();
  for (let i = 0; i < 4; i++) {
    const random = (): number => i / 4;
    seen.add(
      choosePeer(peers, 'gray', {
        connectedGroups: new Set(),
        stripe: 0,
        isUsable: () => true,
        random,
      })?.address.port.toString(),
    );
  }
  expect([...seen]).toEqual(['1']);
});

test('prefers peers that hold the needed stripe', () => {
  const peers = [peer('1.1.1.1', 384), peer('2.2.2.2', 0), peer('3.3.3.3', 386)];
  expect(choose(peers, { stripe: 3 })).toBe('3.3.3.3');
  expect(choose(peers, { stripe: 2 })).toBe('2.2.2.2');
  expect(choose([peer('1.1.1.1', 384)], { stripe: 2 })).toBeUndefined();
});

test('favors white peers seen recently, and chooses gray ones evenly', () => {
  const at = (max: number, x: number): number => biasedIndex(max, () => x);
  expect([0, 0.5, 0.999999].map((x) => at(19, x))).toEqual([0, 2, 19]);
  expect(at(0, 0.9)).toBe(0);
  const gray = ['1.1.1.1', '2.2.2.2', '3.3.3.3', '4.4.4.4'].map((host) => peer(host));
  const chosen = [0.1, 0.3, 0.6, 0.9].map((x) => choose(gray, { random: () => x }, 'gray'));
  expect(new Set(chosen).size).toBeGreaterThan(1);
});
