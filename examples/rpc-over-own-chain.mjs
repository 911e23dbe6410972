// Serves the RPC of a Monero node over a chain of one's own: in memory, with blocks mined here, without peers.
import { mineBlock, openBlockchain } from '@monero-node/blockchain';
import { parseAddress, toHex } from '@monero-node/codec';
import { NETWORKS, withOverrides } from '@monero-node/consensus';
import { createPowHasher } from '@monero-node/pow';
import { RpcServer } from '@monero-node/rpc';
import { RpcClient } from '@monero-node/rpc-client';
import { createMemoryStore } from '@monero-node/storage/memory';

const address = parseAddress(
  '44AFFq5kSiGBoZ4NMDwYtN18obc8AemS33DBLWs3H7otXft3XjrpDtQGv7SqSsaBYBb98uNbr2VBBEt7f2wfn3RVGQBEP3A',
);

// At difficulty 1 the first hash is good enough.
const network = withOverrides(NETWORKS.regtest, { fixedDifficulty: 1n });
const pow = createPowHasher({ threads: 1 });
const blockchain = await openBlockchain({ network }, { store: createMemoryStore(), pow });
for (let i = 0; i < 3; i++) await mineBlock(blockchain, { address, pow });

// Port 0 lets the system choose. Wallets and explorers can use the port like a node's.
const server = new RpcServer({ bindPort: 0 }, { blockchain });
await server.start();
const client = new RpcClient({ url: `http://127.0.0.1:${server.ports.main}` });

const info = await client.rpc('get_info');
const { block_header } = await client.rpc('get_last_block_header');
console.log(`${info.nettype}, ${info.height} blocks, top block ${block_header.hash}`);
if (toHex(info.top_block_hash) !== toHex(blockchain.top.id)) throw new Error('another chain');

client.close();
await server.stop();
await blockchain.stop();
await pow.close();
