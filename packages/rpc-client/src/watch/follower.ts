import { toHex } from '@monero-node/codec/bytes';
import type { ChainNode, LinkedBlock, Tip } from './chain-node.ts';
import type { NodeSet } from './node-set.ts';
import { Trail, type WatchPosition } from './position.ts';
import { WatchError } from './watch-error.ts';
import type { ChainRule, Followed } from './watch-options.ts';

/** A block that is added or taken away when the step is taken. `tip` is the height of the newest block of the node. */
export type ChainStep =
  | { readonly kind: 'applied'; readonly block: LinkedBlock; readonly tip: number }
  | { readonly kind: 'reverted'; readonly height: number; readonly tip: number };

/** A step with which the trail was changed. */
export interface TakenStep {
  readonly position: WatchPosition;
  /** Id of the block, hex. */
  readonly id: string;
  /** Whether the program is to be told: not of blocks below the first one that it wants. */
  readonly isTold: boolean;
}

/** Steps of one look at the nodes. `work` is that of the chain that they lead to. */
export interface ChainSteps {
  readonly steps: readonly ChainStep[];
  readonly work: bigint;
}

/** More answers than these for one reorganization are not those of an honest node: each has hundreds of blocks. */
const MOST_ANSWERS = 8;
const NOTHING: ChainSteps = { steps: [], work: 0n };

/**
 * Finds what has changed in the chain with the most work among those of some nodes. A block is taken away only for a chain with more work
 * than any that was known to have it: what lags or is on a side chain changes nothing.
 */
export class Follower {
  readonly #followed: Followed;
  readonly #rule: ChainRule;
  readonly #nodes: NodeSet;
  #trail: Trail | undefined;

  constructor(followed: Followed, rule: ChainRule, nodes: NodeSet) {
    this.#followed = followed;
    this.#rule = rule;
    this.#nodes = nodes;
    if (rule.position !== undefined) this.#trail = new Trail(rule.position, rule.depth);
  }

  /** How far was followed; undefined until a node was reached. */
  get position(): WatchPosition | undefined {
    return this.#trail?.position();
  }

  /** Looks at the nodes and returns what there is to take, which is nothing when nothing is new. */
  async look(): Promise<ChainSteps> {
    const tips = await this.#nodes.tips();
    const errors: unknown[] = [];
    for (const { node, answer: tip } of tips) {
      try {
        const found = await this.#lookAt(node, tip);
        if (found.steps.length > 0) return found;
      } catch (error) {
        if (error instanceof WatchError && error.code === 'too-deep') throw error;
        this.#nodes.failed(node, error);
        errors.push(error);
      }
    }
    this.#nodes.giveUp(errors);
    return NOTHING;
  }

  /** Takes a step: the position is then the one after it. */
  take(step: ChainStep, work: bigint): TakenStep {
    const trail = this.#trail as Trail;
    if (step.kind === 'reverted') {
      const id = trail.revert();
      return { position: trail.position(), id, isTold: step.height >= trail.from };
    }
    const { height, parsed } = step.block;
    trail.apply(parsed.id, work);
    return { position: trail.position(), id: toHex(parsed.id), isTold: height >= trail.from };
  }

  async #lookAt(node: ChainNode, tip: Tip): Promise<ChainSteps> {
    const { signal } = this.#followed;
    this.#trail ??= await this.#begin(node, tip);
    const trail = this.#trail;
    if (trail === undefined) return NOTHING;
    if (tip.work <= trail.work && tip.height - this.#rule.lag <= trail.height) return NOTHING;
    await node.compare(trail.genesis, signal);
    const blocks = await node.blocksAfter(trail.history(), signal);
    if (blocks.length === 0 && trail.height < 0) blocks.push(await node.firstBlock(signal));
    if (blocks.length === 0) return NOTHING;
    const split = lastCommon(trail, blocks);
    if (split < trail.height) return this.#reorganized(node, tip, blocks, split);
    const last = blocks.at(-1) as LinkedBlock;
    if (last.height <= trail.height) return NOTHING;
    const work = await node.workAt(last.parsed.id, signal);
    return this.#steps(blocks, split, Math.max(tip.height, last.height), work);
  }

  /** Returns the steps to another branch; none unless it has more work. */
  async #reorganized(
    node: ChainNode,
    tip: Tip,
    first: readonly LinkedBlock[],
    split: number,
  ): Promise<ChainSteps> {
    const { signal } = this.#followed;
    const trail = this.#trail as Trail;
    const blocks = [...first];
    for (let answers = 1; answers <= MOST_ANSWERS; answers++) {
      const last = blocks.at(-1) as LinkedBlock;
      const work = await node.workAt(last.parsed.id, signal);
      if (work > trail.work) {
        if (split < trail.oldest) {
          throw new WatchError(
            'too-deep',
            `a chain with more work replaces blocks below ${trail.oldest}, which are forgotten`,
          );
        }
        return this.#steps(blocks, split, Math.max(tip.height, last.height), work);
      }
      const more = await node.blocksAfter([toHex(last.parsed.id), trail.genesis], signal);
      if (more[0]?.height !== last.height || more.length < 2) return NOTHING;
      blocks.push(...more.slice(1));
    }
    return NOTHING;
  }

  #steps(blocks: readonly LinkedBlock[], split: number, tip: number, work: bigint): ChainSteps {
    const trail = this.#trail as Trail;
    const steps: ChainStep[] = [];
    for (let height = trail.height; height > split; height--) {
      steps.push({ kind: 'reverted', height, tip });
    }
    for (const block of blocks) {
      if (block.height > split && block.height <= tip - this.#rule.lag) {
        steps.push({ kind: 'applied', block, tip });
      }
    }
    return { steps, work };
  }

  /** Returns the trail up to the block before the first one that is wanted; undefined while the node does not have it. */
  async #begin(node: ChainNode, tip: Tip): Promise<Trail | undefined> {
    const { signal } = this.#followed;
    const { depth, lag, from = Math.max(0, tip.height - lag) + 1 } = this.#rule;
    const height = from - 1;
    if (height > tip.height) return undefined;
    const genesis = await node.genesis(signal);
    const ids = height < 0 ? [] : await node.idsUpTo(height, depth, signal);
    return new Trail({ version: 1, genesis, from, height, ids, work: '0' }, depth);
  }
}

/** Returns the height of the newest block that a trail and the blocks of a node have in common; -1 for none that is remembered. */
function lastCommon(trail: Trail, blocks: readonly LinkedBlock[]): number {
  let split = -1;
  for (const { height, parsed } of blocks) {
    if (trail.idAt(height) !== toHex(parsed.id)) break;
    split = height;
  }
  return split;
}
