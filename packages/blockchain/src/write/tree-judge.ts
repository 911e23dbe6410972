import { Yielder } from '@monero-node/base';
import { bytesEqual, type CurveTreeRoot, type ParsedBlock } from '@monero-node/codec';
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

  /** Whether a block has another root than this node, and that was not computed once more yet. */
  isDue({ block }: ParsedBlock): boolean {
    const { tip, tree } = this.#context;
    const { rules, top, tree: view } = tip.atTip;
    if (!rules.curveTree || tree === undefined || view === undefined || top === undefined)
      return false;
    if (block.tree === undefined || !bytesEqual(block.prevId, top.id)) return false;
    return !hasRoot(view, block.tree) && !(this.#judged && bytesEqual(this.#judged, top.id));
  }

  /**
   * Mends the stored tree where that is wrong for the newest block, if it {@link isDue}. Resolves with whether it did: then what was verified on
   * the chain is void. Call it while nothing else changes the chain, for a block whose proof of work is good: it may take long.
   */
  async judge(parsed: ParsedBlock): Promise<boolean> {
    const { tip, tree, store } = this.#context;
    const { height, top } = tip.atTip;
    const header = parsed.block.tree;
    if (!this.isDue(parsed) || tree === undefined || header === undefined) return false;
    this.#judged = top?.id;
    const right = await tree.newestRight(new Yielder());
    if (right === undefined) return false;
    await store.commit({ tree: tree.changeFrom(height - 1, [right]) });
    tip.moved(store.height, []);
    const agrees = tip.atTip.tree !== undefined && hasRoot(tip.atTip.tree, header);
    tree.mended(height - 1, right, agrees);
    return true;
  }
}

function hasRoot({ root: own }: ViewTree, { layers, root }: CurveTreeRoot): boolean {
  return own.layers === layers && bytesEqual(own.root, root);
}
