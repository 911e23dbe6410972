// Asks a node for its height and its top block: node examples/ask-node.mjs [http://127.0.0.1:18081]
import { toHex } from '@monero-node/codec/bytes';
import { RpcClient } from '@monero-node/rpc-client';

const client = new RpcClient({ url: process.argv[2] ?? 'http://127.0.0.1:18081' });
const info = await client.rpc('get_info');
const { blocks } = await client.binary('/get_blocks_by_height.bin', { heights: [0n] });

console.log(`${info.nettype}, ${info.height} blocks, top block ${toHex(info.top_block_hash)}`);
console.log(`the first block has ${blocks[0]?.block.length} bytes`);
client.close();
