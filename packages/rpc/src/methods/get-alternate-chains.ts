import type { HandlerOf } from '../method.ts';
import { toHex } from '@monero-node/codec';
import type { AltBlock } from '@monero-node/storage';
import { alternativeBlocks } from '../blocks/alternative-blocks.ts';
import { wideNumber } from '../encoding/wide-number.ts';
import { RpcStatus } from '../errors.ts';

/**
 * Returns the alternative chains. `block_hash` and `height` are those of the tip; `block_hashes` run from it down to
 * the fork. Throws RpcStatus when a chain has no parent block on the main chain.
 */
export const getAlternateChains: HandlerOf<'getAlternateChains'> = async (
  _request,
  { chain, yielder },
) => {
  const blocks = alternativeBlocks(chain);
  const byId = new Map(blocks.map((block) => [toHex(block.id), block]));
  const parents = new Set(blocks.map((block) => toHex(block.prevId)));
  const chains = [];
  for (const tip of blocks) {
    await yielder.yieldIfDue();
    if (parents.has(toHex(tip.id))) continue;
    const branch = branchOf(tip, byId);
    const difficulty = wideNumber(tip.cumulativeDifficulty);
    const parent = chain.store.blockMeta(tip.height - branch.length);
    if (parent === undefined) {
      throw new RpcStatus('Error finding alternate chain attachment point');
    }
    chains.push({
      block_hash: tip.id,
      block_hashes: branch.map((block) => block.id),
      difficulty: difficulty.low,
      difficulty_top64: difficulty.top,
      height: tip.height,
      length: branch.length,
      main_chain_parent_block: parent.id,
      wide_difficulty: difficulty.wide,
    });
  }
  return { chains };
};

/** From the tip down to the first block off the main chain. */
function branchOf(tip: AltBlock, byId: ReadonlyMap<string, AltBlock>): AltBlock[] {
  const branch: AltBlock[] = [];
  for (
    let block: AltBlock | undefined = tip;
    block !== undefined;
    block = byId.get(toHex(block.prevId))
  ) {
    branch.push(block);
  }
  return branch;
}
