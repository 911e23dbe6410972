import { Yielder } from '@monero-node/base';
import { bytesEqual, type ParsedBlock } from '@monero-node/codec';
import type { ViewTree } from '../view/tree/view-tree.ts';
import type { WriterContext } from './writer-context.ts';

/**
 * Has the newest root of the stored tree computed once more before a block on top is refused for another one: by the reference, as native
 * code may be wrong. No header has confirmed that root yet, unlike those below. It happens once for a top, so that a stranger's blocks with
 * wrong roots cost no more.
 */
export class TreeJudge {
  readonly #context: WriterContext;
  /** Id of the newest block for which it was done. */
  #judged: Uint8Array | undefined;

  constructor(context: WriterContext) {
    this.#context = context;
  }

  /**
   * Mends the stored tree where that is wrong for the newest block, and the header of the next one has another root. Resolves with whether it
   * did: then what was verified on the chain is void. Call it while nothing else changes the chain.
   */
  async judge({ block }: ParsedBlock): Promise<boolean> {
    const { tip, tree, store } = this.#context;
    const { rules, height, top, tree: view } = tip.atTip;
    if (!rules.curveTree || tree === undefined || view === undefined || top === undefined)
      return false;
    if (block.tree === undefined || !bytesEqual(block.prevId, top.id)) return false;
    const { layers, root } = block.tree;
    const hasRoot = (its: ViewTree | undefined): boolean =>
      its?.root.layers === layers && bytesEqual(its.root.root, root);
    if (hasRoot(view) || (this.#judged && bytesEqual(this.#judged, top.id))) return false;
    this.#judged = top.id;
    const right = await tree.newestRight(new Yielder());
    if (right === undefined) return false;
    await store.commit({ tree: tree.changeFrom(height - 1, [right]) });
    tip.moved(store.height, []);
    tree.mended(height - 1, right, hasRoot(tip.atTip.tree));
    return true;
  }
}
