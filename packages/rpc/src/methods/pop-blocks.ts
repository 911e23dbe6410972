import type { HandlerOf } from '../method.ts';

export const popBlocks: HandlerOf<'popBlocks'> = async ({ nblocks }, { chain, pool }) => {
  const removable = BigInt(chain.height - 1);
  const height = await chain.popBlocks(Number(nblocks < removable ? nblocks : removable));
  // Whoever asks next finds their transactions in the pool.
  await pool.idle();
  return { height };
};
