import { hex } from '../chain/bytes.ts';
import type { Json, JsonObject } from '../harness/json.ts';
import type { ChainSample } from './chain-sample.ts';
import { alone, BOTH, json, MAIN, RESTRICTED, rpc, type ReplayRequest } from './request.ts';

const UNKNOWN = '00'.repeat(32);
const SUBADDRESS =
  '8AsN91rznfkBGTY8psSNkJBg9SZgxxGGRUhGwRptBhgr5XSQ1XzmA9m8QAnoxydecSh5aLJXdrgXwTDMMZ1AuXsN1EX5Mtm';
/** Forms of a distribution. */
const FORMS: readonly JsonObject[] = [
  { binary: false },
  { binary: true },
  { binary: true, compress: true },
];
const times = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item);

/** Old names of JSON-RPC methods. */
const ALIASES = [
  ...['getblockcount', 'on_getblockhash', 'getblocktemplate', 'submitblock'],
  ...['getlastblockheader', 'getblockheaderbyhash', 'getblockheaderbyheight'],
  ...['getblockheadersrange', 'getblock'],
];

/** Names and paths that take nothing. */
const PLAIN_METHODS = [
  ...['get_block_count', 'get_last_block_header', 'get_connections', 'get_info', 'hard_fork_info'],
  ...['get_bans', 'get_version', 'get_fee_estimate', 'get_alternate_chains', 'sync_info'],
  ...['get_txpool_backlog', 'get_miner_data', 'rpc_access_info', 'rpc_access_data'],
  ...['rpc_access_tracking', 'get_output_histogram', 'get_coinbase_tx_sum', 'get_block'],
  ...['get_block_header_by_hash', 'get_block_header_by_height', 'get_block_headers_range'],
  ...['on_get_block_hash', 'submit_block', 'get_block_template', 'calc_pow', 'add_aux_pow'],
  ...['generateblocks', 'relay_tx', 'banned', 'set_bans', 'flush_cache', 'flush_txpool'],
  ...['get_output_distribution', 'rpc_access_submit_nonce', 'rpc_access_pay', 'rpc_access_account'],
  ...['get_base_fee_estimate', 'get_transaction_pool_backlog', 'get_txids_loose'],
];

const PLAIN_PATHS = [
  ...['/get_height', '/getheight', '/get_info', '/getinfo', '/get_alt_blocks_hashes', '/save_bc'],
  ...[
    '/get_peer_list',
    '/get_public_nodes',
    '/get_transaction_pool',
    '/get_transaction_pool_hashes',
  ],
  ...['/get_transaction_pool_hashes.bin', '/get_transaction_pool_stats', '/get_net_stats'],
  ...['/get_limit', '/mining_status', '/stop_mining', '/start_mining', '/set_limit'],
  ...['/is_key_image_spent', '/get_transactions', '/gettransactions', '/get_outs', '/update'],
  ...['/send_raw_transaction', '/sendrawtransaction', '/set_log_hash_rate', '/pop_blocks'],
  ...['/set_bootstrap_daemon', '/start_save_graph', '/stop_save_graph', '/set_log_level'],
];

/** Every method and path without arguments. */
const plain: readonly ReplayRequest[] = [
  ...[...PLAIN_METHODS, ...ALIASES].map((method) => rpc(method)),
  ...PLAIN_PATHS.map((path) => json(path, {}, BOTH)),
];

function blocks({ top, ids, blocks: blobs }: ChainSample): ReplayRequest[] {
  const id = hex(ids[77] ?? Buffer.alloc(32));
  const block = blobs[top] ?? '';
  const heights: Json[] = [0, 1, 700, top, top + 1, top + 1000, 2 ** 40, 2n ** 64n - 1n];
  const hashes: Json[] = [
    id,
    id.toUpperCase(),
    UNKNOWN,
    'xyz',
    '00',
    `${id}00`,
    ` ${id}`,
    `0x${id}`,
  ];
  return [
    ...heights.flatMap((height) => [
      rpc('get_block', { height }),
      rpc('get_block_header_by_height', { height }),
      rpc('get_block_header_by_height', { height, fill_pow_hash: true }),
      rpc('on_get_block_hash', [height]),
    ]),
    ...([[], [1, 2], ['5'], ['x'], [-1], [true], [{}], {}, 5, 'text', null] as Json[]).map((list) =>
      rpc('on_get_block_hash', list),
    ),
    ...hashes.flatMap((hash) => [
      rpc('get_block', { hash }),
      rpc('get_block_header_by_hash', { hash }),
      rpc('get_block_header_by_hash', { hashes: [id, hash] }),
    ]),
    rpc('get_block', { hash: id, height: 5 }),
    rpc('getblock', { height: 5, fill_pow_hash: true }),
    rpc('get_block_header_by_hash', { hashes: times(1001, id) }),
    ...(
      [
        ...[
          [0, 0],
          [5, 9],
          [9, 5],
          [top, top],
          [0, top + 1],
          [0, 999],
          [0, 1000],
          [0, 1001],
        ],
        ...[
          [top + 1, top + 1],
          [0, 2n ** 64n - 1n],
          [2n ** 64n - 1n, 0],
        ],
      ] as [Json, Json][]
    ).map(([start_height, end_height]) =>
      rpc('get_block_headers_range', { start_height, end_height }),
    ),
    rpc('get_last_block_header', { fill_pow_hash: true }),
    ...(
      [[], ['xyz'], ['00'], ['00', '00'], [5], {}, 'text', null, ['00'.repeat(300_000)]] as Json[]
    ).map((list) => rpc('submit_block', list)),
    { ...rpc('submit_block', [block]), name: 'submit_block of the top block' },
    { ...rpc('submit_block', [block.slice(0, -2)]), name: 'submit_block without its last byte' },
    { ...rpc('submit_block', [block.slice(0, -4)]), name: 'submit_block without its last bytes' },
    { ...rpc('submit_block', [`${block}00`]), name: 'submit_block and a byte more' },
    ...(
      [
        [0, top + 1],
        [0, top + 2],
        [200, 37],
        [top, 1],
        [top, 2],
        [0, 0],
        [top + 1, 0],
      ] as const
    ).map(([height, count]) => rpc('get_coinbase_tx_sum', { height, count }, MAIN)),
  ];
}

function transactions({ txIds, coinbaseIds, txBlobs, keyImages }: ChainSample): ReplayRequest[] {
  const [tx = '', other = ''] = txIds;
  const [coinbase = ''] = coinbaseIds.slice(9);
  const lists: string[][] = [
    ...[[tx], [tx, other], [tx, tx], [UNKNOWN], [UNKNOWN, tx, 'ab'.repeat(32)], [coinbase]],
    ...[
      ['zz'],
      ['00'],
      [''],
      [tx.toUpperCase()],
      [`${tx}00`],
      [tx, 'zz'],
      coinbaseIds.slice(0, 100),
    ],
    ...[txIds.slice(0, 101), coinbaseIds.slice(0, 100), times(100, UNKNOWN)],
  ];
  const images: string[][] = [
    ...[[keyImages[0] ?? ''], [UNKNOWN], ['zz'], ['00'], [''], keyImages.slice(0, 100)],
    ...[times(5000, UNKNOWN), times(5001, UNKNOWN), [UNKNOWN, 'zz']],
  ];
  const blob = txBlobs[0] ?? '';
  const raw = (tx_as_hex: string, more: { [name: string]: Json } = {}): ReplayRequest =>
    json('/send_raw_transaction', { tx_as_hex, ...more });
  return [
    ...lists.flatMap((txs_hashes) => [
      json('/get_transactions', { txs_hashes }),
      json('/get_transactions', { txs_hashes, decode_as_json: true }),
    ]),
    json('/get_transactions', { txs_hashes: [tx, coinbase], prune: true, decode_as_json: true }),
    json('/get_transactions', { txs_hashes: [tx, coinbase], split: true }),
    json('/get_transactions', { txs_hashes: [tx], split: true, prune: true }),
    json('/gettransactions', { txs_hashes: [tx], client: 'ab' }),
    ...images.map((key_images) => json('/is_key_image_spent', { key_images })),
    ...['zz', 'abc', '00', 'ff'.repeat(100), blob.slice(0, -2), `${blob}00`, blob].map((each) =>
      raw(each),
    ),
    raw(blob, { do_not_relay: true }),
    raw(blob, { do_sanity_checks: false }),
    raw(`ff${blob.slice(2)}`),
    raw(blob.slice(0, blob.length / 2)),
    raw('00'.repeat(200_000)),
    ...([[], ['zz'], [UNKNOWN], [tx], [UNKNOWN, 'zz']] as string[][]).flatMap((txids) => [
      rpc('relay_tx', { txids }, MAIN),
      rpc('flush_txpool', { txids }, MAIN),
    ]),
  ];
}

function outputs({ top }: ChainSample): ReplayRequest[] {
  const outs = (list: Json, more: { [name: string]: Json } = {}): ReplayRequest =>
    json('/get_outs', { outputs: list, ...more });
  const ranges: [Json, Json][] = [
    ...([
      [0, 0],
      [0, 5],
      [5, 0],
      [top, top],
      [10, 5],
      [top + 1, 0],
      [0, top + 1],
    ] as [Json, Json][]),
    [0, 2n ** 64n - 1n],
  ];
  return [
    outs([{ amount: 0, index: 0 }]),
    outs([{ amount: 0, index: 5 }], { get_txid: true }),
    outs([{ amount: 0, index: 10 ** 9 }]),
    outs([{ amount: 7, index: 0 }]),
    outs([{ amount: 0, index: 2n ** 64n - 1n }]),
    outs([{ index: 3 }]),
    outs([{ amount: 0 }]),
    outs([{ amount: '0', index: '3' }]),
    outs([{ amount: -1, index: 3 }]),
    outs([{ amount: 0, index: 3 }, 5]),
    outs(times(5000, { amount: 0, index: 1 })),
    outs(times(5001, { amount: 0, index: 1 })),
    ...ranges.flatMap(([from_height, to_height]) =>
      FORMS.map((form) =>
        rpc('get_output_distribution', { amounts: [0], from_height, to_height, ...form }),
      ),
    ),
    rpc('get_output_distribution', { amounts: [0], cumulative: true, binary: false }),
    rpc('get_output_distribution', { amounts: [0, 1], binary: false }),
    rpc('get_output_distribution', { amounts: [17_592_186_044_415], binary: false }),
    rpc('get_output_distribution', { amounts: times(50, 0), binary: false }),
    rpc('get_output_histogram', { amounts: [0], unlocked: true }),
    rpc('get_output_histogram', { amounts: [0, 5, 0], min_count: 1, max_count: 10 ** 6 }),
    rpc('get_output_histogram', { recent_cutoff: 1 }),
    rpc('get_output_histogram', { amounts: [0], recent_cutoff: 1 }),
  ];
}

function mining({ top, ids, blocks: blobs }: ChainSample, address: string): ReplayRequest[] {
  const template = (more: { [name: string]: Json }): ReplayRequest =>
    rpc('get_block_template', { wallet_address: address, ...more });
  const generate = (more: { [name: string]: Json }): ReplayRequest =>
    rpc('generateblocks', { wallet_address: address, amount_of_blocks: 1, ...more }, MAIN);
  const aux = (aux_pow: Json, blob = 'ab'): ReplayRequest =>
    rpc('add_aux_pow', { blocktemplate_blob: blob, aux_pow });
  const entry = { id: '11'.repeat(32), hash: '22'.repeat(32) };
  const start = (body: { [name: string]: Json }): ReplayRequest =>
    json('/start_mining', body, MAIN);
  return [
    template({}),
    ...[0, 1, 8, 60, 127, 128, 255, 256, 1000].map((reserve_size) => ({
      ...template({ reserve_size }),
      name: `get_block_template with reserve_size ${reserve_size}`,
    })),
    template({ extra_nonce: 'ab' }),
    template({ extra_nonce: 'xyz' }),
    template({ extra_nonce: 'a'.repeat(512) }),
    template({ extra_nonce: 'ab', reserve_size: 5 }),
    template({ prev_block: 'xyz' }),
    template({ prev_block: UNKNOWN }),
    template({ prev_block: hex(ids[top - 3] ?? Buffer.alloc(32)), reserve_size: 4 }),
    template({ wallet_address: SUBADDRESS }),
    template({ wallet_address: address.slice(0, -1) }),
    template({ wallet_address: `${address}1` }),
    template({ wallet_address: '' }),
    generate({ amount_of_blocks: 0 }),
    generate({ wallet_address: SUBADDRESS }),
    generate({ wallet_address: 'x' }),
    generate({ prev_block: 'xyz' }),
    generate({ prev_block: UNKNOWN }),
    aux([]),
    aux([{ ...entry, id: 'zz' }]),
    aux([{ ...entry, hash: 'zz' }]),
    aux([entry]),
    aux([entry], 'zz'),
    aux([entry], blobs[top] ?? ''),
    aux([entry, entry], blobs[top] ?? ''),
    { ...aux(times(11, entry), blobs[top] ?? ''), name: 'add_aux_pow of 11 chains' },
    start({ miner_address: SUBADDRESS, threads_count: 1 }),
    start({ miner_address: address, threads_count: 10_000 }),
    start({ miner_address: '', threads_count: 1 }),
    rpc('calc_pow', { major_version: 16, height: 1, block_blob: 'zz' }, MAIN),
    rpc(
      'calc_pow',
      {
        major_version: 16,
        height: 1,
        block_blob: blobs[5] ?? '',
        seed_hash: hex(ids[0] ?? Buffer.alloc(32)),
      },
      MAIN,
    ),
    rpc('calc_pow', { major_version: 16, height: 1, block_blob: blobs[5] ?? '' }, MAIN),
    rpc('calc_pow', { major_version: 16, height: 1, block_blob: 'ab', seed_hash: 'zz' }, MAIN),
    rpc('calc_pow', { major_version: 16, height: 1, block_blob: 'ab', seed_hash: 'ab' }, MAIN),
    ...[1, 7, 8, 9, 10, 11].map((major_version) =>
      rpc(
        'calc_pow',
        { major_version, height: 1, block_blob: blobs[5] ?? '', seed_hash: '' },
        MAIN,
      ),
    ),
  ];
}

/** Calls that change settings; both daemons get them in this order. */
const settings: readonly ReplayRequest[] = [
  ...[
    [{ host: '1.2.3.4', ban: true, seconds: 30 }],
    [{ ip: 84_281_096, ban: true, seconds: 40 }],
    [{ host: '10.20.0.0/16', ban: true, seconds: 50 }],
    [{ host: 'nonsense', ban: true, seconds: 50 }],
    [{ host: '1.2.3.4.5', ban: true, seconds: 50 }],
    [{ host: '300.1.1.1', ban: true, seconds: 50 }],
    [{ host: '1.2.3.4/40', ban: true, seconds: 50 }],
    [{ host: '1.2.3.4', ban: false }],
    [{ host: '9.9.9.9', ban: false }],
    [{ host: '5.5.5.5', ban: true }],
    [{ host: '5.5.5.6', ban: true, seconds: -1 }],
    [{ host: 'nonsense', ban: false }],
    [{ host: '1.2.3.4/40', ban: false }],
    [{ host: '10.20.0.0/16', ban: false }],
    [{ host: '6.6.6.6:80', ban: true, seconds: 60 }],
    [{ host: '6.6.6.6:81', ban: false }],
    [
      { host: '::5', ban: true, seconds: 60 },
      { host: '::5', ban: false },
    ],
  ].flatMap((bans) => [
    rpc('set_bans', { bans: bans as unknown as Json }, MAIN),
    rpc('get_bans', {}, MAIN),
  ]),
  ...[
    '1.2.3.4',
    '10.20.30.40',
    '10.21.0.1',
    '8.8.8.8',
    'nonsense',
    '',
    '::1',
    '[::1]:80',
    '1.2.3.4:80',
  ].map((address) => rpc('banned', { address }, MAIN)),
  ...[
    [500, 700],
    [0, 0],
    [0, 800],
    [-1, 0],
    [-1, -1],
    [-2, 100],
    [100, -2],
    [1, 1],
    [2 ** 40, 2 ** 40],
    [-1, -1],
  ].flatMap(([limit_down = 0, limit_up = 0]) => [
    json('/set_limit', { limit_down, limit_up }, MAIN),
    json('/get_limit'),
  ]),
  json('/set_limit', { limit_down: 900 }, MAIN),
  json('/set_limit', { limit_up: -1 }, MAIN),
  ...(
    [
      { out_peers: 5 },
      { set: false },
      { out_peers: 0 },
      {},
      { out_peers: 4_294_967_295 },
    ] as JsonObject[]
  ).map((body) => json('/out_peers', body, MAIN)),
  ...(
    [
      { in_peers: 5 },
      { set: false },
      { in_peers: 0 },
      {},
      { in_peers: 4_294_967_295 },
    ] as JsonObject[]
  ).map((body) => json('/in_peers', body, MAIN)),
  ...[0, 1, 0, 5, -1, 200, '1', null].map((level) => json('/set_log_level', { level }, MAIN)),
  ...['*:WARNING', '0', '1', '+net:INFO', '-net', 'net:DEBUG,txpool:ERROR', 'nonsense', '0'].map(
    (categories) => json('/set_log_categories', { categories }, MAIN),
  ),
  json('/set_log_hash_rate', { visible: true }, MAIN),
  ...['check', 'download', 'update', 'x', ''].map((command) => json('/update', { command }, MAIN)),
  json('/set_bootstrap_daemon', { address: '' }, MAIN),
  json('/set_bootstrap_daemon', { address: 'not an address' }, MAIN),
  json('/set_bootstrap_daemon', { address: '' }, MAIN),
  rpc('prune_blockchain', { check: true }, MAIN),
  rpc('prune_blockchain', { check: 'x' }, MAIN),
  rpc('flush_cache', { bad_blocks: true, bad_txs: true }, MAIN),
  rpc('rpc_access_submit_nonce', { nonce: 5, cookie: 1, client: 'ab' }),
  rpc('rpc_access_pay', { paying_for: 'x', payment: 5, client: 'ab' }),
  rpc('rpc_access_account', { client: 'ab', delta_balance: 5 }, MAIN),
];

/** Blocks taken back, so that their transactions are in the pool. */
export function poolRequests({ txIds, blocksWithLast }: ChainSample): ReplayRequest[] {
  const known = txIds.slice(-6);
  return [
    json('/pop_blocks', { nblocks: blocksWithLast(8) }, MAIN),
    ...[
      ...['/get_transaction_pool', '/get_transaction_pool_hashes', '/get_transaction_pool_stats'],
      ...['/get_transaction_pool_hashes.bin', '/get_info', '/get_height'],
    ].map((path) => ({ ...json(path, {}), name: `${path} with a pool` })),
    { ...rpc('get_txpool_backlog'), name: 'get_txpool_backlog with a pool' },
    { ...rpc('get_miner_data'), name: 'get_miner_data with a pool' },
    { ...rpc('get_fee_estimate', { grace_blocks: 3 }), name: 'get_fee_estimate with a pool' },
    {
      ...json('/get_transactions', { txs_hashes: known, decode_as_json: true }),
      name: '/get_transactions of the pool',
    },
    {
      ...json('/get_transactions', { txs_hashes: known, prune: true }),
      name: '/get_transactions of the pool, pruned',
    },
    rpc('relay_tx', { txids: known.slice(-1) }, MAIN),
    rpc('relay_tx', { txids: [...known.slice(-1), UNKNOWN, 'zz'] }, MAIN),
    rpc('flush_txpool', { txids: known.slice(-2) }, MAIN),
    {
      ...json('/get_transaction_pool_hashes', {}),
      name: '/get_transaction_pool_hashes after a flush',
    },
    { ...rpc('flush_txpool', {}, MAIN), name: 'flush_txpool of all' },
    { ...json('/get_transaction_pool', {}), name: '/get_transaction_pool after a flush' },
    json('/pop_blocks', { nblocks: 0 }, MAIN),
    { ...json('/get_height', {}), name: '/get_height after pops' },
    { ...rpc('get_info'), name: 'get_info after pops' },
  ].map(alone);
}

/** Every method in health and in error. */
export function methodRequests(sample: ChainSample, address: string): readonly ReplayRequest[] {
  return [
    ...plain,
    ...blocks(sample),
    ...transactions(sample),
    ...outputs(sample),
    ...mining(sample, address),
    ...settings.map(alone),
    json('/get_transaction_pool', {}, RESTRICTED),
  ];
}
