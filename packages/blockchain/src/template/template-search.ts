import { blockHashingBlob, encodeBlock } from '@monero-node/codec';
import { nonceOffset, type NonceSearch, type NonceSearcher } from '@monero-node/pow';
import { powRequestOf } from '../verify/pow-request.ts';
import type { BlockTemplate } from './template-types.ts';

/**
 * Returns the input of a search for the proof of work of a template: the hashing blob, the byte offset of its nonce
 * and the difficulty, without the nonces to try.
 */
export function templateSearch({
  block,
  height,
  difficulty,
  pow,
  seedHash = new Uint8Array(32),
}: BlockTemplate): Pick<NonceSearch, 'request' | 'nonceOffset' | 'difficulty'> {
  const blob = blockHashingBlob(block);
  const request = powRequestOf(pow, { height, blob, seedHash });
  return { request, nonceOffset: nonceOffset(blob), difficulty };
}

const NONCES = 2 ** 32;

/**
 * Returns the first nonce with which a template meets its difficulty; undefined when none does. Searches may end early: the
 * next one goes on where they were.
 *
 * Throws PowUnavailableError, and the reason of the signal when it is aborted.
 */
export async function findNonce(
  template: BlockTemplate,
  searcher: Pick<NonceSearcher, 'search'>,
  signal?: AbortSignal,
): Promise<number | undefined> {
  const search = { ...templateSearch(template), stride: 1, ...(signal && { signal }) };
  for (let startNonce = 0; startNonce < NONCES;) {
    const count = NONCES - startNonce;
    const { nonce, hashes } = await searcher.search({ ...search, startNonce, count });
    if (nonce !== undefined) return nonce;
    signal?.throwIfAborted();
    startNonce += hashes;
  }
  return undefined;
}

/** Returns the block blob of a template with this nonce. */
export function minedBlock({ block }: BlockTemplate, nonce: number): Uint8Array {
  return encodeBlock({ ...block, nonce });
}
