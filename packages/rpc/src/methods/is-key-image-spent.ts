import type { HandlerOf } from '../method.ts';
import { tryHex } from '../encoding/hex.ts';
import { RpcStatus } from '../errors.ts';
import { MAX_RESTRICTED_KEY_IMAGES } from '../limits.ts';

const UNSPENT = 0;
const SPENT_ON_CHAIN = 1;
const SPENT_IN_POOL = 2;

/**
 * Returns for each key image whether the chain or the pool spends it. Throws RpcStatus for text that is not 32 bytes in
 * hex, and for too many key images on a restricted listener.
 */
export const isKeyImageSpent: HandlerOf<'isKeyImageSpent'> = async (
  request,
  { chain, pool, restricted, yielder },
) => {
  if (restricted && request.key_images.length > MAX_RESTRICTED_KEY_IMAGES) {
    throw new RpcStatus('Too many key images queried in restricted mode');
  }
  const keyImages: Uint8Array[] = [];
  for (const text of request.key_images) {
    await yielder.yieldIfDue();
    keyImages.push(keyImageFromHex(text));
  }
  const status: number[] = [];
  for (const keyImage of keyImages) {
    await yielder.yieldIfDue();
    if (chain.store.keyImageHeight(keyImage) !== undefined) status.push(SPENT_ON_CHAIN);
    else status.push(pool.isSpent(keyImage, !restricted) ? SPENT_IN_POOL : UNSPENT);
  }
  return { spent_status: status };
};

function keyImageFromHex(text: string): Uint8Array {
  const bytes = tryHex(text);
  if (bytes === undefined) {
    throw new RpcStatus('Failed to parse hex representation of key image');
  }
  if (bytes.length !== 32) throw new RpcStatus('Failed, size of data mismatch');
  return bytes;
}
