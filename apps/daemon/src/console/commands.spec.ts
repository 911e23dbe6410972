import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RpcConnectionError, RpcLoginError, RpcStatusError } from '@monero-node/rpc-client';
import { runCommand } from './commands.ts';
import { FakeDaemon } from '../testing/fake-daemon.ts';

const NOW = 1_795_225_609;
type Answers = ConstructorParameters<typeof FakeDaemon>[0];
type Answer = Exclude<Answers[string], Error>;
const daemonWith = (answers: Answers) => new FakeDaemon(answers);
const run = (line: string, daemon: FakeDaemon, remote = true): Promise<string> =>
  runCommand(line.split(' '), { daemon, remote, now: () => NOW });

const HASH = '7da58218ef03deef42760c0808cbef0dd7b12b8466da448d36673b9a3a593f1a';
/** Answers of monerod 0.18.0.0, shortened, for which the texts below were recorded from its own client. */
const INFO = {
  height: 1217,
  target_height: 0,
  nettype: 'fakechain',
  target: 120,
  outgoing_connections_count: 0,
  incoming_connections_count: 0,
  start_time: NOW - 7,
  top_block_hash: HASH,
  wide_difficulty: '0x1',
  wide_cumulative_difficulty: '0x4c1',
  white_peerlist_size: 0,
  grey_peerlist_size: 0,
  block_weight_limit: 600_000,
  version: '0.18.0.0',
  tx_pool_size: 2,
  free_space: 50_000_000_000,
};
const FORK = {
  version: 16,
  voting: 16,
  enabled: true,
  earliest_height: 1,
  votes: 1216,
  window: 1217,
  threshold: 0,
};
const HEADER = {
  height: 1,
  timestamp: 1_795_218_013,
  block_size: 85,
  block_weight: 85,
  long_term_weight: 176_470,
  num_txes: 0,
  major_version: 16,
  minor_version: 16,
  hash: 'a7c731316f1739146c705e000e5dc4ad786a03bed9c66b692474e0da214147c3',
  prev_hash: '418015bb9ae982a1975da7d79277c2705727a56894ba0fb246adaabb1f4632e3',
  wide_difficulty: '0x1',
  wide_cumulative_difficulty: '0x2',
  nonce: 0,
  reward: 35_184_338_534_400,
  depth: 1215,
  orphan_status: false,
  pow_hash: 'c7ab',
  miner_tx_hash: '6c64',
};

describe('texts as those of the client of monerod 0.18.0.0', () => {
  const idle = { active: false, pow_algorithm: 'RandomX' };
  const stats = {
    start_time: NOW - 16,
    total_bytes_in: 0,
    total_bytes_out: 0,
    total_packets_in: 0,
  };
  const limits = { limit_down: 8192, limit_up: 2048 };
  test.each<[line: string, answers: Record<string, Answer>, expected: string]>([
    ['diff', { '/get_info': INFO }, `BH: 1217, TH: ${HASH}, DIFF: 1, CUM_DIFF: 1217, HR: 0 H/s`],
    ['print_height', { '/get_height': { height: 1217 } }, '1217'],
    [
      'sync_info',
      {
        sync_info: { height: 1217, target_height: 0, next_needed_pruning_seed: 1, overview: '[]' },
        '/get_info': INFO,
      },
      [
        'Height: 1217, target: 1217 (100%)',
        'Downloading at 0 kB/s',
        'Next needed pruning seed: 1',
        '0 peers',
        'Remote Host                        Peer_ID   State   Prune_Seed          Height  DL kB/s, Queued Blocks / MB',
        '0 spans, 0 MB',
        '[]',
      ].join('\n'),
    ],
    [
      'print_pl_stats',
      { '/get_info': INFO },
      'White list size: 0/1000 (0%)\nGray list size: 0/5000 (0%)',
    ],
    [
      'print_net_stats',
      { '/get_net_stats': stats, '/get_limit': limits },
      'Received 0 bytes (0 B) in 0 packets in 16 seconds, average 0 B/s = 0.00% of the limit of 8.00 MB/s\n' +
        'Sent 0 bytes (0 B) in 0 packets in 16 seconds, average 0 B/s = 0.00% of the limit of 2.00 MB/s',
    ],
    ['bans', { get_bans: {} }, 'No IPs are banned'],
    [
      'bans',
      { get_bans: { bans: [{ host: '10.0.0.1', seconds: 86_396 }] } },
      '10.0.0.1 banned for 86396 seconds',
    ],
    ['banned 10.0.0.2', { banned: { banned: false, seconds: 0 } }, '10.0.0.2 is not banned'],
    [
      'banned 10.0.0.1',
      { banned: { banned: true, seconds: 86_398 } },
      '10.0.0.1 is banned for 86398 seconds',
    ],
    ['limit', { '/get_limit': limits }, 'limit-down is 8192 kB/s\nlimit-up is 2048 kB/s'],
    [
      'limit_up 1000',
      { '/set_limit': { limit_down: 8192, limit_up: 1000 } },
      'Set limit-down to 8192 kB/s\nSet limit-up to 1000 kB/s',
    ],
    ['out_peers 5', { '/out_peers': { out_peers: 5 } }, 'Max number of out peers set to 5'],
    [
      'in_peers -1',
      { '/in_peers': { in_peers: 4_294_967_295 } },
      'Max number of in peers set to unlimited',
    ],
    [
      'print_bc 1 1',
      { get_block_headers_range: { headers: [HEADER] } },
      'height: 1, timestamp: 1795218013 (2026-11-20 23:40:13), size: 85, weight: 85 (long term 176470), transactions: 0\n' +
        'major version: 16, minor version: 16\n' +
        'block id: a7c731316f1739146c705e000e5dc4ad786a03bed9c66b692474e0da214147c3, previous block id: 418015bb9ae982a1975da7d79277c2705727a56894ba0fb246adaabb1f4632e3\n' +
        'difficulty: 1, nonce 0, reward 35.184338534400',
    ],
    [
      'print_coinbase_tx_sum 5 2',
      { get_coinbase_tx_sum: { wide_emission_amount: '0x3fffd8000a3e', wide_fee_amount: '0x0' } },
      'Sum of coinbase transactions between block heights [5, 7) is 70.368073091646 consisting of 70.368073091646 in emissions, and 0.000000000000 in fees',
    ],
    [
      'output_histogram',
      { get_output_histogram: { histogram: [{ amount: 0, total_instances: 2572 }] } },
      '2572  0.000000000000',
    ],
    [
      'alt_chain_info',
      { '/get_info': INFO, get_alternate_chains: {} },
      '0 alternate chains found:',
    ],
    [
      'hard_fork_info 2',
      { hard_fork_info: FORK },
      'version 2 enabled, 1216/1217 votes, threshold 0\ncurrent version 16, voting for version 16',
    ],
    ['mining_status', { '/mining_status': idle }, 'Not currently mining\nPoW algorithm: RandomX'],
    ['set_log 1', { '/set_log_level': {} }, 'Log level is now 1'],
    [
      'set_log +a:INFO',
      { '/set_log_categories': { categories: 'a:INFO' } },
      'Log categories are now a:INFO',
    ],
    ['save', { '/save_bc': {} }, 'Blockchain saved'],
    [
      'check_blockchain_pruning',
      { prune_blockchain: { pruned: false } },
      'Blockchain is not pruned',
    ],
    ['pop_blocks 3', { '/pop_blocks': { height: 5 } }, 'new height: 5'],
    ['exit', { '/stop_daemon': {} }, 'Stop signal sent'],
  ])('%s', async (line, answers, expected) => {
    expect(await run(line, daemonWith(answers))).toBe(expected);
  });

  test('status', async () => {
    const daemon = { '/get_info': INFO, hard_fork_info: FORK, '/mining_status': idle };
    const rest = 'net hash 0 H/s, v16, 0(out)+0(in) connections, 2 in the pool, uptime 0d 0h 0m 7s';
    const line = 'Height: 1217/1217 (100.0%) on fakechain,';
    expect(await run('status', daemonWith(daemon))).toBe(`${line} not mining, ${rest}`);
    const mining = { active: true, speed: 2500 };
    expect(await run('status', daemonWith({ ...daemon, '/mining_status': mining }))).toContain(
      'mining at 2.50 kH/s',
    );
    const busy = new RpcStatusError('BUSY', {});
    expect(await run('status', daemonWith({ ...daemon, '/mining_status': busy }))).toContain(
      ', syncing,',
    );
    const restricted = { '/get_info': { ...INFO, start_time: 0 }, hard_fork_info: FORK };
    expect(await run('status', daemonWith(restricted))).toBe(
      `${line} mining info unavailable, net hash 0 H/s, v16, 0(out)+0(in) connections, 2 in the pool`,
    );
    const behind = { '/get_info': { ...INFO, target_height: 1218 }, hard_fork_info: FORK };
    expect(await run('status', daemonWith(behind))).toContain('Height: 1217/1218 (99.9%)');
    const soon = { ...daemon, hard_fork_info: { ...FORK, earliest_height: 1227 } };
    expect(await run('status', daemonWith(soon))).toContain('v16 (next fork in 10 blocks)');
  });

  test('bc_dyn_stats', async () => {
    const blocks = [1, 2, 3, 4, 5].map((i) => ({
      ...HEADER,
      timestamp: HEADER.timestamp + Math.min(i, 4),
      block_weight: 83 + i,
    }));
    const daemon = daemonWith({
      '/get_info': INFO,
      get_fee_estimate: { fee: 1_200_000 },
      hard_fork_info: FORK,
      get_block_headers_range: { headers: blocks },
    });
    expect(await run('bc_dyn_stats 5', daemon)).toBe(
      'Height: 1217, diff 1, cum. diff 1217, target 120 sec, dyn fee 0.000001200000/byte\n' +
        'Last 5: avg. diff 1, 0 avg sec/block, avg num txes 0, avg. reward 35.184338534400, median block weight 86\n' +
        'Block versions: 5 v16\nVoting for: 5 v16',
    );
    expect(daemon.asked.at(-1)).toEqual([
      'get_block_headers_range',
      { start_height: 1212, end_height: 1216 },
    ]);
  });

  test('print_pool_stats', async () => {
    const pool_stats = {
      txs_total: 13,
      bytes_total: 38_680,
      bytes_min: 2174,
      bytes_max: 7353,
      bytes_med: 2180,
      fee_total: 46_420_800_000,
      num_not_relayed: 1,
      num_10m: 13,
      oldest: NOW - 7339,
      histo: Array.from({ length: 10 }, (_, i) =>
        i < 9 ? { txs: 0, bytes: 0 } : { txs: 13, bytes: 38_680 },
      ),
    };
    const daemon = daemonWith({ '/get_transaction_pool_stats': { pool_stats }, '/get_info': INFO });
    expect((await run('print_pool_stats', daemon)).split('\n')).toEqual([
      '13 tx(es), 38680 bytes total (min 2174, max 7353, avg 2975, median 2180)',
      'fees 0.046420800000 (avg 0.003570830769 per tx, 0.000001200124 per byte)',
      '0 double spends, 1 not relayed, 0 failing, 13 older than 10 minutes (oldest 2 hours ago), no backlog',
      '   Age      Txes       Bytes',
      '00:00:00       0           0',
      '00:12:13       0           0',
      '00:24:27       0           0',
      '00:36:41       0           0',
      '00:48:55       0           0',
      '01:01:09       0           0',
      '01:13:23       0           0',
      '01:25:37       0           0',
      '01:37:51       0           0',
      '01:50:05      13       38680',
    ]);
  });
});

describe('requests', () => {
  test.each<[line: string, answers: Record<string, Answer>, expected: [string, unknown]]>([
    ['limit 30', { '/set_limit': {} }, ['/set_limit', { limit_down: 30, limit_up: 30 }]],
    ['limit_down -1', { '/set_limit': {} }, ['/set_limit', { limit_down: -1, limit_up: 0 }]],
    ['out_peers', { '/out_peers': {} }, ['/out_peers', { out_peers: 0, set: false }]],
    ['set_log', { '/set_log_categories': {} }, ['/set_log_categories', { categories: '+' }]],
    [
      'pop_blocks 2 keep-txs',
      { '/pop_blocks': {} },
      ['/pop_blocks', { nblocks: 2, keep_txs: true }],
    ],
    [
      'flush_cache bad-blocks',
      { flush_cache: {} },
      ['flush_cache', { bad_txs: false, bad_blocks: true }],
    ],
    [
      'print_bc -3',
      { '/get_height': { height: 10 }, get_block_headers_range: {} },
      ['get_block_headers_range', { start_height: 7, end_height: 9 }],
    ],
    ['print_block 5', { get_block: {} }, ['get_block', { height: 5, fill_pow_hash: true }]],
    [`print_block ${HASH}`, { get_block: {} }, ['get_block', { hash: HASH, fill_pow_hash: true }]],
    [`flush_txpool ${HASH}`, { flush_txpool: {} }, ['flush_txpool', { txids: [HASH] }]],
    ['flush_txpool', { flush_txpool: {} }, ['flush_txpool', {}]],
    [
      'ban 10.0.0.1 5',
      { set_bans: {} },
      ['set_bans', { bans: [{ host: '10.0.0.1', ban: true, seconds: 5 }] }],
    ],
    [
      'unban all',
      { get_bans: { bans: [{ host: 'a' }, { host: 'b' }] }, set_bans: {} },
      ['set_bans', { bans: ['a', 'b'].map((host) => ({ host, ban: false, seconds: 0 })) }],
    ],
    [
      'start_mining 4A auto',
      { '/start_mining': {} },
      [
        '/start_mining',
        {
          miner_address: '4A',
          threads_count: 0,
          do_background_mining: false,
          ignore_battery: false,
        },
      ],
    ],
    [
      'set_bootstrap_daemon h:1 u p',
      { '/set_bootstrap_daemon': {} },
      ['/set_bootstrap_daemon', { address: 'h:1', username: 'u', password: 'p', proxy: '' }],
    ],
    [
      'set_bootstrap_daemon none',
      { '/set_bootstrap_daemon': {} },
      ['/set_bootstrap_daemon', { address: '', username: '', password: '', proxy: '' }],
    ],
    ['prune_blockchain confirm', { prune_blockchain: {} }, ['prune_blockchain', { check: false }]],
  ])('%s', async (line, answers, expected) => {
    const daemon = daemonWith(answers);
    await run(line, daemon);
    expect(daemon.asked.at(-1)).toEqual(expected);
  });

  test('long ranges are asked for in pieces', async () => {
    const daemon = daemonWith({ get_block_headers_range: { headers: [HEADER] } });
    await run('print_bc 0 2500', daemon);
    expect(daemon.asked.map(([, request]) => request)).toEqual([
      { start_height: 0, end_height: 999 },
      { start_height: 1000, end_height: 1999 },
      { start_height: 2000, end_height: 2500 },
    ]);
  });

  test('bans from a file', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'bans-'));
    const file = join(dir, 'list');
    writeFileSync(file, '# bad ones\n10.0.0.1\n\n10.1.0.0/16 # all of them\n');
    const daemon = daemonWith({ set_bans: {} });
    expect(await run(`ban @${file}`, daemon)).toBe(
      '10.0.0.1 banned for 86400 seconds\n10.1.0.0/16 banned for 86400 seconds',
    );
    await expect(run(`ban @${dir}/none`, daemon)).rejects.toThrow('ENOENT');
    rmSync(dir, { recursive: true });
  });

  test('prune_blockchain fails without confirmation', async () => {
    const daemon = daemonWith({});
    await expect(run('prune_blockchain', daemon)).rejects.toThrow('prune_blockchain confirm');
    expect(daemon.asked).toEqual([]);
  });
});

describe('mistakes', () => {
  test.each([
    'limit x',
    'limit 1 2',
    'print_bc',
    'print_bc x',
    'print_bc 3 1',
    'print_block',
    'print_block zz',
    'print_block 5 +json',
    'print_tx zz',
    `print_tx ${HASH} +nonsense`,
    'is_key_image_spent zz',
    'output_histogram 1 2 3',
    'output_histogram @x',
    'set_log 9',
    'hard_fork_info 300',
    'hard_fork_info x',
    'pop_blocks',
    'pop_blocks 0',
    'pop_blocks 1 maybe',
    'ban',
    'ban 10.0.0.1 0',
    'print_pl purple',
    'bc_dyn_stats',
    'alt_chain_info >x',
    'relay_tx',
    'apropos',
    'flush_cache',
    'flush_cache everything',
  ])('%s', async (line) => {
    await expect(run(line, daemonWith({}))).rejects.toThrow(
      /^Invalid syntax: .* use the help command\.$/,
    );
  });

  test('print_status says whether there is a daemon', async () => {
    const away = daemonWith({ '/get_height': new RpcConnectionError('refused') });
    await expect(run('print_status', away)).rejects.toThrow('monerod is NOT running');
    expect(await run('print_status', daemonWith({ '/get_height': {} }))).toBe('monerod is running');
    const shut = daemonWith({ '/get_height': new RpcLoginError() });
    await expect(run('print_status', shut)).rejects.toThrow(RpcLoginError);
    expect(await run('print_status', daemonWith({}), false)).toContain('makes no sense');
  });
});
