import type { ConnectionInfo, Reachability } from '@monero-node/p2p';
import type { PeerFacts } from '@monero-node/dashboard';
import { peerSection } from './sections.ts';

const NOW = 1_795_225_609;
const CLOSED: Reachability = {
  closedBy: '--proxy',
  port: 18080,
  networks: [{ zone: 'public', connected: 0, first: undefined, last: undefined }],
  ownAddresses: [],
  mapping: undefined,
};
const sectionOf = (peers: readonly ConnectionInfo[], reach = CLOSED): PeerFacts =>
  peerSection({ banKind, connections: () => [...peers], reachability: () => reach }, NOW);

/** As the node reads texts: those in angle brackets name nothing. */
const banKind = (text: string): 'host' | undefined => (text.startsWith('<') ? undefined : 'host');

const peer = (facts: Partial<ConnectionInfo>): ConnectionInfo =>
  ({
    connectionId: '00112233445566778899aabbccddeeff',
    address: '192.0.2.1:18080',
    host: '192.0.2.1',
    addressType: 1,
    incoming: false,
    liveTime: 10,
    height: 100,
    pruningSeed: 0,
    recvCount: 1,
    sendCount: 2,
    state: 'normal',
    ...facts,
  }) as ConnectionInfo;

test('a peer is shown with its network, latency and what it does', () => {
  const facts = { addressType: 4, roundTripMs: 41.26, pruningSeed: 384, incoming: true };
  const { rows } = sectionOf([peer({ ...facts, state: 'synchronizing' })]);
  expect(rows).toEqual([
    {
      id: '001122334455',
      address: '192.0.2.1:18080',
      host: '192.0.2.1',
      zone: 'Tor',
      incoming: true,
      roundTrip: 41.3,
      height: 100,
      isSynchronizing: true,
      isPruned: true,
      age: 10,
      bytesIn: 1,
      bytesOut: 2,
    },
  ]);
});

test.each([
  ...['127.0.0.1', '127.8.0.1', '::1', '::ffff:127.0.0.1', '10.0.0.7', '192.168.1.2', '172.16.3.4'],
  ...['169.254.1.1', 'fe80::1', 'fd00::1', '<unknown tor host>', '<unknown i2p host>'],
])('no ban is offered of %s', (host) => {
  expect(sectionOf([peer({ host })]).rows[0]?.host).toBeNull();
});

test.each(['192.0.2.1', '2001:db8::1', `${'a'.repeat(56)}.onion`])('%s can be banned', (host) => {
  expect(sectionOf([peer({ host })]).rows[0]?.host).toBe(host);
});

test('outgoing peers come first, then those connected longest; half-open ones are left out', () => {
  const { incoming, outgoing, rows } = sectionOf([
    peer({ incoming: true, liveTime: 500 }),
    peer({ liveTime: 5 }),
    peer({ liveTime: 50 }),
    peer({ state: 'before_handshake' }),
  ]);
  expect([incoming, outgoing]).toEqual([1, 2]);
  expect(rows.map(({ age }) => age)).toEqual([50, 5, 500]);
  expect(rows[0]?.roundTrip).toBeNull();
});

test('the list is bounded, and all are counted', () => {
  const many = Array.from({ length: 1000 }, () => peer({ incoming: true }));
  const { incoming, rows } = sectionOf(many);
  expect([incoming, rows.length]).toEqual([1000, 64]);
});

test('who comes in from outside is said unless nobody is to', () => {
  expect(sectionOf([])).not.toHaveProperty('reach');
  expect(sectionOf([], { ...CLOSED, closedBy: undefined }).reach).toBe(
    'nobody from outside on record, at TCP port 18080',
  );
});
