// `npm run bench [-- WHAT OPTIONS]`, where WHAT is one of
//
//   all          those below that compare with monerod, in rounds, with one file of figures
//   big-block    answers to miners and wallets while a block of 30 MB is verified
//   browser-verify  a transaction verified with WebAssembly in Chromium and in Node
//   crypto       (default) our crypto backends against monerod's own C++
//   curve-tree   the tree of the next fork over a million outputs: growth, blocks at the tip, disk
//   fcmp         proofs of the next fork with our backends
//   fleet        stand-ins of nodes and ten thousand wallets at HAProxy: questions a second, cost, a node that joins and leaves
//   fcmp-block   proofs of a block of the next fork through the verification pool
//   fork-sync    synchronizing a chain of version 18 beside one of version 16
//   heavy-chain  records a chain full of transactions for the next one
//   report       docs/reference/benchmarks.md, made of that file
//   hostile      attacks on our daemon and on monerod, and what innocent clients notice
//   import       importing that chain from a file with our tool and with monerod's
//   rehearsal    a first synchronization of a long chain between our nodes, killed on the way: rate, memory, equal at the end
//   sync         synchronization of that chain by our daemon and by monerod
//   signed-chain makes a long chain full of valid transactions, as a file to import with full verification
//   rigs         processor time, memory and jobs of our daemon while rigs mine for it
//   rpc          requests per second of both daemons
//   pow          RandomX in WebAssembly and in librandomx
//   pow-epoch    RandomX for all blocks of a seed, without a dataset and with one
//   miner        hash rates of mining and of verification, compared with monerod's
//   miner-latency from a new block to what miners and peers are told, compared with monerod's
//   mainnet-size the store with a chain of mainnet's shape, at a tenth of its size and more
//   soak         everything at once for minutes: memory, restarts, equal chains at the end
//   storage      the cost of the store as it grows to ten million outputs
//   wear         bytes written to the disk while synchronizing and at the tip, compared with monerod's
//   wallet-scan  scanning a chain for the outputs of an account, compared with monero-wallet-rpc
//
// Each file describes its options. Ratios are against a baseline measured in the same run.
import '../tools/setup.mjs';
import { messageOf } from './values.mjs';

/** @type {Record<string, (args: string[]) => Promise<void>>} */
const COMMANDS = {
  all: async (args) => (await import('./all.mjs')).all(args),
  'big-block': async (args) => (await import('./big-block.mjs')).bigBlock(args),
  'browser-verify': async (args) => (await import('./browser-verify.mjs')).browserVerify(args),
  crypto: async (args) => (await import('./crypto.mjs')).crypto(args),
  'fcmp-block': async (args) => (await import('./fcmp-block.mjs')).fcmpBlock(args),
  'curve-tree': async (args) => (await import('./curve-tree.mjs')).curveTree(args),
  fcmp: async (args) => (await import('./fcmp.mjs')).fcmp(args),
  fleet: async (args) => (await import('./fleet.mjs')).fleet(args),
  'fork-sync': async (args) => (await import('./fork-sync.mjs')).forkSync(args),
  'heavy-chain': async (args) => (await import('./heavy-chain.mjs')).heavyChain(args),
  hostile: async (args) => (await import('./hostile.mjs')).hostile(args),
  'mainnet-size': async (args) => (await import('./mainnet-size.mjs')).mainnetSize(args),
  import: async (args) => (await import('./import.mjs')).importBench(args),
  miner: async (args) => (await import('./miner.mjs')).miner(args),
  'miner-latency': async (args) => (await import('./miner-latency.mjs')).minerLatency(args),
  pow: async (args) => (await import('./pow.mjs')).pow(args),
  'pow-epoch': async (args) => (await import('./pow-epoch.mjs')).powEpoch(args),
  rehearsal: async (args) => (await import('./rehearsal.mjs')).rehearsal(args),
  report: async (args) => (await import('./report.mjs')).report(args),
  soak: async (args) => (await import('./soak.mjs')).soak(args),
  storage: async (args) => (await import('./storage.mjs')).storage(args),
  'signed-chain': async (args) => (await import('./signed-chain.mjs')).signedChain(args),
  sync: async (args) => (await import('./sync.mjs')).sync(args),
  rigs: async (args) => (await import('./rigs.mjs')).rigs(args),
  rpc: async (args) => (await import('./rpc-load.mjs')).rpcLoad(args),
  wear: async (args) => (await import('./wear.mjs')).wear(args),
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
  console.error(`bench: ${messageOf(error)}`);
  process.exitCode = 1;
}
