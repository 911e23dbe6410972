import { concatBytes, fromHex, toHex } from '@monero-node/codec';
import { keccak256 } from '@monero-node/crypto';

/** The only height at which the proof-of-work hash is not computed. */
export const HISTORICAL_POW_HEIGHT = 202_612;

/** Ids, by the plain formula, of the blocks at height 202612 of mainnet, testnet and stagenet. */
const BLOCKS_202612: readonly string[] = [
  '426d16cff04c71f8b16340b722dc4010a2dd3831c22041431f772547ba6e331a',
  '248fde4b96b829c4ddbd00e3f76d35b03d01257898bc1b5578bc9e04b379a676',
  'f3449e658b5f880c4b0e69007ed5d092c9c883ac3a518166fa652d5cc505e7b1',
];

const POW_202612 = '84f64766475d51837ac9efbef1926486e58563c95a19fef4aec3254f03000000';

/**
 * Returns the proof-of-work hash of the blocks at HISTORICAL_POW_HEIGHT, 32 bytes; undefined for all
 * other blocks, whose hash must be computed. There are three, one per network, mined while the tree
 * hash was wrong.
 *
 * Source: get_block_longhash in src/cryptonote_core/cryptonote_tx_utils.cpp.
 *
 * @param hashingBlob bytes that are hashed for the block's id, as in ParsedBlock
 */
export function historicalPowHash(hashingBlob: Uint8Array): Uint8Array | undefined {
  const id = keccak256(concatBytes(Uint8Array.of(hashingBlob.length), hashingBlob));
  return BLOCKS_202612.includes(toHex(id)) ? fromHex(POW_202612) : undefined;
}
