/**
 * The interface that this node promises, as its documentation lists it. Fields are separated by blanks, with their type
 * after a colon unless it is an unsigned integer; `[x]` is a list and `{x}` an object of a structure below.
 */
export interface DocumentedCall {
  /** Names (JSON-RPC) or paths (with a slash), the preferred one first. */
  readonly at: readonly string[];
  readonly binary?: true;
  /** Fields of the request, or `[x]` for a list of parameters. */
  readonly takes: string;
  /** Fields of the answer; a single word without colon that names a structure stands for its fields. */
  readonly gives: string;
}

/** Structures by name, with their fields. */
export const DOCUMENTED_STRUCTURES: Readonly<Record<string, string>> = {
  block_header:
    'block_size block_weight cumulative_difficulty cumulative_difficulty_top64 depth difficulty difficulty_top64 hash:string height long_term_weight major_version minor_version miner_tx_hash:string nonce num_txes orphan_status:boolean pow_hash:string prev_hash:string reward timestamp wide_cumulative_difficulty:string wide_difficulty:string',
  transaction:
    'as_hex:string as_json:string block_height block_timestamp double_spend_seen:boolean in_pool:boolean output_indices:[uint] prunable_as_hex:string prunable_hash:string pruned_as_hex:string tx_hash:string',
  pool_transaction:
    'blob_size do_not_relay:boolean double_spend_seen:boolean fee id_hash:string kept_by_block:boolean last_failed_height last_failed_id_hash:string last_relayed_time max_used_block_height max_used_block_hash:string receive_time relayed:boolean tx_blob:string tx_json:string',
  connection:
    'address:string address_type avg_download avg_upload connection_id:string current_download current_upload height host:string incoming:boolean ip:string live_time local_ip:boolean localhost:boolean peer_id:string port:string pruning_seed recv_count recv_idle_time send_count send_idle_time rpc_credits_per_hash rpc_port state:string support_flags',
  get_info:
    'adjusted_time alt_blocks_count block_size_limit block_size_median block_weight_limit block_weight_median bootstrap_daemon_address:string busy_syncing:boolean credits cumulative_difficulty cumulative_difficulty_top64 database_size difficulty difficulty_top64 free_space grey_peerlist_size white_peerlist_size height height_without_bootstrap incoming_connections_count outgoing_connections_count mainnet:boolean stagenet:boolean testnet:boolean nettype:string offline:boolean rpc_connections_count start_time status:string synchronized:boolean target target_height top_block_hash:string top_hash:string tx_count tx_pool_size untrusted:boolean update_available:boolean version:string was_bootstrap_ever_used:boolean wide_cumulative_difficulty:string wide_difficulty:string',
  ban: 'host:string ip seconds',
  alternate_chain:
    'block_hash:string block_hashes:[string] difficulty difficulty_top64 height length main_chain_parent_block:string wide_difficulty:string',
  histogram_entry: 'amount total_instances unlocked_instances recent_instances',
  distribution: 'amount base start_height distribution:[uint]',
  span: 'connection_id:string nblocks rate remote_address:string size speed start_block_height',
  peer: 'host id:string ip last_seen port',
  pool_stats:
    'bytes_max bytes_med bytes_min bytes_total fee_total histo:[pool_stats_bin] histo_98pc num_10m num_double_spends num_failing num_not_relayed oldest txs_total',
  output_request: 'amount index',
  output: 'amount height key:string mask:string txid:string unlocked:boolean',
  pool_stats_bin: 'txs bytes',
  output_json: 'height key:string mask:string txid:string unlocked:boolean',
  ban_request: 'host:string ip seconds ban:boolean',
  sync_peer: 'info:{connection}',
  spent_key_image: 'id_hash:string txs_hashes:[string]',
  output_indices: 'indices:[tx_output_indices]',
  tx_output_indices: 'indices:[uint]',
  block_complete: '',
};

export const DOCUMENTED_CALLS: readonly DocumentedCall[] = [
  {
    at: ['get_block_count', 'getblockcount'],
    takes: '',
    gives: 'count status:string untrusted:boolean',
  },
  { at: ['on_get_block_hash', 'on_getblockhash'], takes: '[uint]', gives: 'string' },
  {
    at: ['get_block_template', 'getblocktemplate'],
    takes: 'wallet_address:string reserve_size',
    gives:
      'blocktemplate_blob:string blockhashing_blob:string difficulty difficulty_top64 expected_reward height next_seed_hash:string prev_hash:string reserved_offset seed_hash:string seed_height status:string untrusted:boolean wide_difficulty:string',
  },
  { at: ['submit_block', 'submitblock'], takes: '[string]', gives: 'status:string' },
  {
    at: ['get_last_block_header', 'getlastblockheader'],
    takes: '',
    gives: 'block_header:{block_header} credits status:string top_hash:string untrusted:boolean',
  },
  {
    at: ['get_block_header_by_hash', 'getblockheaderbyhash'],
    takes: 'hash:string',
    gives: 'block_header:{block_header} status:string untrusted:boolean credits top_hash:string',
  },
  {
    at: ['get_block_header_by_height', 'getblockheaderbyheight'],
    takes: 'height',
    gives: 'block_header:{block_header} status:string untrusted:boolean credits top_hash:string',
  },
  {
    at: ['get_block_headers_range', 'getblockheadersrange'],
    takes: 'start_height end_height',
    gives: 'headers:[block_header] credits status:string top_hash:string untrusted:boolean',
  },
  {
    at: ['get_block', 'getblock'],
    takes: 'height hash:string',
    gives:
      'blob:string block_header:{block_header} credits json:string miner_tx_hash:string status:string top_hash:string tx_hashes:[string] untrusted:boolean',
  },
  {
    at: ['get_connections'],
    takes: '',
    gives: 'connections:[connection] status:string untrusted:boolean',
  },
  { at: ['get_info'], takes: '', gives: 'get_info' },
  {
    at: ['hard_fork_info'],
    takes: '',
    gives:
      'credits earliest_height enabled:boolean state status:string threshold top_hash:string untrusted:boolean version votes voting window',
  },
  { at: ['set_bans'], takes: 'bans:[ban_request]', gives: 'status:string untrusted:boolean' },
  { at: ['get_bans'], takes: '', gives: 'bans:[ban] status:string untrusted:boolean' },
  { at: ['flush_txpool'], takes: 'txids:[string]', gives: 'status:string' },
  {
    at: ['get_output_histogram'],
    takes: 'amounts:[uint] min_count max_count unlocked:boolean recent_cutoff',
    gives: 'credits histogram:[histogram_entry] status:string top_hash:string untrusted:boolean',
  },
  {
    at: ['get_coinbase_tx_sum'],
    takes: 'height count',
    gives:
      'credits emission_amount emission_amount_top64 fee_amount fee_amount_top64 status:string top_hash:string untrusted:boolean wide_emission_amount:string wide_fee_amount:string',
  },
  {
    at: ['get_version'],
    takes: '',
    gives: 'release:boolean status:string untrusted:boolean version',
  },
  {
    at: ['get_fee_estimate'],
    takes: 'grace_blocks',
    gives: 'credits fee quantization_mask status:string top_hash:string untrusted:boolean',
  },
  {
    at: ['get_alternate_chains'],
    takes: '',
    gives: 'chains:[alternate_chain] status:string untrusted:boolean',
  },
  { at: ['relay_tx'], takes: 'txids:[string]', gives: 'status:string' },
  {
    at: ['sync_info'],
    takes: '',
    gives:
      'credits height next_needed_pruning_seed overview:string peers:[sync_peer] spans:[span] status:string target_height top_hash:string untrusted:boolean',
  },
  { at: ['get_txpool_backlog'], takes: '', gives: 'backlog:bytes status:string untrusted:boolean' },
  {
    at: ['get_output_distribution'],
    takes: 'amounts:[uint] cumulative:boolean from_height to_height',
    gives: 'distributions:[distribution] status:string',
  },
  {
    at: ['calc_pow'],
    takes: 'major_version height block_blob:string seed_hash:string',
    gives: 'string',
  },
  {
    at: ['/get_height', '/getheight'],
    takes: '',
    gives: 'hash:string height status:string untrusted:boolean',
  },
  {
    at: ['/get_blocks.bin', '/getblocks.bin'],
    binary: true,
    takes: 'block_ids:bytes start_height prune:boolean',
    gives:
      'blocks:[block_complete] current_height output_indices:[output_indices] start_height status:string untrusted:boolean',
  },
  {
    at: ['/get_blocks_by_height.bin', '/getblocks_by_height.bin'],
    binary: true,
    takes: 'heights:[uint]',
    gives: 'blocks:[block_complete] status:string untrusted:boolean',
  },
  {
    at: ['/get_hashes.bin', '/gethashes.bin'],
    binary: true,
    takes: 'block_ids:bytes start_height',
    gives: 'current_height m_block_ids:bytes start_height status:string untrusted:boolean',
  },
  {
    at: ['/get_o_indexes.bin'],
    binary: true,
    takes: 'txid:bytes',
    gives: 'o_indexes:[uint] status:string untrusted:boolean',
  },
  {
    at: ['/get_outs.bin'],
    binary: true,
    takes: 'outputs:[output_request]',
    gives: 'outs:[output] status:string untrusted:boolean',
  },
  {
    at: ['/get_outs'],
    takes: 'outputs:[output_request] get_txid:boolean',
    gives: 'outs:[output_json] status:string untrusted:boolean',
  },
  {
    at: ['/get_transactions', '/gettransactions'],
    takes: 'txs_hashes:[string] decode_as_json:boolean prune:boolean',
    gives:
      'missed_tx:[string] status:string top_hash:string txs:[transaction] txs_as_hex:[string] txs_as_json:[string] credits untrusted:boolean',
  },
  {
    at: ['/get_alt_blocks_hashes'],
    takes: '',
    gives: 'blks_hashes:[string] credits status:string top_hash:string untrusted:boolean',
  },
  {
    at: ['/is_key_image_spent'],
    takes: 'key_images:[string]',
    gives: 'credits spent_status:[uint] status:string top_hash:string untrusted:boolean',
  },
  {
    at: ['/send_raw_transaction', '/sendrawtransaction'],
    takes: 'tx_as_hex:string do_not_relay:boolean',
    gives:
      'double_spend:boolean fee_too_low:boolean invalid_input:boolean invalid_output:boolean low_mixin:boolean not_rct:boolean not_relayed:boolean overspend:boolean reason:string status:string too_big:boolean untrusted:boolean',
  },
  {
    at: ['/start_mining'],
    takes: 'do_background_mining:boolean ignore_battery:boolean miner_address:string threads_count',
    gives: 'status:string untrusted:boolean',
  },
  { at: ['/stop_mining'], takes: '', gives: 'status:string untrusted:boolean' },
  {
    at: ['/mining_status'],
    takes: '',
    gives:
      'active:boolean address:string bg_idle_threshold:int bg_ignore_battery:boolean bg_min_idle_seconds:int bg_target:int block_reward block_target:int difficulty difficulty_top64 is_background_mining_enabled:boolean pow_algorithm:string speed status:string threads_count untrusted:boolean wide_difficulty:string',
  },
  { at: ['/save_bc'], takes: '', gives: 'status:string untrusted:boolean' },
  { at: ['/get_peer_list'], takes: '', gives: 'gray_list:[peer] white_list:[peer] status:string' },
  {
    at: ['/set_log_hash_rate'],
    takes: 'visible:boolean',
    gives: 'status:string untrusted:boolean',
  },
  { at: ['/set_log_level'], takes: 'level:int', gives: 'status:string untrusted:boolean' },
  {
    at: ['/set_log_categories'],
    takes: 'categories:string',
    gives: 'categories:string status:string untrusted:boolean',
  },
  {
    at: ['/get_transaction_pool'],
    takes: '',
    gives:
      'credits spent_key_images:[spent_key_image] status:string transactions:[pool_transaction]',
  },
  {
    at: ['/get_transaction_pool_hashes.bin'],
    binary: true,
    takes: '',
    gives: 'status:string tx_hashes:bytes untrusted:boolean',
  },
  {
    at: ['/get_transaction_pool_stats'],
    takes: '',
    gives: 'credits pool_stats:{pool_stats} status:string top_hash:string untrusted:boolean',
  },
  { at: ['/stop_daemon'], takes: '', gives: 'status:string' },
  { at: ['/get_info', '/getinfo'], takes: '', gives: 'get_info' },
  { at: ['/get_limit'], takes: '', gives: 'limit_down limit_up status:string untrusted:boolean' },
  {
    at: ['/set_limit'],
    takes: 'limit_down:int limit_up:int',
    gives: 'limit_down limit_up status:string untrusted:boolean',
  },
  { at: ['/out_peers'], takes: 'out_peers', gives: 'out_peers status:string untrusted:boolean' },
  { at: ['/in_peers'], takes: 'in_peers', gives: 'in_peers status:string untrusted:boolean' },
  { at: ['/start_save_graph'], takes: '', gives: 'status:string' },
  { at: ['/stop_save_graph'], takes: '', gives: 'status:string' },
  {
    at: ['/update'],
    takes: 'command:string path:string',
    gives:
      'auto_uri:string hash:string path:string status:string untrusted:boolean update:boolean user_uri:string version:string',
  },
];
