// One run of the benchmark in ../devnet.mjs: node measure.mjs NODES BLOCKS. Prints JSON.
const [nodes, blocks] = process.argv.slice(2).map(Number);

const now = () => performance.now();
const resident = () => process.memoryUsage().rss / 2 ** 20;

const began = now();
const { startNetwork, startNode } = await import('../../../packages/devnet/dist/index.js');
const imported = now();
const node = await startNode();
const started = now();
await node.mine(1);
const first = now();
await node.mine(blocks);
const mined = now();
const residentOne = resident();
await node.stop();

const before = now();
const network = await startNetwork(nodes);
const linked = now();
await network.first.mine(1);
await network.inStep();
const inStep = now();
const residentAll = resident();
await network.stop();
const stopped = now();
// Sockets that were closed just now.
await new Promise((resolve) => setTimeout(resolve, 100));
const handles = process
  .getActiveResourcesInfo()
  // The standard output, to which the parent listens.
  .filter((name) => !['PipeWrap', 'TTYWrap'].includes(name));

console.log(
  JSON.stringify({
    ...{ import: imported - began, start: started - imported, firstBlock: first - imported },
    ...{ blocks: mined - first, residentOne, nodes: linked - before, inStep: inStep - linked },
    ...{ residentAll, stop: stopped - inStep, handles: handles.length },
  }),
);
