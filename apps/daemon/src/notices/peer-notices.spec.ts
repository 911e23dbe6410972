import { silentLogger } from '@monero-node/base';
import type { PeerClaim } from '@monero-node/node';
import type { FixedPeerInfo } from '@monero-node/p2p';
import { FixedPeersNotice } from './fixed-peers-notice.ts';
import { LagNotice } from './lag-notice.ts';
import { PoolNotice } from './resource-notices.ts';

const MINUTE = 60_000;
let now: number;
let said: string[];
const say = (line: string) => void said.push(line);
const logger = { ...silentLogger, info: say, warn: say };
const clock = () => now;
beforeEach(() => {
  now = 0;
  said = [];
});

describe('peers that the user named', () => {
  const info: FixedPeerInfo = { text: 'node.example:18080', kind: 'exclusive', connected: false };
  let peers: FixedPeerInfo[];
  let notice: FixedPeersNotice;
  beforeEach(() => {
    notice = new FixedPeersNotice(() => peers, logger, clock);
  });

  test('are mentioned with the reason after a minute, and when they are back', () => {
    peers = [{ ...info, trouble: 'no such host was found' }];
    notice.check();
    now = MINUTE - 1;
    notice.check();
    expect(said).toEqual([]);
    now = MINUTE;
    notice.check();
    notice.check();
    expect(said).toEqual([
      'No connection to --add-exclusive-node node.example:18080: no such host was found.',
    ]);
    peers = [{ ...info, connected: true }];
    notice.check();
    expect(said[1]).toBe('Connected to --add-exclusive-node node.example:18080 again.');
  });

  test('are not missed once they are named no more', () => {
    peers = [info];
    notice.check();
    now = MINUTE;
    notice.check();
    peers = [];
    notice.check();
    notice.check();
    expect(said.slice(1)).toEqual(['--add-exclusive-node node.example:18080 is named no more.']);
  });

  test('are watched one by one', () => {
    const other = { ...info, kind: 'priority' as const, text: '10.0.0.1' };
    peers = [{ ...info, connected: true }, other];
    for (; now <= 5 * MINUTE; now += MINUTE) notice.check();
    expect(said).toEqual(['No connection to --add-priority-node 10.0.0.1: it has not been tried.']);
  });
});

describe('the distance to the peers', () => {
  let height: number;
  let connections: PeerClaim[];
  const outgoing = (at: number) => ({
    height: at,
    incoming: false,
    addressType: 1,
    state: 'normal' as const,
  });
  let notice: LagNotice;
  beforeEach(() => {
    height = 1000;
    connections = [];
    notice = new LagNotice({
      logger,
      now: clock,
      blockTime: () => 120,
      height: () => height,
      connections: () => connections,
    });
  });

  test('is said when synchronization begins and when it ends', () => {
    connections = [1000, 8200, 8200].map(outgoing);
    notice.check();
    height = 5000;
    notice.check();
    expect(said).toEqual([
      'Synchronization begins at height 1000: 7200 blocks (10.0 days) behind.',
    ]);
    height = 8199;
    notice.check();
    expect(said[1]).toBe('Synchronization has ended at height 8199.');
  });

  test('a single peer cannot invent it', () => {
    connections = [outgoing(1000), outgoing(1000), outgoing(900_000_000)];
    notice.check();
    connections.push({ ...outgoing(900_000_000), incoming: true });
    notice.check();
    expect(said).toEqual([]);
  });

  test('without peers there is no end', () => {
    connections = [outgoing(2000)];
    notice.check();
    connections = [];
    notice.check();
    expect(said).toHaveLength(1);
  });

  test('a chain that does not grow while peers have more is reported after ten minutes', () => {
    connections = [outgoing(2000)];
    for (; now < 10 * MINUTE; now += MINUTE) notice.check();
    expect(said).toHaveLength(1);
    notice.check();
    expect(said[1]).toMatch(/^No block was added for 10 min 0 s, although peers have 1000 more/);
    height = 1001;
    notice.check();
    expect(said[2]).toBe('The chain grows again.');
  });
});

test('a full pool is reported with its limit, and when it has room again', () => {
  let weight = 9_700_000;
  const notice = new PoolNotice(() => weight, 10_000_000, logger, clock);
  notice.check();
  expect(said).toEqual([]);
  weight = 9_800_000;
  notice.check();
  weight = 9_100_000;
  notice.check();
  expect(said).toEqual([
    expect.stringMatching(
      /^The transaction pool is full: 9\.8 of 10\.0 MB\. .*--max-txpool-weight/,
    ),
  ]);
  weight = 8_900_000;
  notice.check();
  expect(said[1]).toBe('The transaction pool has room again.');
});
