// `npm run bench [-- WHAT OPTIONS]`, where WHAT is one of
//
//   crypto       (default) our crypto backends against monerod's own C++
//   heavy-chain  records a chain full of transactions for the next one
//   sync         our daemon and monerod synchronise that chain
//   rpc          requests per second that both answer
//   pow          RandomX in WebAssembly and by librandomx
//   miner        hash rates of mining and of verification, against monerod
//   soak         some minutes of everything at once: memory, restarts, the same chain at the end
//   storage      how the store grows with ten million outputs
//
// Each file says what its options are. Ratios are against a baseline measured in the same run.
import '../setup.mjs';

const COMMANDS = {
  crypto: async (args) => (await import('./crypto.mjs')).crypto(args),
  'heavy-chain': async (args) => (await import('./heavy-chain.mjs')).heavyChain(args),
  miner: async (args) => (await import('./miner.mjs')).miner(args),
  pow: async (args) => (await import('./pow.mjs')).pow(args),
  soak: async (args) => (await import('./soak.mjs')).soak(args),
  storage: async (args) => (await import('./storage.mjs')).storage(args),
  sync: async (args) => (await import('./sync.mjs')).sync(args),
  rpc: async (args) => (await import('./rpc-load.mjs')).rpcLoad(args),
};

const [first, ...rest] = process.argv.slice(2);
const named = first !== undefined && !first.startsWith('-');
const command = COMMANDS[named ? first : 'crypto'];
try {
  if (!command) throw new Error(`what is ${first}? There are ${Object.keys(COMMANDS).join(', ')}`);
  await command(named ? rest : process.argv.slice(2));
} catch (error) {
  console.error(`bench: ${error.message}`);
  process.exitCode = 1;
}
