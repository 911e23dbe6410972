import { EventEmitter } from 'node:events';
import { silentLogger } from '@monero-node/base';
import { LineCounts } from '../log/kept-lines.ts';
import { createMetrics, type MetricsSources } from './metrics.ts';

const lines: string[] = [];
const logLines = new LineCounts();
const blockchain = Object.assign(new EventEmitter(), {
  height: 9,
  top: { timestamp: 0 },
  store: { altBlockCount: 0 },
  counters: { blocks: 3 },
  nextDifficulty: () => 1n,
  nextVersion: () => 16,
});
const sources = {
  version: '1.2',
  network: 'regtest',
  logLines,
  blockchain,
  now: () => 0,
  p2p: {
    synchronized: true,
    banCount: 0,
    whiteCount: 0,
    grayCount: 0,
    connections: () => [],
    reachability: () => ({ networks: [] }),
    netStats: { bytesIn: 0, bytesOut: 0 },
  },
  notReady: () => ['no_peers'],
  pool: { size: 0, weight: 0, totals: () => Promise.resolve({ fees: 0n, oldest: undefined }) },
  store: { sizeOnDisk: 0, pageUse: () => ({ pageBytes: 0, used: 0, free: 0, mapBytes: 0 }) },
  pow: {},
  miner: { status: { active: false, speed: 0, threads: 0 } },
  ledger: { entries: [], hashes: 0 },
  stratum: undefined,
  events: undefined,
  seeds: undefined,
  fleetFigures: () => undefined,
  saturation: () => 0.25,
  rpcWorkers: () => ({ serving: 1, wanted: 2, ended: 3 }),
  freeSpace: () => Promise.resolve(5),
  logger: { ...silentLogger, info: (line: string) => lines.push(line) },
} as unknown as MetricsSources;

test('all parts are put together: readings, calls, lines of the log', async () => {
  const { onCall, part } = createMetrics({ bindIp: '127.0.0.1', bindPort: 0 }, sources);
  await part.start();
  const url = lines.join().replace('metrics on ', '');
  logLines.write('', { level: 'ERROR', category: 'global', message: '', time: new Date() });
  onCall({
    interface: 'http',
    address: '127.0.0.1',
    request: '/get_info',
    method: 'get_info',
    status: '200',
    isSent: true,
    secondsToAnswer: 0,
    seconds: 0,
    bytes: 1,
  });
  const text = await (await fetch(url)).text();
  for (const line of [
    `monero_build_info{version="1.2",network="regtest",node_version="${process.versions.node}"} 1`,
    'monero_node_ready 0',
    'monero_node_synchronized 1',
    'monero_chain_height 9',
    'monero_verified_blocks_total 3',
    'monero_store_disk_free_bytes 5',
    'monero_pow_seeds_held 0',
    'monero_log_lines_total{level="error"} 1',
    'monero_rpc_requests_total{interface="http",method="get_info",status="200"} 1',
  ])
    expect(text.split('\n')).toContain(line);
  await part.stop();
  await expect(fetch(url)).rejects.toThrow();
});
