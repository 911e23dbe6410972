import { counter, gauge, histogram } from './metric-spec.ts';

/**
 * Every metric of the node, by subsystem. docs/operating/monitoring.md has the same tables; a test compares them. Units are those of
 * Prometheus: seconds, bytes, and XMR for amounts.
 */
export const CATALOG = {
  node: {
    build: gauge(
      'monero_build_info',
      'Always 1; the labels describe the program and the network.',
      [...(['version', 'network', 'node_version'] as const)],
    ),
    ready: gauge('monero_node_ready', '1 when /health/ready answers 200, else 0.'),
    reasons: gauge(
      'monero_node_not_ready',
      '1 for each reason for which /health/ready does not answer 200, else 0.',
      ['reason'],
    ),
    synchronized: gauge(
      'monero_node_synchronized',
      '1 once the chain has caught up with that of the peers, else 0.',
    ),
  },
  chain: {
    height: gauge('monero_chain_height', 'Number of blocks of the main chain.'),
    target: gauge(
      'monero_chain_target_height',
      'Height that most outgoing peers claim, or the own height if that is more; NaN without peers.',
    ),
    lag: gauge(
      'monero_chain_lag_blocks',
      'Blocks missing up to the target height; NaN without peers.',
    ),
    topAge: gauge(
      'monero_chain_top_block_age_seconds',
      'Time since the timestamp of the newest block; negative for a block from the future.',
    ),
    difficulty: gauge('monero_chain_difficulty', 'Difficulty of the next block.'),
    hashRate: gauge(
      'monero_chain_hashes_per_second',
      'Hash rate of the whole network, estimated from the difficulty.',
    ),
    alternatives: gauge('monero_chain_alternative_blocks', 'Blocks kept on side chains.'),
    treeBlocks: gauge(
      'monero_chain_tree_blocks',
      'Blocks in the curve tree, all once it is built; 0 on a chain that keeps none.',
    ),
    reorganizations: histogram(
      'monero_chain_reorganization_depth_blocks',
      'Reorganizations, by the number of blocks that they removed.',
      [1, 2, 3, 5, 10, 20, 50, 100],
    ),
  },
  p2p: {
    peers: gauge('monero_p2p_peers', 'Peers that have shaken hands.', [
      ...(['direction', 'zone'] as const),
    ]),
    lastIncoming: gauge(
      'monero_p2p_last_incoming_timestamp_seconds',
      'When a peer that came in was last connected, over restarts; 0: nobody ever has come.',
      ['zone'],
    ),
    portMapped: gauge(
      'monero_p2p_port_mapped',
      'Whether the router forwards the port for peers, 1 or 0; only with --port-mapping.',
    ),
    known: gauge('monero_p2p_known_peers', 'Addresses on the peer lists of the public network.', [
      'list',
    ]),
    traffic: counter('monero_p2p_traffic_bytes_total', 'Bytes exchanged with peers.', [
      'direction',
    ]),
    bans: gauge('monero_p2p_bans', 'Banned hosts and subnets.'),
  },
  txpool: {
    transactions: gauge('monero_txpool_transactions', 'Transactions in the pool.'),
    weight: gauge('monero_txpool_weight', 'Sum of the weights of all transactions in the pool.'),
    oldestAge: gauge(
      'monero_txpool_oldest_age_seconds',
      'Time since the oldest transaction of the pool was received; 0 without transactions.',
    ),
    fees: gauge('monero_txpool_fees_xmr', 'Sum of the fees of all transactions in the pool.'),
  },
  verification: {
    blocks: counter('monero_verified_blocks_total', 'Blocks verified.'),
    transactions: counter(
      'monero_verified_transactions_total',
      'Transactions of blocks whose proofs were verified with their block.',
    ),
    checks: counter('monero_verified_checks_total', 'Checks that blocks have passed, by kind.', [
      'kind',
    ]),
  },
  answers: {
    saturation: gauge(
      'monero_rpc_saturation_ratio',
      'Share of what the node has for answers that is in use, 0 to 1: of the time or the memory, of the main process or on average of the workers, whichever is most.',
    ),
    workers: gauge(
      'monero_rpc_workers',
      'Worker processes of the RPC: `serving`, or `waiting` for their start or a sign of life. 0 without --rpc-workers.',
      ['state'],
    ),
    workersEnded: counter(
      'monero_rpc_workers_ended_total',
      'Worker processes of the RPC that have ended, or were killed because they did not answer.',
    ),
  },
  rpc: {
    requests: counter(
      'monero_rpc_requests_total',
      'Calls, by interface (`http`, `zmq`, `local` for the console), method and status: the HTTP status, or `ok` for ZeroMQ; `error` is an answer that reports a failure, `aborted` a connection that ended first.',
      [...(['interface', 'method', 'status'] as const)],
    ),
    duration: histogram(
      'monero_rpc_request_duration_seconds',
      'Time from the arrival of a request until its answer is ready to be sent.',
      [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10],
      [...(['interface', 'method'] as const)],
    ),
    bytes: counter('monero_rpc_response_bytes_total', 'Bytes sent to clients, headers included.', [
      ...(['interface', 'method'] as const),
    ]),
  },
  store: {
    fileBytes: gauge('monero_store_file_bytes', 'Size of the data file.'),
    mapBytes: gauge('monero_store_map_bytes', 'Address space that the data file is mapped into.'),
    pageBytes: gauge('monero_store_page_bytes', 'Size of a page of the data file.'),
    pages: gauge('monero_store_pages', 'Pages of the data file, used or free for later changes.', [
      'state',
    ]),
    freeDisk: gauge(
      'monero_store_disk_free_bytes',
      'Free space on the disk of the data directory.',
    ),
  },
  pow: {
    seeds: gauge(
      'monero_pow_seeds_held',
      'RandomX seeds whose caches, 256 MiB each, are in memory.',
    ),
  },
  miner: {
    active: gauge('monero_miner_active', '1 while the built-in miner runs, else 0.'),
    hashRate: gauge('monero_miner_hashes_per_second', 'Hash rate of the built-in miner.'),
    threads: gauge('monero_miner_threads', 'Threads of the built-in miner.'),
  },
  ledger: {
    blocks: gauge(
      'monero_mining_blocks',
      'Blocks that this node has found, by how and by what has become of them.',
      ['finder', 'fate'],
    ),
    effort: gauge(
      'monero_mining_effort_ratio',
      'Hashes of miner and rigs since they found a block, over the difficulty of the next one.',
    ),
  },
  stratum: {
    rigs: gauge('monero_stratum_rigs', 'Rigs that are connected and logged in.'),
    connections: gauge('monero_stratum_connections', 'Open connections of rigs.'),
    hashRate: gauge(
      'monero_stratum_hashes_per_second',
      'Hash rate of all rigs, from their shares of the last ten minutes.',
    ),
    hashes: counter(
      'monero_stratum_hashes_total',
      'Hashes that the accepted shares stand for: the sum of their difficulties.',
    ),
    shares: counter(
      'monero_stratum_shares_total',
      'Shares of rigs: `accepted`, `stale` for a block below the tip, or `refused`.',
      ['result'],
    ),
    blocks: counter('monero_stratum_blocks_total', 'Blocks of rigs that became the tip.'),
    bans: counter('monero_stratum_bans_total', 'Hosts of rigs that were banned.'),
  },
  events: {
    connected: gauge(
      'monero_events_connected',
      '1 while the broker of events is connected, else 0.',
    ),
    failing: gauge(
      'monero_events_failing',
      '1 while blocks or changes of the pool cannot be published, else 0.',
    ),
    behind: gauge(
      'monero_events_behind',
      '1 while the stream has a chain with more work, for which the node waits, else 0.',
    ),
    published: gauge(
      'monero_events_published_height',
      'Height of the newest block of the stream; NaN until it is known.',
    ),
    lag: gauge(
      'monero_events_lag_blocks',
      'Blocks of the chain above the newest one of the stream; NaN until it is known.',
    ),
    acknowledged: gauge(
      'monero_events_acknowledged_timestamp_seconds',
      'When the broker acknowledged a block last, Unix time; 0: not since the start.',
    ),
    serving: gauge(
      'monero_events_backfill_serving',
      '1 while requests of consumers for older blocks can come in, else 0.',
    ),
    made: counter(
      'monero_events_streams_made_total',
      'Streams that were missing at the broker and were made: new ones, and those that were deleted.',
    ),
    requests: counter(
      'monero_events_backfill_requests_total',
      'Requests of consumers for older blocks: `answered` with blocks, or `refused`.',
      ['result'],
    ),
  },
  seed: {
    size: gauge(
      'monero_seed_copy_size_bytes',
      'Size of the chain that new nodes copy from this one; 0 while none does.',
    ),
    position: gauge(
      'monero_seed_copy_position_bytes',
      'How far the new node is that is ahead of the others; 0 while none copies.',
    ),
    sent: counter('monero_seed_sent_bytes_total', 'Bytes of the chain that new nodes were sent.'),
  },
  fleet: {
    nodes: gauge(
      'monero_fleet_nodes',
      'Other nodes of the fleet, by what they said last: `ready`, `apart` if that is at a block far from that of most, `not_ready`, or `silent` without an answer.',
      ['state'],
    ),
    height: gauge(
      'monero_fleet_height',
      'Height of the tip that most nodes of the fleet which are ready vouch for; NaN while none is.',
    ),
    questions: counter(
      'monero_fleet_questions_total',
      'Questions of this node to the others about their state.',
    ),
  },
  log: {
    lines: counter('monero_log_lines_total', 'Lines written to the log, by level.', ['level']),
  },
  scrape: {
    success: gauge(
      'monero_scrape_collector_success',
      '1 when the last scrape could read these figures in time, else 0, and they are left out.',
      ['collector'],
    ),
    busy: counter(
      'monero_scrape_busy_seconds_total',
      'Time that the main thread has spent on reading and writing these metrics.',
    ),
  },
  process: {
    startTime: gauge('monero_process_start_time_seconds', 'Unix time at which the process began.'),
    cpu: counter('monero_process_cpu_seconds_total', 'Processor time of all threads, by mode.', [
      'mode',
    ]),
    resident: gauge('monero_process_resident_memory_bytes', 'Memory in use.'),
    heap: gauge('monero_process_heap_bytes', 'Memory of the JavaScript heap: used, or reserved.', [
      'state',
    ]),
    external: gauge(
      'monero_process_external_memory_bytes',
      'Memory of buffers outside the JavaScript heap.',
    ),
    gc: histogram(
      'monero_process_gc_duration_seconds',
      'Garbage collections of the main thread, by kind.',
      [0.001, 0.005, 0.02, 0.1, 0.5],
      ['kind'],
    ),
    loopActive: counter(
      'monero_event_loop_active_seconds_total',
      'Time that the main thread was busy.',
    ),
    loopDelayMax: gauge(
      'monero_event_loop_delay_max_seconds',
      'Longest time since the last scrape that the main thread kept a timer waiting.',
    ),
    loopDelay99: gauge('monero_event_loop_delay_p99_seconds', 'The same as a 99th percentile.'),
  },
} as const;
