// Visits nodes and the peers they name, from the seeds or given nodes: node examples/crawl.mjs [network] [host:port …]
import { NETWORKS } from '@monero-node/consensus';
import { crawl } from '@monero-node/p2p';

const [name = 'mainnet', ...start] = process.argv.slice(2);
const options = { maxNodes: 200, timeoutMs: 5000, ...(start.length > 0 && { start }) };

const heights = new Map();
let visits = 0;
for await (const { address, ...visit } of crawl(NETWORKS[name], options)) {
  visits++;
  if (visit.ok) heights.set(address, visit.node.height);
  else console.log(`${address}: ${visit.error.code}`);
}
console.log(
  `${heights.size} of ${visits} nodes answered; highest: ${Math.max(...heights.values())} blocks`,
);
if (heights.size === 0) throw new Error('no node answered');
