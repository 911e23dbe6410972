import { silentLogger } from '@monero-node/base';
import type { ConnectionInfo, Reachability } from '@monero-node/p2p';
import { ReachNotice } from './reach-notice.ts';

const HOUR = 3_600_000;
const NOW = 1_795_225_609;
let now: number;
let said: string[];
let reach: Reachability;
let peers: Pick<ConnectionInfo, 'state'>[];
let notice: ReachNotice;
const from = (changes: Partial<Reachability['networks'][number]>): Reachability => ({
  closedBy: undefined,
  port: 18080,
  networks: [{ zone: 'public', connected: 0, first: undefined, last: undefined, ...changes }],
  ownAddresses: [],
  mapping: undefined,
});
beforeEach(() => {
  now = 0;
  said = [];
  reach = from({});
  peers = [{ state: 'normal' }];
  const p2p = {
    reachability: () => reach,
    connections: () => peers as ConnectionInfo[],
  };
  const logger = { ...silentLogger, warn: (line: string) => void said.push(line) };
  notice = new ReachNotice(
    p2p,
    logger,
    () => now,
    () => NOW + now / 1000,
  );
});

const ADVICE =
  'Open TCP port 18080 in the firewall, and have the router forward it to this machine; or say that it is closed, with --hide-my-port.';

/** Checks as often as the daemon does. */
function pass(hours: number): void {
  for (const end = now + hours * HOUR; now < end; now += 30_000) notice.check();
}

test('after six hours without a peer from outside there is a sentence, and another one each day', () => {
  pass(6);
  expect(said).toEqual([]);
  pass(0.1);
  expect(said).toEqual([`No incoming connection for 6 h 0 min, none is on record. ${ADVICE}`]);
  pass(24);
  expect(said).toHaveLength(2);
  pass(5 * 24);
  expect(said).toHaveLength(7);
});

test('it says when the last peer was there, and that one is there again', () => {
  reach = from({ first: NOW - 9e6, last: NOW - 3600 });
  pass(6.1);
  expect(said).toEqual([
    `No incoming connection for 6 h 0 min, the last was there 7 h 0 min ago. ${ADVICE}`,
  ]);
  reach = from({ connected: 1, last: NOW });
  pass(1);
  expect(said.slice(1)).toEqual(['A peer has come in: this node can be reached from outside.']);
  // Nobody for a moment is nothing.
  reach = from({ last: NOW });
  pass(5.9);
  expect(said).toHaveLength(2);
});

test.each(['--offline', '--proxy', '--hide-my-port', '--in-peers 0'])(
  'a node that is closed by %s expects nobody',
  (closedBy) => {
    reach = { ...from({}), closedBy };
    pass(48);
    expect(said).toEqual([]);
  },
);

test('a node without peers has another trouble', () => {
  peers = [{ state: 'before_handshake' }];
  pass(12);
  peers = [{ state: 'normal' }];
  pass(6);
  expect(said).toEqual([]);
  pass(0.1);
  expect(said).toHaveLength(1);
});

test('peers of other networks do not show that the port is open', () => {
  const tor = { zone: 'tor', connected: 3, first: NOW, last: NOW } as const;
  reach = { ...reach, networks: [...reach.networks, tor] };
  pass(6.1);
  expect(said).toHaveLength(1);
});
