import { join } from 'node:path';
import type { Logger, SecondClock } from '@monero-node/base';
import { checkOptions, NEEDED, OPTIONAL, type OptionTable } from '@monero-node/base/options';
import { openBlockchain, type Blockchain } from '@monero-node/blockchain';
import type { TransactionOutliner } from '@monero-node/codec';
import { FIRST_TREE_VERSION } from '@monero-node/codec';
import { type BlockGroup, earliestHeightOf, type Network } from '@monero-node/consensus';
import type { BackendChoice } from '@monero-node/crypto';
import type { PowHasher } from '@monero-node/pow';
import type { ChainStore, CopyableStore, StorageError, SyncMode } from '@monero-node/storage';
import { createMemoryStore } from '@monero-node/storage/memory';
import { CHAIN_DIR } from './chain-dir.ts';
import { makeDataDir } from './data-dir.ts';
import {
  createEngines,
  ENGINE_OPTIONS,
  type EngineChanges,
  type OpenEngineOptions,
  type SharedEngines,
} from './engines.ts';
import type { Part } from './lifecycle.ts';

/** How a chain is kept and verified. */
export interface OpenChainOptions extends OpenEngineOptions {
  readonly network: Network;
  /** How much a commit waits for the disk; `fast` when absent. */
  readonly syncMode?: SyncMode;
  /** Whether to delete the stored chain; false when absent. */
  readonly resetChain?: boolean;
  /** Whether to keep the stored blocks of side chains; false when absent. */
  readonly keepAlternativeBlocks?: boolean;
  /** Hashes of groups of blocks known to be right; none when absent. */
  readonly trustedBlocks?: { readonly groups: readonly BlockGroup[] };
  /** See `BlockchainOptions`; false when absent. */
  readonly skipEasiestWork?: boolean;
  /** See `BlockchainOptions`: a node builds the tree while it runs. False when absent. */
  readonly buildTree?: boolean;
  /** Unix seconds; the system clock when absent. */
  readonly now?: SecondClock | undefined;
  /** Ends the opening where that takes long, as the curve tree of a stored chain is built. The next opening goes on. None when absent. */
  readonly signal?: AbortSignal | undefined;
}

/** The options of `openChain`. */
export const CHAIN_OPTIONS: OptionTable<OpenChainOptions> = {
  network: NEEDED,
  ...ENGINE_OPTIONS,
  syncMode: OPTIONAL,
  resetChain: OPTIONAL,
  keepAlternativeBlocks: OPTIONAL,
  trustedBlocks: OPTIONAL,
  skipEasiestWork: OPTIONAL,
  buildTree: OPTIONAL,
  now: OPTIONAL,
  signal: OPTIONAL,
};

/** A chain and what it is built on. */
export interface OpenChain {
  readonly store: ChainStore;
  /** The same store if it is on disk. */
  readonly storeOnDisk: CopyableStore | undefined;
  readonly pow: PowHasher;
  readonly blockchain: Blockchain;
  /** Reads transactions ahead, on a machine with more than one core. */
  readonly outliner: TransactionOutliner | undefined;
  /** The parts to start, in order, and to stop in reverse. */
  readonly parts: readonly Part[];
}

/** Resets the stored chain and removes alternative blocks as the options demand. */
async function prepareStore(store: ChainStore, options: OpenChainOptions): Promise<void> {
  const { keepAlternativeBlocks = false, resetChain = false } = options;
  const removeAlt = keepAlternativeBlocks ? [] : store.altBlocks().map((block) => block.id);
  const reset = resetChain && store.height > 0;
  if (reset || removeAlt.length > 0)
    await store.commit({ ...(reset ? { popTo: 0 } : {}), removeAlt });
}

export interface OpenChainDependencies {
  readonly logger: Logger;
  /** Called once, when the store takes no more writes. */
  readonly onStorageFailure?: (error: StorageError) => void;
  /** Called with the line of the log when an engine of its own has erred or computed nothing. It must not throw. */
  readonly onEngineTrouble?: ((line: string) => void) | undefined;
  readonly engineChanges?: EngineChanges | undefined;
  /** Instead of engines of its own; the chain does not close them. */
  readonly engines?: SharedEngines | undefined;
}

async function openStoreOnDisk(
  dataDir: string,
  options: OpenChainOptions,
  { logger, onStorageFailure }: OpenChainDependencies,
): Promise<CopyableStore> {
  makeDataDir(dataDir);
  // It loads native code, which a chain in memory does not need.
  const { openLmdbStore } = await import('@monero-node/storage');
  const store = await openLmdbStore({
    path: join(dataDir, CHAIN_DIR),
    ...(options.syncMode && { syncMode: options.syncMode }),
    ...(onStorageFailure && { onFailure: onStorageFailure }),
    onNotice: (notice) => logger.warn(notice),
  });
  try {
    await prepareStore(store, options);
  } catch (error) {
    await store.close();
    throw error;
  }
  return store;
}

/**
 * Opens the chain of a data directory, or a new one in memory, and the threads that verify blocks.
 *
 * Throws StorageError, PowUnavailableError, OptionError for an unknown option, or the reason of the signal, after closing everything that was
 * opened.
 */
export async function openChain(
  options: OpenChainOptions,
  dependencies: OpenChainDependencies,
): Promise<OpenChain> {
  checkOptions('openChain', options, CHAIN_OPTIONS);
  return openCheckedChain(options, dependencies);
}

/**
 * Logs when FCMP++ proofs of a chain that has them would be verified slowly, as the native engine does not run here. Throws Error when
 * that engine was chosen by name. Other chains load nothing for it.
 */
async function checkFcmpEngine(
  network: Network,
  choice: BackendChoice | undefined,
  logger: Logger,
): Promise<void> {
  if (earliestHeightOf(network, FIRST_TREE_VERSION) === undefined) return;
  const { createFcmpBackend } = await import('@monero-node/fcmp');
  createFcmpBackend(choice, {
    onFallback: (reason) =>
      logger.warn(`FCMP++ proofs are verified without native code: ${reason}`),
  });
}

/** The same with options that were checked, as some of those of a node. */
export async function openCheckedChain(
  options: OpenChainOptions,
  dependencies: OpenChainDependencies,
): Promise<OpenChain> {
  const { dataDir, network, now, skipEasiestWork = false, trustedBlocks, signal } = options;
  const { buildTree = false } = options;
  const { logger } = dependencies;
  const storeOnDisk =
    dataDir === undefined ? undefined : await openStoreOnDisk(dataDir, options, dependencies);
  const store = storeOnDisk ?? createMemoryStore();
  const closers: (() => Promise<unknown>)[] = [() => store.close()];
  try {
    await checkFcmpEngine(network, options.cryptoBackend, logger);
    const own =
      dependencies.engines === undefined ? createEngines(options, dependencies) : undefined;
    const { pow, verifier, backend, outliner } = own ?? (dependencies.engines as SharedEngines);
    const close = async (): Promise<void> => own?.close();
    closers.unshift(close);
    const blockchain = await openBlockchain(
      {
        network,
        skipEasiestWork,
        buildTree,
        blockGroups: trustedBlocks?.groups ?? [],
        ...(now && { now }),
        signal,
      },
      { store, verifier, backend, pow, logger: logger.child('blockchain') },
    );
    const start = () => Promise.resolve();
    const parts: Part[] = [
      { name: 'storage', start, stop: () => store.close() },
      { name: 'engines', start, stop: close },
      { name: 'blockchain', start, stop: () => blockchain.stop() },
    ];
    return { store, storeOnDisk, pow, blockchain, outliner, parts };
  } catch (error) {
    for (const close of closers) await close();
    throw error;
  }
}
