import { fromHex, toHex } from '@monero-node/codec/bytes';
import type { BlockPlace, ChainNode, LinkedBlock, Tip } from './chain-node.ts';
import { RpcAnswerError, RpcError } from '../errors.ts';
import type { NodeAnswer, NodeSet } from './node-set.ts';
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
/** Looks in a row that find all nodes on another branch without more work, before that is told. */
const LOST_LOOKS = 10;
const NOTHING: ChainSteps = { steps: [], work: 0n };
/** Nothing, from a node that has more blocks than were followed, and another one in place of the last of them. */
const ELSEWHERE: ChainSteps = { steps: [], work: 0n };

/** A node that is looked at. */
interface Seen {
  readonly node: ChainNode;
  readonly tip: Tip;
  /** The other nodes that answer. */
  readonly others: readonly ChainNode[];
}

/**
 * Finds what has changed in the chain with the most work among those of some nodes. A block is taken away only for a chain with more work
 * than any that was known to have it: what lags or is on a side chain changes nothing.
 */
export class Follower {
  readonly #followed: Followed;
  readonly #rule: ChainRule;
  readonly #nodes: NodeSet;
  #trail: Trail | undefined;
  /** The height of the first block to tell; undefined until a node was reached, if that is the next block. */
  #from: number | undefined;
  /** The newest block of the node that had the most work in the last look that was answered. */
  #best: Tip | undefined;
  /** The looks in a row in which nodes answered, and none had the last block of the trail. */
  #lostLooks = 0;

  constructor(followed: Followed, rule: ChainRule, nodes: NodeSet) {
    this.#followed = followed;
    this.#rule = rule;
    this.#nodes = nodes;
    this.#from = rule.from;
    if (rule.position !== undefined) this.#trail = new Trail(rule.position, rule.depth);
  }

  /** How far was followed; undefined until a node was reached. */
  get position(): WatchPosition | undefined {
    return this.#trail?.position();
  }

  /**
   * The last block that was followed; until there is one, the newest block of the node with the most work. Undefined until a node was
   * reached.
   */
  get top(): BlockPlace | undefined {
    const { height = -1 } = this.#trail ?? {};
    const id = this.#trail?.idAt(height);
    return id === undefined ? this.#best : { height, id };
  }

  /** Looks at the nodes and returns what there is to take, which is nothing when nothing is new. */
  async look(): Promise<ChainSteps> {
    const tips = await this.#nodes.tips();
    this.#best = tips[0]?.answer ?? this.#best;
    let elsewhere = 0;
    for (const { node, answer: tip } of tips) {
      try {
        const found = await this.#lookAt(node, tip, tips);
        this.#nodes.answered(node);
        if (found.steps.length > 0) {
          this.#lostLooks = 0;
          return found;
        }
        if (found === ELSEWHERE) elsewhere++;
      } catch (error) {
        if (error instanceof WatchError && error.code === 'too-deep') throw error;
        this.#nodes.failed(node, error);
      }
    }
    this.#nodes.giveUp();
    this.#tellIfLost(tips.length > 0 && elsewhere === tips.length);
    return NOTHING;
  }

  /** Tells of it when all nodes stay on a branch that does not have the last block, nor more work. */
  #tellIfLost(isLost: boolean): void {
    this.#lostLooks = isLost ? this.#lostLooks + 1 : 0;
    if (this.#lostLooks === 0 || this.#lostLooks % LOST_LOOKS > 0) return;
    const { height, work } = this.#trail as Trail;
    const message = `no node has block ${height} that was followed, and none has more work than ${work}; begin again below it if it stays so`;
    this.#followed.onTrouble({ node: undefined, error: new WatchError('left', message) });
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

  async #lookAt(node: ChainNode, tip: Tip, tips: readonly NodeAnswer<Tip>[]): Promise<ChainSteps> {
    const { signal } = this.#followed;
    const seen: Seen = {
      node,
      tip,
      others: tips.flatMap((each) => (each.node === node ? [] : [each.node])),
    };
    this.#trail ??= await this.#begin(seen);
    const trail = this.#trail;
    if (trail === undefined) return NOTHING;
    const hasMoreWork = tip.work > trail.work;
    if (!hasMoreWork && tip.height - this.#rule.lag <= trail.height) return NOTHING;
    await node.compare(trail.genesis, signal);
    // Without more work it replaces nothing: it is of use only if it has the last block.
    if (!hasMoreWork && trail.height >= 0) {
      const id = await node.idAt(trail.height, signal);
      if (id !== trail.idAt(trail.height)) return ELSEWHERE;
    }
    const blocks = await node.blocksAfter(trail.history(), signal);
    if (blocks.length === 0 && trail.height < 0) blocks.push(await node.firstBlock(signal));
    if (blocks.length === 0) return NOTHING;
    const split = lastCommon(trail, blocks);
    if (split < trail.height) return hasMoreWork ? this.#reorganized(seen, blocks, split) : NOTHING;
    const last = blocks.at(-1) as LinkedBlock;
    if (last.height <= trail.height) return NOTHING;
    const work = await this.#workAt(seen, last.parsed.id);
    if (work === undefined) return NOTHING;
    return this.#steps(blocks, split, Math.max(tip.height, last.height), work);
  }

  /** Returns the steps to another branch; none unless it has more work. */
  async #reorganized(
    seen: Seen,
    first: readonly LinkedBlock[],
    split: number,
  ): Promise<ChainSteps> {
    const { signal } = this.#followed;
    const { node, tip } = seen;
    const trail = this.#trail as Trail;
    const oldest = Math.max(trail.oldest, trail.height - this.#rule.depth);
    if (split < oldest) {
      const work = await this.#workAt(seen, fromHex(tip.id));
      if (work === undefined || work <= trail.work) return NOTHING;
      throw new WatchError(
        'too-deep',
        `a chain with more work replaces blocks below ${oldest}, which are forgotten`,
      );
    }
    const blocks = [...first];
    for (let answers = 1; answers <= MOST_ANSWERS; answers++) {
      const last = blocks.at(-1) as LinkedBlock;
      const work = await this.#workAt(seen, last.parsed.id);
      if (work === undefined) return NOTHING;
      if (work > trail.work) {
        return this.#steps(blocks, split, Math.max(tip.height, last.height), work);
      }
      const more = await node.blocksAfter([toHex(last.parsed.id), trail.genesis], signal);
      // None at the end of the chain; others when it was reorganized meanwhile.
      if (more.length > 0 && more[0]?.height !== last.height) return NOTHING;
      if (more.length < 2) break;
      blocks.push(...more.slice(1));
    }
    throw new RpcAnswerError('a chain without the work that was told of it');
  }

  /**
   * Returns the work of the chain of a node up to one of its blocks; undefined when it has no longer got it. Of the nodes that have the
   * block the least counts: a figure that is too large would keep every other branch away for good.
   */
  async #workAt({ node, others }: Seen, id: Uint8Array): Promise<bigint | undefined> {
    const { signal } = this.#followed;
    const own = await node.workAt(id, signal);
    if (own === undefined) return undefined;
    const told = await Promise.allSettled(others.map((other) => other.workAt(id, signal)));
    signal.throwIfAborted();
    let least = own;
    for (const each of told) {
      if (each.status === 'rejected') {
        // It does not have the block, or is away: that is found when it is looked at.
        if (!(each.reason instanceof RpcError)) throw each.reason;
      } else if (each.value !== undefined && each.value < least) least = each.value;
    }
    return least;
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
  async #begin(seen: Seen): Promise<Trail | undefined> {
    const { signal } = this.#followed;
    const { node, tip } = seen;
    const { depth, lag } = this.#rule;
    // Of the first look, also when it has to be made again.
    const from = (this.#from ??= Math.max(0, tip.height - lag) + 1);
    const height = from - 1;
    if (height > tip.height) return undefined;
    const genesis = await node.genesis(signal);
    if (height < 0) {
      return new Trail({ version: 1, genesis, from, height, ids: [], work: '0' }, depth);
    }
    const ids = await node.idsUpTo(height, depth, signal);
    // The whole chain of the node has the last one of them.
    const most = await this.#workAt(seen, fromHex(tip.id));
    if (most === undefined) return undefined;
    return new Trail({ version: 1, genesis, from, height, ids, work: most.toString() }, depth);
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
