// Decodes the miner transaction of Monero's first block and prints what it pays.
import { parseBlock, toHex } from '@monero-node/codec';
import { NETWORKS } from '@monero-node/consensus';

const { block, id } = parseBlock(NETWORKS.mainnet.genesisBlob);
const { inputs, outputs } = block.minerTx;

console.log(`block ${toHex(id)}`);
console.log(`inputs: ${inputs.map(({ kind }) => kind).join(', ')}`);
for (const { amount, target } of outputs)
  console.log(`pays ${amount} atomic units (${target.kind})`);
if (toHex(id) !== toHex(NETWORKS.mainnet.genesisId)) throw new Error('not the first block');
