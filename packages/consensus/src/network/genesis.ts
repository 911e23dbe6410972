import { concatBytes, fromHex } from '@monero-node/codec/bytes';

/**
 * Returns the bytes of a genesis block: version 1.0, timestamp 0, no previous block, and no transaction
 * but the miner's.
 *
 * Source: generate_genesis_block in src/cryptonote_core/cryptonote_tx_utils.cpp.
 *
 * @param parts nonce, and the miner transaction in hex
 */
export function genesisBlob(parts: { nonce: number; minerTx: string }): Uint8Array {
  const header = new Uint8Array(3 + 32 + 4);
  header[0] = 1;
  new DataView(header.buffer).setUint32(3 + 32, parts.nonce, true);
  return concatBytes(header, fromHex(parts.minerTx), Uint8Array.of(0));
}
