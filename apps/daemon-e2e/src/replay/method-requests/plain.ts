import { BOTH, json, rpc, type ReplayRequest } from '../request.ts';

/** Old names of JSON-RPC methods. */
const ALIASES = [
  ...['getblockcount', 'on_getblockhash', 'getblocktemplate', 'submitblock'],
  ...['getlastblockheader', 'getblockheaderbyhash', 'getblockheaderbyheight'],
  ...['getblockheadersrange', 'getblock'],
];

/** Methods and paths, called here without arguments. */
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
export const PLAIN_REQUESTS: readonly ReplayRequest[] = [
  ...[...PLAIN_METHODS, ...ALIASES].map((method) => rpc(method)),
  ...PLAIN_PATHS.map((path) => json(path, {}, BOTH)),
];
