// Computes the proof of work of Monero's first block and compares it with the difficulty 1.
import { blockHashingBlob, parseBlock, toHex } from '@monero-node/codec';
import { meetsDifficulty, NETWORKS } from '@monero-node/consensus';
import { createPowHasher } from '@monero-node/pow';

const { block } = parseBlock(NETWORKS.mainnet.genesisBlob);
const hasher = createPowHasher({ engine: 'wasm', threads: 1 });
try {
  const blob = blockHashingBlob(block);
  const hash = await hasher.hash({ kind: 'cryptonight', variant: 0, height: 0, blob });
  console.log(`CryptoNight hash of the first block: ${toHex(hash)}`);
  if (!meetsDifficulty(hash, 1n)) throw new Error('not enough work');
} finally {
  await hasher.close();
}
