import type { HandlerOf } from '../method.ts';

/** Removes blocks from the top of the chain, the genesis block excepted. Returns the new height. */
export const popBlocks: HandlerOf<'popBlocks'> = async ({ nblocks }, { chain, pool }) => {
  const removable = BigInt(chain.height - 1);
  const height = await chain.popBlocks(Number(nblocks < removable ? nblocks : removable));
  // Whoever asks next finds their transactions in the pool.
  await pool.idle();
  return { height };
};
