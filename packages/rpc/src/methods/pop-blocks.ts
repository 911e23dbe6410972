import { defineMethod } from '../method.ts';
import { f } from '../wire/fields.ts';

export const popBlocks = defineMethod({
  paths: ['/pop_blocks'],
  summary: 'Takes blocks off the top of the chain.',
  restricted: 'hidden',
  base: 'basic',
  request: { nblocks: f.u64() },
  response: { height: f.u64() },
  handler: async ({ nblocks }, { chain, pool }) => {
    const removable = BigInt(chain.height - 1);
    const height = await chain.popBlocks(Number(nblocks < removable ? nblocks : removable));
    // Whoever asks next finds their transactions in the pool.
    await pool.idle();
    return { height };
  },
});
