import { blockHashingBlob, encodeBlock } from '@monero-node/codec';
import { cryptonightVariant, nonceOffset, type NonceSearch } from '@monero-node/pow';
import type { BlockTemplate } from './template-types.ts';

/**
 * Returns the input of a search for the proof of work of a template: the hashing blob, the byte offset of its nonce
 * and the difficulty, without the nonces to try.
 */
export function templateSearch({
  block,
  height,
  difficulty,
  seedHash,
}: BlockTemplate): Pick<NonceSearch, 'request' | 'nonceOffset' | 'difficulty'> {
  const blob = blockHashingBlob(block);
  const variant = cryptonightVariant(block.majorVersion);
  const request =
    variant === undefined
      ? ({ kind: 'randomx', seedHash: seedHash ?? new Uint8Array(32), blob } as const)
      : ({ kind: 'cryptonight', variant, height, blob } as const);
  return { request, nonceOffset: nonceOffset(blob), difficulty };
}

/** Returns the block blob of a template with this nonce. */
export function minedBlock({ block }: BlockTemplate, nonce: number): Uint8Array {
  return encodeBlock({ ...block, nonce });
}
