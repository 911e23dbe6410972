import type { Yielder } from '@monero-node/base';
import { bytesEqual } from '@monero-node/codec';
import type { RpcChain } from '../dependencies.ts';

/**
 * Returns the height of the newest block that both sides have, as `findCommonHeight` of the chain does, but looks up a
 * long list in slices; undefined unless the list ends with the genesis block.
 *
 * @param ids 32 bytes each, newest first
 */
export async function commonHeight(
  { store }: RpcChain,
  ids: readonly Uint8Array[],
  yielder: Yielder,
): Promise<number | undefined> {
  const genesis = store.blockMeta(0)?.id;
  const last = ids.at(-1);
  if (genesis === undefined || last === undefined || !bytesEqual(last, genesis)) return undefined;
  for (const id of ids) {
    const height = store.heightOf(id);
    if (height !== undefined) return height;
    await yielder.yieldIfDue();
  }
  return undefined;
}
