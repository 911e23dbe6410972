import type { Logger } from '@monero-node/base';
import type { ChainReader, ChainWriter } from '@monero-node/storage';
import type { ChainTree } from '../view/tree/chain-tree.ts';
import { type BuildDependencies, buildTree } from './build-tree.ts';

/** How to build a curve tree, see {@link BuildDependencies}. */
export type BuildTreeOptions = Pick<BuildDependencies, 'signal' | 'startThreads' | 'limits'>;

export interface TreeBuilderDependencies {
  readonly store: ChainReader & ChainWriter;
  /** Undefined where the chain keeps no curve tree. */
  readonly tree: ChainTree | undefined;
  readonly logger: Logger;
  /** Runs a commit while nothing else changes the chain. */
  readonly whileStill: (commit: () => Promise<void>) => Promise<void>;
  /** Forgets what was verified on the chain as it is now. */
  readonly dropAhead: () => void;
  /** Pops the blocks at and above a height. */
  readonly popTo: (height: number) => Promise<void>;
}

/** Builds the curve tree of a chain beside its changes, one build at a time. */
export class TreeBuilder {
  readonly #deps: TreeBuilderDependencies;
  readonly #end = new AbortController();
  /** The build that runs. Never rejects. */
  #running: Promise<void> | undefined;

  constructor(dependencies: TreeBuilderDependencies) {
    this.#deps = dependencies;
  }

  /** See `Blockchain.buildTree`. */
  async build(options: BuildTreeOptions = {}): Promise<void> {
    if (this.#running !== undefined || this.#end.signal.aborted) return;
    const building = this.#build(options);
    this.#running = building.catch(() => undefined);
    try {
      await building;
    } catch (error) {
      if (!this.#end.signal.aborted) throw error;
    } finally {
      this.#running = undefined;
    }
  }

  async #build({ signal, startThreads, limits }: BuildTreeOptions): Promise<void> {
    const { store, tree, logger, whileStill, dropAhead, popTo } = this.#deps;
    if (tree === undefined) return;
    const end = this.#end.signal;
    const wrong = await buildTree({
      ...{ store, tree, limits, whileStill },
      // It may take hours: an operator reads of it at the default log level.
      logger: logger.child('global'),
      ...(startThreads && { startThreads }),
      signal: signal === undefined ? end : AbortSignal.any([end, signal]),
      // What was verified without a tree must not be added to a chain that has one.
      onWhole: dropAhead,
    });
    if (wrong === undefined) return;
    logger.error(`block ${wrong} commits to another curve tree: popping blocks down to it`);
    await popTo(wrong);
  }

  /** Ends a build after the step at hand, and lets none begin. */
  async stop(): Promise<void> {
    this.#end.abort();
    await this.#running;
  }
}
