import { EventEmitter } from 'node:events';
import type { FinderKind, LedgerEntry, LedgerFate } from '@monero-node/miner';
import type { ConnectionInfo } from '@monero-node/p2p';
import type { RigRecord } from '@monero-node/stratum';
import { createInstruments } from '../instruments.ts';
import { chainCollector, type ChainSources } from './chain.ts';
import { eventsCollector } from './events.ts';
import { fleetCollector } from './fleet.ts';
import { seedCollector } from './seed.ts';
import { ledgerCollector } from './ledger.ts';
import { p2pCollector } from './p2p.ts';
import { storeCollector } from './store.ts';
import { stratumCollector } from './stratum.ts';
import { txPoolCollector } from './txpool.ts';
import { verificationCollector } from './verification.ts';
import { workCollector } from './work.ts';

const { registry, instruments } = createInstruments();
/** Returns the lines of a metric, without its name and its comments. */
const shown = async (name: string): Promise<string[]> =>
  (await registry.getSingleMetricAsString(name))
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .map((line) => line.replace(name, '').trim());
const peer = (addressType: number, incoming: boolean, state = 'normal') =>
  ({ addressType, height: 120, incoming, state }) as ConnectionInfo;

test('the chain: height, lag, age of the top, difficulty, reorganizations', async () => {
  const events = new EventEmitter();
  const blockchain = Object.assign(events, {
    height: 100,
    treeBlocks: 70,
    top: { timestamp: 1000 },
    store: { altBlockCount: 4 },
    nextDifficulty: () => 240_000_000_000n,
    nextVersion: () => 16,
  });
  const sources = { blockchain, p2p: { connections: () => [peer(1, false)] }, now: () => 1090 };
  const collect = chainCollector(instruments.chain, sources as unknown as ChainSources);
  events.emit('reorg', { removed: [1, 2, 3, 4], added: 5 });
  await collect();
  const values: [string, number][] = [
    ['monero_chain_height', 100],
    ['monero_chain_target_height', 120],
    ['monero_chain_lag_blocks', 20],
    ['monero_chain_top_block_age_seconds', 90],
    ['monero_chain_difficulty', 240_000_000_000],
    ['monero_chain_hashes_per_second', 2_000_000_000],
    ['monero_chain_alternative_blocks', 4],
    ['monero_chain_tree_blocks', 70],
  ];
  for (const [name, value] of values)
    expect([name, await shown(name)]).toEqual([name, [`${value}`]]);
  expect(await shown('monero_chain_reorganization_depth_blocks')).toEqual(
    expect.arrayContaining(['_bucket{le="3"} 0', '_bucket{le="5"} 1', '_sum 4', '_count 1']),
  );
});

test('without peers the height of the network is no number', async () => {
  const blockchain = Object.assign(new EventEmitter(), {
    height: 100,
    top: { timestamp: 1000 },
    store: { altBlockCount: 0 },
    nextDifficulty: () => 1n,
    nextVersion: () => 16,
  });
  const sources = { blockchain, p2p: { connections: () => [] }, now: () => 1090 };
  await chainCollector(instruments.chain, sources as unknown as ChainSources)();
  expect(await shown('monero_chain_height')).toEqual(['100']);
  expect(await shown('monero_chain_tree_blocks')).toEqual(['0']);
  expect(await shown('monero_chain_target_height')).toEqual(['Nan']);
  expect(await shown('monero_chain_lag_blocks')).toEqual(['Nan']);
});

test('peers by direction and network, without those that have not shaken hands', async () => {
  const p2p = {
    connections: () => [
      ...[peer(1, true), peer(2, true), peer(1, false), peer(4, false), peer(3, false)],
      ...[peer(0, true), peer(1, true, 'before_handshake')],
    ],
    netStats: { startTime: 0, bytesIn: 5, bytesOut: 6, packetsIn: 1, packetsOut: 1 },
    reachability: () => ({
      closedBy: undefined,
      port: 18080,
      networks: [
        { zone: 'public' as const, connected: 2, first: 5, last: 1_700_000_000 },
        { zone: 'tor' as const, connected: 0, first: undefined, last: undefined },
      ],
      ownAddresses: [],
      mapping: { kind: 'failed' as const, why: 'no answer' },
    }),
    banCount: 3,
    whiteCount: 1000,
    grayCount: 5000,
  };
  const collect = p2pCollector(instruments.p2p, p2p);
  await collect();
  p2p.netStats.bytesIn = 50;
  await collect();
  expect(await shown('monero_p2p_peers')).toEqual([
    ...['{direction="in",zone="public"} 2', '{direction="in",zone="tor"} 0'],
    ...['{direction="in",zone="i2p"} 0', '{direction="in",zone="libp2p"} 1'],
    ...['{direction="out",zone="public"} 1', '{direction="out",zone="tor"} 1'],
    ...['{direction="out",zone="i2p"} 1', '{direction="out",zone="libp2p"} 0'],
  ]);
  expect(await shown('monero_p2p_traffic_bytes_total')).toEqual([
    ...['{direction="in"} 50', '{direction="out"} 6'],
  ]);
  expect(await shown('monero_p2p_bans')).toEqual(['3']);
  expect(await shown('monero_p2p_port_mapped')).toEqual(['0']);
  expect(await shown('monero_p2p_last_incoming_timestamp_seconds')).toEqual([
    '{zone="public"} 1700000000',
    '{zone="tor"} 0',
  ]);
  expect(await shown('monero_p2p_known_peers')).toEqual([
    '{list="white"} 1000',
    '{list="gray"} 5000',
  ]);
});

test('the pool', async () => {
  const totals = { fees: 1_500_000_000_000n, oldest: 700 as number | undefined };
  const pool = { size: 2, weight: 3000, totals: () => Promise.resolve({ ...totals }) };
  const collect = txPoolCollector(instruments.txpool, { pool, now: () => 1000 });
  await collect();
  expect(await shown('monero_txpool_fees_xmr')).toEqual(['1.5']);
  expect(await shown('monero_txpool_oldest_age_seconds')).toEqual(['300']);
  expect(await shown('monero_txpool_weight')).toEqual(['3000']);
  totals.oldest = undefined;
  await collect();
  expect(await shown('monero_txpool_oldest_age_seconds')).toEqual(['0']);
});

test('what was verified, every kind of check by name', async () => {
  const counters = {
    blocks: 1,
    minerTxs: 2,
    known: 3,
    pow: 4,
    transactions: 5,
    cached: 6,
    outputKeys: 7,
    keyImages: 8,
    balances: 9,
    borromeans: 10,
    bulletproofs: 11,
    rangeProofs: 12,
    ringSignatures: 13,
    mlsags: 14,
    clsags: 15,
    membershipProofs: 16,
  };
  await verificationCollector(instruments.verification, { counters })();
  expect(await shown('monero_verified_blocks_total')).toEqual(['1']);
  expect(await shown('monero_verified_transactions_total')).toEqual(['5']);
  const checks = await shown('monero_verified_checks_total');
  expect(checks).toHaveLength(14);
  expect(checks).toContain('{kind="proof_of_work"} 4');
  expect(checks).toContain('{kind="fcmp_plus_plus"} 16');
  expect(checks).toContain('{kind="bulletproof_plus"} 12');
});

test('the store and its disk', async () => {
  const store = {
    sizeOnDisk: 8192,
    pageUse: () => ({ pageBytes: 4096, used: 1, free: 1, mapBytes: 9 }),
  };
  const freeSpace = () => Promise.resolve(77);
  await storeCollector(instruments.store, { store, freeSpace })();
  expect(await shown('monero_store_pages')).toEqual(['{state="used"} 1', '{state="free"} 1']);
  expect(await shown('monero_store_file_bytes')).toEqual(['8192']);
  expect(await shown('monero_store_disk_free_bytes')).toEqual(['77']);
});

test('proof of work and mining', async () => {
  const status = { active: true, speed: 4200, threads: 3 };
  const miner = { status } as unknown as Parameters<typeof workCollector>[1]['miner'];
  await workCollector(instruments, { pow: { seedsHeld: 2 }, miner })();
  expect(await shown('monero_pow_seeds_held')).toEqual(['2']);
  expect(await shown('monero_miner_active')).toEqual(['1']);
  expect(await shown('monero_miner_hashes_per_second')).toEqual(['4200']);
  expect(await shown('monero_miner_threads')).toEqual(['3']);
});

test('rigs', async () => {
  const rigs = [
    { connections: 2, rate: { current: 1000 } },
    { connections: 0, rate: { current: 234 } },
  ] as unknown as RigRecord[];
  const counts = {
    shares: { accepted: 7, stale: 2, refused: 1 },
    hashes: 70_000,
    blocks: 3,
    bans: 1,
  };
  const collect = stratumCollector(instruments.stratum, { rigs, connections: 3, counts });
  await collect();
  await collect();
  expect(await shown('monero_stratum_rigs')).toEqual(['1']);
  expect(await shown('monero_stratum_connections')).toEqual(['3']);
  expect(await shown('monero_stratum_hashes_per_second')).toEqual(['1234']);
  expect(await shown('monero_stratum_hashes_total')).toEqual(['70000']);
  expect(await shown('monero_stratum_blocks_total')).toEqual(['3']);
  expect(await shown('monero_stratum_bans_total')).toEqual(['1']);
  const shares = await shown('monero_stratum_shares_total');
  expect(shares).toEqual(['{result="accepted"} 7', '{result="stale"} 2', '{result="refused"} 1']);
});

test('a node without rigs has all their figures', async () => {
  await stratumCollector(instruments.stratum, undefined)();
  expect(await shown('monero_stratum_rigs')).toEqual(['0']);
  expect(await shown('monero_stratum_bans_total')).toEqual(['0']);
  expect(await shown('monero_stratum_shares_total')).toEqual([
    ...['{result="accepted"} 0', '{result="stale"} 0', '{result="refused"} 0'],
  ]);
});

test('events: position, lag, acknowledgement, requests, and zeros while none are published', async () => {
  const values = async (): Promise<string[]> => {
    const names = ['connected', 'failing', 'behind', 'published_height', 'lag_blocks'];
    const more = ['acknowledged_timestamp_seconds', 'backfill_serving', 'streams_made_total'];
    const all = [...names, ...more, 'backfill_requests_total'].map((name) =>
      shown(`monero_events_${name}`),
    );
    return (await Promise.all(all)).flat();
  };
  const status = {
    server: 'nats://a:4222',
    isConnected: true,
    publishedHeight: 12,
    lag: 3,
    acknowledgedAt: 1_700_000_000,
    streamsMade: 2,
    isBehind: false,
    problem: 'full',
    backfill: { isServing: true, answered: 4, refused: 1 },
  };
  await eventsCollector(instruments.events, { status })();
  const requests = (answered: number, refused: number): string[] => [
    `{result="answered"} ${answered}`,
    `{result="refused"} ${refused}`,
  ];
  expect(await values()).toEqual([
    ...['1', '1', '0', '12', '3', '1700000000', '1', '2'],
    ...requests(4, 1),
  ]);
  const unknown = { ...status, publishedHeight: undefined, lag: undefined };
  await eventsCollector(instruments.events, { status: unknown })();
  expect((await values()).slice(3, 5)).toEqual(['Nan', 'Nan']);
  await eventsCollector(instruments.events, undefined)();
  expect(await values()).toEqual([...['0', '0', '0', '0', '0', '0', '0', '0'], ...requests(0, 0)]);
});

test('the ledger: blocks by finder and fate, and the effort', async () => {
  const entry = (kind: FinderKind, fate: LedgerFate): LedgerEntry =>
    ({ block: { finder: { kind, rig: '' } }, fate }) as LedgerEntry;
  const entries = [entry('rig', 'pending'), entry('rig', 'pending'), entry('miner', 'orphaned')];
  const collect = ledgerCollector(instruments.ledger, {
    ledger: { entries, hashes: 250 },
    blockchain: { nextDifficulty: () => 1000n },
  });
  await collect();
  await collect();
  const lines = await shown('monero_mining_blocks');
  expect(lines).toHaveLength(16);
  expect(lines.filter((line) => !line.endsWith(' 0'))).toEqual([
    '{finder="miner",fate="orphaned"} 1',
    '{finder="rig",fate="pending"} 2',
  ]);
  expect(await shown('monero_mining_effort_ratio')).toEqual(['0.25']);
});

test('the fleet: nodes by state, their height, questions', async () => {
  const figures = { ready: 3, notReady: 1, apart: 4, silent: 2, height: 100, questions: 7 };
  await fleetCollector(instruments.fleet, () => figures)();
  expect(await shown('monero_fleet_nodes')).toEqual([
    ...['{state="ready"} 3', '{state="not_ready"} 1', '{state="apart"} 4', '{state="silent"} 2'],
  ]);
  expect(await shown('monero_fleet_height')).toEqual(['100']);
  expect(await shown('monero_fleet_questions_total')).toEqual(['7']);
  await fleetCollector(instruments.fleet, () => ({ ...figures, height: undefined }))();
  expect(await shown('monero_fleet_height')).toEqual(['Nan']);
});

test('new nodes: how far a copy is, what was sent, and zeros without one', async () => {
  const values = async (): Promise<string[]> => {
    const names = ['copy_size_bytes', 'copy_position_bytes', 'sent_bytes_total'];
    return (await Promise.all(names.map((name) => shown(`monero_seed_${name}`)))).flat();
  };
  const status = { position: 40, size: 100, bytes: 30, bytesPerSecond: 7 };
  await seedCollector(instruments.seed, { status })();
  expect(await values()).toEqual(['100', '40', '30']);
  await seedCollector(instruments.seed, undefined)();
  expect(await values()).toEqual(['0', '0', '0']);
});
