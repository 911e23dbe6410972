import type { AllowedDifference } from './allowed-difference.ts';

type Rule = Omit<AllowedDifference, 'kind'>;
const each = (kind: AllowedDifference['kind'], rules: readonly Rule[]): AllowedDifference[] =>
  rules.map((rule) => ({ ...rule, kind }));

/** The same rule for several calls or fields. */
const spread = (calls: readonly string[], fields: readonly string[], why: string): Rule[] =>
  calls.flatMap((call) => fields.map((field) => ({ call, field, why })));

const INFO = ['get_info', '/get_info', '/getinfo'];
const SEND_RAW = ['/send_raw_transaction', '/sendrawtransaction'];
const BLOCKS_BIN = ['/get_blocks.bin', '/getblocks.bin'];
const TEMPLATE = ['get_block_template', 'getblocktemplate'];
const TRANSACTIONS = ['/get_transactions', '/gettransactions'];
const BANDWIDTH = 'later releases have other limits unless told, in KiB/s';
const ABOVE_CHAIN =
  'later releases answer an error for heights above the chain; 0.18.0.0 a hash of zeros';
const AHEAD = 'later releases answer OK without blocks to who is ahead; 0.18.0.0 fails';

const VOLATILE: readonly Rule[] = [
  ...spread(INFO, ['start_time'], 'when the process started'),
  ...spread(INFO, ['adjusted_time'], 'follows the clock near the tip'),
  ...spread(INFO, ['free_space'], 'of the disk at that moment'),
  ...spread(INFO, ['database_size'], 'another database'),
  ...spread(INFO, ['version'], 'names the program'),
  ...spread(INFO, ['rpc_connections_count'], 'counts this very client'),
  ...spread(INFO, ['alt_blocks_count'], 'alternative blocks are not part of the recorded chain'),
  {
    call: 'get_version',
    field: 'version',
    why: 'we report the RPC version of the newest 0.18 release; the major part is compared apart',
  },
  { call: 'get_version', field: 'release', why: 'how the program was built' },
  ...spread(['/json_rpc'], ['version', 'release'], 'get_version called in an unusual way'),
  ...spread(
    BLOCKS_BIN,
    ['blocks.*.txs.*.prunable_hash'],
    '0.18 sends zeros, later versions the hash; ours is held against the chain itself',
  ),
  { call: '/get_net_stats', field: 'start_time', why: 'when the process started' },
  {
    call: 'rpc_access_tracking',
    field: 'data.**',
    why: 'counts and durations of all calls before; 0.18.0.0 counts fewer methods',
  },
  ...spread(
    TEMPLATE,
    ['blockhashing_blob', 'blocktemplate_blob', 'expected_reward', 'reserved_offset'],
    'the transaction key of a template is random and its time is now; the miner suite reads them',
  ),
  ...spread(TRANSACTIONS, ['txs.*.received_timestamp'], 'when this pool got it'),
  ...spread(
    ['/get_transaction_pool'],
    ['transactions.*.receive_time', 'transactions.*.last_relayed_time'],
    'when this pool got it',
  ),
  { call: '/get_transaction_pool', field: 'spent_key_images.**', why: 'in no order' },
  { call: '/get_transaction_pool_stats', field: 'pool_stats.oldest', why: 'when this pool got it' },
  { call: 'get_txpool_backlog', field: 'backlog', why: 'holds how long ago this pool got it' },
];

const NEWER: readonly Rule[] = [
  { call: 'get_version', field: 'current_height', why: 'since RPC 3.11' },
  { call: 'get_version', field: 'hard_forks', why: 'since RPC 3.11' },
  { call: 'get_version', field: 'hard_forks.**', why: 'since RPC 3.11' },
  { call: 'get_version', field: 'target_height', why: 'since RPC 3.11' },
  { call: '/json_rpc', field: 'current_height', why: 'since RPC 3.11' },
  { call: '/json_rpc', field: 'hard_forks.**', why: 'since RPC 3.11' },
  {
    call: '/get_outs.bin',
    field: 'outs.*.amount',
    why: 'documented for the binary form; monerod leaves it out',
  },
  ...spread(BLOCKS_BIN, ['top_block_hash'], 'since RPC 3.17'),
  ...spread(BLOCKS_BIN, ['daemon_time'], 'since RPC 3.13'),
  ...spread(SEND_RAW, ['nonzero_unlock_time'], 'since RPC 3.14'),
  ...spread(SEND_RAW, ['tx_extra_too_big'], 'since RPC 3.12'),
  ...spread(SEND_RAW, ['not_rct'], 'documented; monerod has dropped it'),
  ...spread(['submit_block', 'submitblock'], ['block_id'], 'since RPC 3.13'),
  ...spread(TEMPLATE, ['cumulative_weight'], 'since RPC 3.17'),
  {
    call: '/get_transaction_pool',
    field: 'transactions.*.max_used_block_hash',
    why: 'the documented name of max_used_block_id_hash',
  },
];

const DELIBERATE: readonly Rule[] = [
  {
    call: '*',
    field: 'http.**',
    request: /HTTP: (get|Post) \/get_height$/,
    why: 'verbs are case sensitive (RFC 9110); monerod takes any spelling',
  },
  {
    call: 'HTTP',
    field: 'http.**',
    request: /HTTP: HTTP\/1\.0$/,
    why: 'a connection of HTTP/1.0 ends after the answer unless asked otherwise',
  },
  {
    call: 'HTTP',
    field: 'http.**',
    request:
      /HTTP: (bare line feeds|no headers at all|no version|version 3|zero bytes|a target without slash|a header without colon|a Levin header|two lengths)$/,
    why: 'malformed requests are read by another parser: strict about versions, lengths, line ends and targets, and it does not wait for what can not become a request',
  },
  {
    call: 'HTTP',
    field: 'http.outcome',
    request: /HTTP: a (negative length|length over the limit)$/,
    why: 'the connection is closed when the length is read; 0.18.0.0 waits for the body first',
  },
  {
    call: 'HTTP',
    field: '**',
    request:
      /HTTP: (no headers at all|no version|version 3|bare line feeds|a header without colon|two lengths)$/,
    why: 'as above, and the answers that follow from it',
  },
  {
    call: '/get_height',
    field: '**',
    request: /HTTP: (get|Post) \/get_height$/,
    why: 'as above, and the answers that follow from it',
  },
  ...spread(['/get_limit', '/set_limit'], ['limit_down'], BANDWIDTH).map((rule): Rule => ({
    ...rule,
    values: ['32768', '8192'],
  })),
  ...spread(['/get_limit', '/set_limit'], ['limit_up'], BANDWIDTH).map((rule): Rule => ({
    ...rule,
    values: ['8192', '2048'],
  })),
  ...spread(
    ['on_get_block_hash', 'on_getblockhash'],
    ['envelope.error.code', 'envelope.error.message', 'result'],
    ABOVE_CHAIN,
  )
    .filter(({ call }) => call === 'on_get_block_hash')
    .map((rule) => ({ ...rule, request: /\[\d{4,}\]/ })),
  {
    call: '/is_key_image_spent',
    field: '**',
    request: /"key_images":\[.*"(00|)"/,
    why: 'later releases refuse key images that are not 32 bytes; 0.18.0.0 takes them for unspent',
  },
  {
    call: 'set_bans',
    field: '**',
    request: /\{"bans":\[\{(|"x":1)\}\]\}/,
    why: 'later releases refuse a ban of nobody; 0.18.0.0 bans 0.0.0.0',
  },
  {
    call: 'add_aux_pow',
    field: 'envelope.error.**',
    request: /of 11 chains/,
    listener: 'restricted',
    why: 'later releases take at most 10 chains on a restricted port',
  },
  {
    call: 'set_bans',
    field: '**',
    request: /"::5"/,
    why: 'IPv6 addresses are understood in every form, as in later releases',
  },
  {
    call: 'banned',
    field: '**',
    request: /"(\[::1\]:80|::1)"/,
    why: 'IPv6 addresses are understood in every form, as in later releases',
  },
  {
    call: '/set_bootstrap_daemon',
    field: 'status',
    request: /not an address/,
    why: 'what is no address is refused at once; 0.18.0.0 notices when it calls it',
  },
  ...['/start_save_graph', '/stop_save_graph'].map((call) => ({
    call,
    field: '**',
    why: 'documented as obsolete calls that answer OK; monerod has dropped them',
  })),
  {
    call: 'get_txids_loose',
    field: '**',
    why: 'later releases have it, 0.18.0.0 does not',
  },
  {
    call: 'submit_block',
    field: '**',
    request: /^submit_block without its last byte$/,
    why: 'later releases refuse a block that ends before the number of its transactions; 0.18.0.0 takes that for zero',
  },
  {
    call: 'get_block_template',
    field: '**',
    request: /with reserve_size (128|255)$/,
    why: 'later releases give an extra nonce of more than 127 bytes the length of two bytes that it needs; 0.18.0.0 can not read its own and fails',
  },
  {
    call: '/get_blocks.bin',
    field: 'status',
    request: /start (far )?past the tip/,
    why: AHEAD,
  },
  {
    call: '/get_blocks.bin',
    field: 'current_height',
    request: /start (far )?past the tip/,
    why: AHEAD,
  },
  {
    call: '/get_blocks.bin',
    field: '**',
    request: /requested_info|max_block_count/,
    why: 'pool information since RPC 3.13, fewer blocks on request since 3.15; 0.18.0.0 knows neither field',
  },
];

/** All of them. Whatever is not listed here must be equal. */
export const ALLOWED_DIFFERENCES: readonly AllowedDifference[] = [
  ...each('volatile', VOLATILE),
  ...each('newer', NEWER),
  ...each('deliberate', DELIBERATE),
];
