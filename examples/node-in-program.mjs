// Runs a whole node inside a program: it follows the network, serves the RPC to others, and the program reads its chain without any:
// node examples/node-in-program.mjs [FOLDER]
// Without a folder it is a node of a private network, in memory, that asks nobody; with one, a node of stagenet that synchronizes there.
import { toHex } from '@monero-node/codec';
import { NETWORKS } from '@monero-node/consensus';
import { openNode } from '@monero-node/node';
import { RpcClient } from '@monero-node/rpc-client';
import { watchBlocks } from '@monero-node/rpc-client/watch';

const [dataDir] = process.argv.slice(2);
const nobody = { exclusiveNodes: [], outPeers: 0, startsSynchronized: true };
const alone = { p2p: { bindIp: '127.0.0.1', bindPort: 0, ...nobody } };
const node = await openNode({
  ...(dataDir ? { network: 'stagenet', dataDir } : { network: NETWORKS.regtest, ...alone }),
  rpc: { bindPort: dataDir ? 38081 : 0 },
});
await node.start();
const url = `http://127.0.0.1:${node.rpc.ports.main}`;
console.log(
  `${url} serves ${node.blockchain.height} blocks; the top is ${toHex(node.blockchain.topId)}`,
);

// Without a port: calls go to the node as functions.
const client = new RpcClient({ transport: node.rpc.local });
const { nettype } = await client.rpc('get_info');
console.log(`a node of ${nettype}, with ${node.pool.size} transactions in its pool`);

const stop = new AbortController();
process.once('SIGINT', () => stop.abort());
try {
  // It is busy until it knows that it has what others have.
  const onTrouble = ({ error }) => console.log(error.message);
  const { signal } = stop;
  for await (const { kind, height } of watchBlocks({ client, from: 0, signal, onTrouble })) {
    console.log(kind, height);
    if (!dataDir) break;
  }
} catch (error) {
  if (!stop.signal.aborted) throw error;
} finally {
  await node.stop();
}
