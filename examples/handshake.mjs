// Asks a node over TCP for its height and its peers: node examples/handshake.mjs [host:port] [network]
import { toHex } from '@monero-node/codec';
import { NETWORKS } from '@monero-node/consensus';
import { handshake } from '@monero-node/p2p';

const [address = '127.0.0.1:18080', name = 'mainnet'] = process.argv.slice(2);
const node = await handshake(address, NETWORKS[name], { timeoutMs: 10_000 });
console.log(`${node.height} blocks, top block ${toHex(node.topId)}, ${node.peers.length} peers`);
