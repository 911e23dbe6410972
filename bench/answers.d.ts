// What the benches read of the answers of daemons and wallets: other members are there, and nothing looks at them.

/** The header of a block, as the JSON-RPC methods about blocks give it. */
export interface BlockHeader {
  hash: string;
  height: number;
  /** Transactions other than that of the miner. */
  num_txes: number;
  block_weight: number;
}

/** The state of a node. */
export interface Info {
  status: string;
  height: number;
  top_block_hash: string;
  tx_count: number;
  tx_pool_size: number;
  wide_cumulative_difficulty: string;
  incoming_connections_count: number;
  version: string;
}

/** An output of a wallet. */
export interface Transfer {
  key_image: string;
  amount: number;
  spent: boolean;
  frozen: boolean;
  unlocked: boolean;
}

/** Answers of JSON-RPC methods, by name. */
export interface CallAnswers {
  get_stratum_rigs: { accepted: number; refused: number };
  calc_pow: string;
  flush_txpool: { status: string };
  generateblocks: { status: string };
  get_alternate_chains: { chains?: unknown[] };
  /** `tx_hashes` is absent in a block without transactions. */
  get_block: { blob: string; miner_tx_hash: string; tx_hashes?: string[] };
  get_block_count: { count: number };
  get_output_histogram: { histogram?: unknown[] };
  get_block_header_by_height: { block_header: BlockHeader };
  get_block_headers_range: { headers: BlockHeader[] };
  get_block_template: { blocktemplate_blob: string };
  /** Absent without connections; the time in seconds. */
  get_connections: { connections?: { live_time: number }[] };
  get_fee_estimate: { fee: number };
  get_last_block_header: { block_header: BlockHeader };
  get_miner_data: { height: number };
  submit_block: { status: string };
  // Of monero-wallet-rpc.
  auto_refresh: object;
  close_wallet: object;
  create_wallet: object;
  freeze: object;
  get_address: { address: string };
  get_height: { height: number };
  get_version: { version: number };
  incoming_transfers: { transfers?: Transfer[] };
  open_wallet: object;
  query_key: { key: string };
  refresh: { blocks_fetched: number };
  restore_deterministic_wallet: object;
  store: object;
  sweep_all: { tx_blob_list: string[]; tx_hash_list: string[] };
  sweep_single: { tx_hash: string };
  transfer: { tx_blob: string; spent_key_images: { key_images: string[] } };
}

/** Answers of a daemon's other methods, by path. */
export interface PathAnswers {
  '/get_info': Info;
  '/get_transaction_pool': { transactions?: { id_hash: string }[] };
  '/get_transactions': { txs: { tx_hash: string; as_hex: string }[] };
  '/mining_status': { active: boolean; speed: number };
  '/pop_blocks': { status: string };
  '/save_bc': { status: string };
  '/send_raw_transaction': { status: string; reason: string };
  '/start_mining': { status: string };
  '/stop_mining': { status: string };
}
