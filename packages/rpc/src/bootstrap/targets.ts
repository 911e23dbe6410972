/** The calls that are forwarded. Recorded from monerod 0.18.0.0, which forwards exactly these. */
export const FORWARDED_PATHS: ReadonlySet<string> = new Set([
  '/get_height',
  '/getheight',
  '/get_info',
  '/getinfo',
  '/get_blocks.bin',
  '/getblocks.bin',
  '/get_blocks_by_height.bin',
  '/getblocks_by_height.bin',
  '/get_hashes.bin',
  '/gethashes.bin',
  '/get_o_indexes.bin',
  '/get_outs.bin',
  '/get_output_distribution.bin',
  '/get_transactions',
  '/gettransactions',
  '/get_alt_blocks_hashes',
  '/is_key_image_spent',
  '/send_raw_transaction',
  '/sendrawtransaction',
  '/get_transaction_pool',
  '/get_transaction_pool_hashes.bin',
  '/get_transaction_pool_hashes',
  '/get_transaction_pool_stats',
  '/get_limit',
  '/get_outs',
]);

export const FORWARDED_METHODS: ReadonlySet<string> = new Set([
  'get_info',
  'get_block_template',
  'getblocktemplate',
  'get_last_block_header',
  'getlastblockheader',
  'get_block_header_by_hash',
  'getblockheaderbyhash',
  'get_block_header_by_height',
  'getblockheaderbyheight',
  'get_block_headers_range',
  'getblockheadersrange',
  'get_block',
  'getblock',
  'hard_fork_info',
  'get_output_histogram',
  'get_version',
  'get_fee_estimate',
  'get_txpool_backlog',
  'get_output_distribution',
]);

/** Calls in whose answers the fields about bootstrapping are replaced by this node's. */
export const INFO_TARGETS: ReadonlySet<string> = new Set(['/get_info', '/getinfo', 'get_info']);

/** Returns whether a path takes and returns portable storage, whatever its name. */
export function isBinary(path: string): boolean {
  return path.endsWith('.bin') && path !== '/get_transaction_pool_hashes.bin';
}
