import type { Json, JsonObject } from '../harness/json.ts';
import { alone, BOTH, json, MAIN, rpc, type Listener, type ReplayRequest } from './request.ts';

type FieldType = 'u64' | 'u32' | 'u8' | 'i64' | 'bool' | 'text' | 'u64s' | 'texts' | 'objects';

/** A call and its fields. `base` is sent together with each wrong value. */
interface FieldTable {
  readonly call: string;
  readonly fields: Readonly<Record<string, FieldType>>;
  readonly base?: JsonObject;
  readonly listeners?: readonly Listener[];
  /** Whether it may change the answers to later calls. */
  readonly alone?: boolean;
  /** Returns whether a value must not be sent to monerod 0.18.0.0. */
  readonly never?: (value: Json) => boolean;
}

/** Wrong and borderline values by type of field. */
const VALUES: Readonly<Record<FieldType, readonly Json[]>> = {
  u64: [-1, 1.5, true, 'abc', '', '5', '-5', [], [1], {}, null, 2n ** 64n - 1n, 2n ** 64n],
  u32: [-1, 0.5, false, 'abc', '5', [1], {}, null, 2 ** 32],
  u8: [-1, 1.5, true, '5', [1], {}, null, 256],
  i64: [-2, 1.5, true, '5', [1], {}, null, 2n ** 63n],
  bool: [0, 1, 'true', [true], {}, null],
  text: [5, true, ['a'], {}, null],
  u64s: [5, 'abc', [-1], [1.5], ['5'], ['x'], [true], [[1]], [{}], {}, null, [], [2n ** 64n]],
  texts: [5, 'abc', [5], [true], [['a']], [{}], {}, null, [], [null]],
  objects: [5, 'abc', [5], ['a'], [[]], {}, null, [], [{}], [{ x: 1 }]],
};

const HASH = '11'.repeat(32);

/** The calls to test. Calls that change the node are included only if no value below does harm. */
const TABLES: readonly FieldTable[] = [
  { call: 'get_block_header_by_height', fields: { height: 'u64', fill_pow_hash: 'bool' } },
  { call: 'get_block_header_by_hash', fields: { hash: 'text', hashes: 'texts' } },
  { call: 'get_block_headers_range', fields: { start_height: 'u64', end_height: 'u64' } },
  { call: 'get_block', fields: { height: 'u64', hash: 'text', fill_pow_hash: 'bool' } },
  { call: 'hard_fork_info', fields: { version: 'u8' } },
  {
    call: 'get_output_histogram',
    base: { amounts: [0] },
    fields: { amounts: 'u64s', min_count: 'u64', unlocked: 'bool', recent_cutoff: 'u64' },
  },
  { call: 'get_coinbase_tx_sum', fields: { height: 'u64', count: 'u64' }, listeners: MAIN },
  {
    call: 'get_fee_estimate',
    fields: { grace_blocks: 'u64' },
    // monerod would loop over that many blocks, holding a thread and a lock.
    never: (value) => typeof value === 'bigint' && value < 2n ** 64n,
  },
  {
    call: 'get_output_distribution',
    base: { amounts: [0], binary: false },
    fields: {
      amounts: 'u64s',
      cumulative: 'bool',
      from_height: 'u64',
      to_height: 'u64',
      binary: 'bool',
      compress: 'bool',
    } as const,
  },
  {
    call: 'calc_pow',
    base: { major_version: 16, height: 1, block_blob: 'ab' },
    fields: { major_version: 'u8', height: 'u64', block_blob: 'text', seed_hash: 'text' },
    listeners: MAIN,
  },
  {
    call: 'get_block_template',
    base: { wallet_address: 'none' },
    fields: {
      wallet_address: 'text',
      reserve_size: 'u64',
      prev_block: 'text',
      extra_nonce: 'text',
    },
  },
  {
    call: 'generateblocks',
    alone: true,
    base: { wallet_address: 'none', amount_of_blocks: 1 },
    fields: { wallet_address: 'text', amount_of_blocks: 'u64', starting_nonce: 'u32' },
    listeners: MAIN,
  },
  {
    call: 'flush_txpool',
    alone: true,
    base: { txids: [HASH] },
    fields: { txids: 'texts' },
    listeners: MAIN,
  },
  { call: 'relay_tx', fields: { txids: 'texts' }, listeners: MAIN },
  { call: 'set_bans', alone: true, fields: { bans: 'objects' }, listeners: MAIN },
  { call: 'banned', fields: { address: 'text' }, listeners: MAIN },
  { call: 'flush_cache', alone: true, fields: { bad_blocks: 'bool' }, listeners: MAIN },
  {
    call: 'add_aux_pow',
    fields: { blocktemplate_blob: 'text', aux_pow: 'objects' },
  },
  {
    call: '/get_transactions',
    fields: { txs_hashes: 'texts', decode_as_json: 'bool', prune: 'bool' },
  },
  { call: '/is_key_image_spent', fields: { key_images: 'texts' } },
  { call: '/get_outs', fields: { outputs: 'objects', get_txid: 'bool' } },
  {
    call: '/send_raw_transaction',
    alone: true,
    base: { tx_as_hex: '' },
    fields: { tx_as_hex: 'text', do_not_relay: 'bool', do_sanity_checks: 'bool' },
  },
  {
    call: '/start_mining',
    alone: true,
    base: { miner_address: 'none' },
    fields: { miner_address: 'text', threads_count: 'u64', do_background_mining: 'bool' },
    listeners: MAIN,
  },
  {
    call: '/get_peer_list',
    fields: { public_only: 'bool', include_blocked: 'bool' },
    listeners: MAIN,
  },
  { call: '/get_public_nodes', fields: { gray: 'bool', white: 'bool' } },
  { call: '/set_log_hash_rate', alone: true, fields: { visible: 'bool' }, listeners: MAIN },
  {
    call: '/set_limit',
    alone: true,
    fields: { limit_down: 'i64', limit_up: 'i64' },
    listeners: MAIN,
  },
  {
    call: '/out_peers',
    alone: true,
    base: { set: false },
    fields: { out_peers: 'u32', set: 'bool' },
    listeners: MAIN,
  },
  {
    call: '/in_peers',
    alone: true,
    base: { set: false },
    fields: { in_peers: 'u32', set: 'bool' },
    listeners: MAIN,
  },
  { call: '/update', fields: { command: 'text', path: 'text' }, listeners: MAIN },
];

/** Requests that set each field of the tables to each wrong or borderline value of its type. */
export const FIELD_REQUESTS: readonly ReplayRequest[] = TABLES.flatMap(
  ({ call, fields, base = {}, listeners = BOTH, never, ...table }) =>
    Object.entries(fields).flatMap(([field, type]) =>
      VALUES[type]
        .filter((value) => never?.(value) !== true)
        .map((value) => {
          const params = { ...base, [field]: value };
          const ask = call.startsWith('/') ? json : rpc;
          const request = ask(call, params, listeners);
          return table.alone === true ? alone(request) : request;
        }),
    ),
);
