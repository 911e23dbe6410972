// Visits nodes and the peers they name, from the seeds or given nodes:
// node examples/crawl.mjs [network] [host:port …] [--allow-private]
// With --allow-private peers on private addresses are visited too, for a network of one's own.
import { NETWORKS } from '@monero-node/consensus';
import { crawl } from '@monero-node/p2p';

const given = process.argv.slice(2);
const [name = 'mainnet', ...start] = given.filter((text) => text !== '--allow-private');
const allowPrivate = given.includes('--allow-private');
const options = { maxNodes: 200, timeoutMs: 5000, allowPrivate };
if (start.length > 0) options.start = start;

const heights = new Map();
let visits = 0;
for await (const { address, ...visit } of crawl(NETWORKS[name], options)) {
  visits++;
  if (visit.ok) heights.set(address, visit.node.height);
  else console.log(visit.error.message);
}
console.log(
  `${heights.size} of ${visits} nodes answered; highest: ${Math.max(...heights.values())} blocks`,
);
if (heights.size === 0) throw new Error('no node answered');
