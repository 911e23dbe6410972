import type { AllowedDifference } from './allowed-difference.ts';

type Rule = Omit<AllowedDifference, 'kind'>;
const each = (kind: AllowedDifference['kind'], rules: readonly Rule[]): AllowedDifference[] =>
  rules.map((rule) => ({ ...rule, kind }));

/** Returns rules about 0.18.0.0 alone: later releases answer as our daemon does. */
const fromOld = (rules: readonly Rule[]): Rule[] =>
  rules.map((rule) => ({ ...rule, release: 'old' }));

/** Returns the same rule for each of several calls and fields. */
const spread = (calls: readonly string[], fields: readonly string[], why: string): Rule[] =>
  calls.flatMap((call) => fields.map((field) => ({ call, field, why })));

const INFO = ['get_info', '/get_info', '/getinfo'];
const SEND_RAW = ['/send_raw_transaction', '/sendrawtransaction'];
const BLOCKS_BIN = ['/get_blocks.bin', '/getblocks.bin'];
const TEMPLATE = ['get_block_template', 'getblocktemplate'];
const TRANSACTIONS = ['/get_transactions', '/gettransactions'];
const BANDWIDTH = 'later releases have different default limits, in KiB/s';
const ABOVE_CHAIN =
  'later releases return an error for heights above the chain; 0.18.0.0 returns a hash of zeros';
const NEXT = 'the development branch of monerod sends it, no release yet';

const VOLATILE: readonly Rule[] = [
  ...spread(INFO, ['start_time'], 'the time when the process started'),
  ...spread(INFO, ['adjusted_time'], 'follows the clock near the tip'),
  ...spread(INFO, ['free_space'], 'free space of the disk at that moment'),
  ...spread(INFO, ['database_size'], 'the databases differ'),
  ...spread(INFO, ['version'], 'names the program'),
  ...spread(INFO, ['rpc_connections_count'], 'also counts the client that asks'),
  ...spread(INFO, ['alt_blocks_count'], 'alternative blocks are not part of the recorded chain'),
  {
    call: 'get_version',
    field: 'version',
    why: 'we report the RPC version of the newest 0.18 release; another test compares the major part',
  },
  { call: 'get_version', field: 'release', why: 'describes how the program was built' },
  ...spread(['/json_rpc'], ['version', 'release'], 'get_version in an unusual envelope'),
  ...spread(
    BLOCKS_BIN,
    ['blocks.*.txs.*.prunable_hash'],
    '0.18 sends zeros, later versions send the hash; another test checks ours against the chain',
  ),
  { call: '/get_net_stats', field: 'start_time', why: 'the time when the process started' },
  {
    call: 'rpc_access_tracking',
    field: 'data.**',
    why: 'counts and durations of all earlier calls; 0.18.0.0 counts fewer methods',
  },
  ...spread(
    TEMPLATE,
    ['blockhashing_blob', 'blocktemplate_blob', 'expected_reward', 'reserved_offset'],
    'a template has a random transaction key and the current time; the mining suites check its contents',
  ),
  ...spread(TRANSACTIONS, ['txs.*.received_timestamp'], 'the time when this pool received it'),
  ...spread(
    ['/get_transaction_pool'],
    ['transactions.*.receive_time', 'transactions.*.last_relayed_time'],
    'the time when this pool received it',
  ),
  { call: '/get_transaction_pool', field: 'spent_key_images.**', why: 'has no defined order' },
  {
    call: '/get_transaction_pool_stats',
    field: 'pool_stats.oldest',
    why: 'the time when this pool received it',
  },
  {
    call: 'get_txpool_backlog',
    field: 'backlog',
    why: 'contains the age of each transaction in this pool',
  },
];

/** Fields that 0.18.0.0 does not send yet. */
const NEWER: readonly Rule[] = [
  { call: 'get_version', field: 'current_height', why: 'since RPC 3.11' },
  { call: 'get_version', field: 'hard_forks', why: 'since RPC 3.11' },
  { call: 'get_version', field: 'hard_forks.**', why: 'since RPC 3.11' },
  { call: 'get_version', field: 'target_height', why: 'since RPC 3.11' },
  { call: '/json_rpc', field: 'current_height', why: 'since RPC 3.11' },
  { call: '/json_rpc', field: 'hard_forks.**', why: 'since RPC 3.11' },
  ...spread(BLOCKS_BIN, ['daemon_time'], 'since RPC 3.13'),
  ...spread(SEND_RAW, ['nonzero_unlock_time'], 'since RPC 3.14'),
  ...spread(SEND_RAW, ['tx_extra_too_big'], 'since RPC 3.12'),
  ...spread(['submit_block', 'submitblock'], ['block_id'], 'since RPC 3.13'),
];

/** Fields that no release sends: documented ones, and those of the next release. */
const UNRELEASED: readonly Rule[] = [
  ...spread(BLOCKS_BIN, ['top_block_hash'], NEXT),
  ...spread(TEMPLATE, ['cumulative_weight'], NEXT),
  {
    call: '/get_outs.bin',
    field: 'outs.*.amount',
    why: 'documented for the binary form; monerod omits it',
  },
  ...spread(SEND_RAW, ['not_rct'], 'documented; monerod has removed it'),
  {
    call: '/get_transaction_pool',
    field: 'transactions.*.max_used_block_hash',
    why: 'the documented name of the field that monerod calls max_used_block_id_hash',
  },
];

const DELIBERATE: readonly Rule[] = [
  {
    call: '*',
    field: 'http.**',
    request: /HTTP: (get|Post) \/get_height$/,
    why: 'verbs are case sensitive (RFC 9110); monerod ignores their case',
  },
  {
    call: 'HTTP',
    field: 'http.**',
    request: /HTTP: HTTP\/1\.0$/,
    why: 'an HTTP/1.0 connection is closed after the answer unless the client asks to keep it open',
  },
  {
    call: 'HTTP',
    field: 'http.**',
    request:
      /HTTP: (bare line feeds|no headers at all|no version|version 3|zero bytes|a target without slash|a header without colon|a Levin header|two lengths)$/,
    why: 'the HTTP parser is a different one: it is strict about versions, lengths, line ends and targets, and closes the connection as soon as the bytes cannot become a valid request',
  },
  {
    call: 'HTTP',
    field: '**',
    request:
      /HTTP: (no headers at all|no version|version 3|bare line feeds|a header without colon|two lengths)$/,
    why: 'as above, with the answers that follow from it',
  },
  {
    call: '/get_height',
    field: '**',
    request: /HTTP: (get|Post) \/get_height$/,
    why: 'as above, with the answers that follow from it',
  },
  {
    call: 'HTTP',
    field: 'http.outcome',
    request: /HTTP: a (negative length|length over the limit)$/,
    why: 'the connection is closed as soon as the length is read; monerod first waits for the body',
  },
  {
    call: '/set_bootstrap_daemon',
    field: 'status',
    request: /not an address/,
    why: 'text that is not an address is rejected at once; monerod fails only when it connects',
  },
  ...['/health/live', '/health/ready'].map((call) => ({
    call,
    field: '**',
    request: /HTTP: (GET|HEAD) /,
    why: 'answers probes of monitoring programs (docs/operating/monitoring.md); monerod has no such path',
  })),
  {
    call: 'get_txids_loose',
    field: '**',
    why: 'the development branch of monerod has this call, no release yet',
  },
  ...['/start_save_graph', '/stop_save_graph'].map((call) => ({
    call,
    field: '**',
    why: 'documented as obsolete calls that answer OK; monerod has removed them',
  })),
];

/** Answers that changed after 0.18.0.0. */
const CHANGED_SINCE: readonly Rule[] = [
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
    why: 'later releases reject key images that are not 32 bytes; 0.18.0.0 reports them as unspent',
  },
  {
    call: 'set_bans',
    field: '**',
    request: /\{"bans":\[\{(|"x":1)\}\]\}/,
    why: 'later releases reject a ban without an address; 0.18.0.0 bans 0.0.0.0',
  },
  {
    call: 'add_aux_pow',
    field: 'envelope.error.**',
    request: /of 11 chains/,
    listener: 'restricted',
    why: 'later releases accept at most 10 chains on a restricted port',
  },
  {
    call: 'set_bans',
    field: '**',
    request: /"::5"/,
    why: 'every form of an IPv6 address is accepted, as in later releases',
  },
  {
    call: 'banned',
    field: '**',
    request: /"(\[::1\]:80|::1)"/,
    why: 'every form of an IPv6 address is accepted, as in later releases',
  },
  {
    call: 'submit_block',
    field: '**',
    request: /^submit_block without its last byte$/,
    why: 'later releases reject a block that ends before its transaction count; 0.18.0.0 reads the count as zero',
  },
  {
    call: 'get_block_template',
    field: '**',
    request: /with reserve_size (128|255)$/,
    why: 'later releases encode the length of an extra nonce above 127 bytes in two bytes, as needed; 0.18.0.0 cannot read its own template and fails',
  },
  {
    call: '*',
    field: '**',
    request: /"5"|"amount":"0"|a start of text$/,
    why: '0.18.5.3 refuses numbers in strings; 0.18.0.0 accepts them for fields of 64 bits',
  },
  {
    call: '/json_rpc',
    field: '**',
    request: /\\x41/,
    why: '0.18.5.3 refuses escapes that JSON lacks, 0.18.0.0 drops the backslash; both accept \\v and an escaped apostrophe',
  },
  ...['/get_transaction_pool', '/get_alt_blocks_hashes'].map((call): Rule => ({
    call,
    field: '**',
    listener: 'restricted',
    why: 'later releases do not have this path on a restricted port',
  })),
  {
    call: '/get_blocks.bin',
    field: '**',
    request: /requested_info|max_block_count/,
    why: 'RPC 3.13 added pool information and 3.15 max_block_count; 0.18.0.0 knows neither field',
  },
];

/** Every allowed difference. All other parts of an answer must be equal. */
export const ALLOWED_DIFFERENCES: readonly AllowedDifference[] = [
  ...each('volatile', VOLATILE),
  ...each('newer', fromOld(NEWER)),
  ...each('newer', UNRELEASED),
  ...each('deliberate', DELIBERATE),
  ...each('deliberate', fromOld(CHANGED_SINCE)),
];
