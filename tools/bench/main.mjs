// `npm run bench [-- WHAT OPTIONS]`, where WHAT is one of
//
//   all          those below that compare with monerod, in rounds, with one file of figures
//   browser-verify  a transaction verified with WebAssembly in Chromium and in Node
//   crypto       (default) our crypto backends against monerod's own C++
//   devnet       what tests with @monero-node/devnet wait for: first block, 100 blocks, 20 nodes, memory
//   era-sync     synchronisation of a chain through all hard forks, era by era
//   full-pool    a pool of 50,000 transactions: admission, restart, calls, eviction, memory, beside monerod
//   heavy-chain  records a chain full of transactions for the next one
//   report       docs/reference/benchmarks.md, made of that file
//   idle         processor time and memory of a node that has nothing to do, beside monerod's
//   hostile      attacks on our daemon and on monerod, and what innocent clients notice
//   log-stall    what a slow disk under the log does to the node
//   import       importing that chain from a file with our tool and with monerod's
//   sync         synchronisation of that chain by our daemon and by monerod
//   rpc          requests per second of both daemons
//   pow          RandomX in WebAssembly and in librandomx
//   miner        hash rates of mining and of verification, compared with monerod's
//   mining-start what miners find from the first second on, confirmed by blocks
//   side-chain   the time that a side chain takes as it grows
//   mainnet-size the store with a chain of mainnet's shape, at a tenth of its size and more
//   metrics-cost what Prometheus costs our daemon, and whether its metrics are complete
//   soak         everything at once for minutes: memory, restarts, equal chains at the end
//   start-stop   how fast a daemon starts and stops, and its memory before it verifies, beside monerod's
//   storage      the cost of the store as it grows to ten million outputs
//   wallet-scan  scanning a chain for the outputs of an account, compared with monero-wallet-rpc
//
// Each file describes its options. Ratios are against a baseline measured in the same run.
import '../setup.mjs';

const COMMANDS = {
  all: async (args) => (await import('./all.mjs')).all(args),
  'browser-verify': async (args) => (await import('./browser-verify.mjs')).browserVerify(args),
  crypto: async (args) => (await import('./crypto.mjs')).crypto(args),
  devnet: async (args) => (await import('./devnet.mjs')).devnet(args),
  'era-sync': async (args) => (await import('./era-sync.mjs')).eraSync(args),
  'full-pool': async (args) => (await import('./full-pool.mjs')).fullPool(args),
  'heavy-chain': async (args) => (await import('./heavy-chain.mjs')).heavyChain(args),
  hostile: async (args) => (await import('./hostile.mjs')).hostile(args),
  idle: async (args) => (await import('./idle.mjs')).idle(args),
  'log-stall': async (args) => (await import('./log-stall.mjs')).logStall(args),
  'mainnet-size': async (args) => (await import('./mainnet-size.mjs')).mainnetSize(args),
  import: async (args) => (await import('./import.mjs')).importBench(args),
  miner: async (args) => (await import('./miner.mjs')).miner(args),
  'mining-start': async (args) => (await import('./mining-start.mjs')).miningStart(args),
  'metrics-cost': async (args) => (await import('./metrics-cost.mjs')).metricsCost(args),
  pow: async (args) => (await import('./pow.mjs')).pow(args),
  report: async (args) => (await import('./report.mjs')).report(args),
  'side-chain': async (args) => (await import('./side-chain.mjs')).sideChain(args),
  soak: async (args) => (await import('./soak.mjs')).soak(args),
  'start-stop': async (args) => (await import('./start-stop.mjs')).startStop(args),
  storage: async (args) => (await import('./storage.mjs')).storage(args),
  sync: async (args) => (await import('./sync.mjs')).sync(args),
  rpc: async (args) => (await import('./rpc-load.mjs')).rpcLoad(args),
  'wallet-scan': async (args) => (await import('./wallet-scan.mjs')).walletScan(args),
};

const [first, ...rest] = process.argv.slice(2);
const named = first !== undefined && !first.startsWith('-');
const command = COMMANDS[named ? first : 'crypto'];
try {
  if (!command) {
    throw new Error(`unknown benchmark ${first}; choose from ${Object.keys(COMMANDS).join(', ')}`);
  }
  await command(named ? rest : process.argv.slice(2));
} catch (error) {
  console.error(`bench: ${error.message}`);
  process.exitCode = 1;
}
