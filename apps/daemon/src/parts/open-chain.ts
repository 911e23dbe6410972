import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Logger } from '@monero-node/base';
import { openBlockchain, type Blockchain } from '@monero-node/blockchain';
import {
  createBackend,
  createVerificationPool,
  type VerificationPoolOptions,
} from '@monero-node/crypto';
import { createPowHasher, type PowHasher, type PowHasherOptions } from '@monero-node/pow';
import {
  openLmdbStore,
  type ChainStore,
  type CopyableStore,
  type StorageError,
} from '@monero-node/storage';
import { makeDataDir } from './data-dir.ts';
import type { DaemonSettings } from '../cli/daemon-settings.ts';
import {
  cryptoDisagreementReporter,
  cryptoFailureReporter,
  cryptoFallbackReporter,
} from './crypto-disagreements.ts';
import type { Part } from './lifecycle.ts';
import { powIncidentReporter } from './pow-incidents.ts';

/** Folder of the chain inside the data directory. */
export const CHAIN_DIR = 'chain';

/** The chain of a data directory and what it is built on. */
export interface OpenChain {
  readonly store: CopyableStore;
  readonly pow: PowHasher;
  readonly blockchain: Blockchain;
  /** The parts to start, in order, and to stop in reverse. */
  readonly parts: readonly Part[];
}

/** Changes the engines that verify blocks; for tests with engines that fail. */
export type EngineChanges = Pick<PowHasherOptions, 'wrapEngine'> &
  Pick<VerificationPoolOptions, 'wrapPool'>;

/** Resets the stored chain and removes alternative blocks as the settings demand. */
async function prepareStore(store: ChainStore, settings: DaemonSettings): Promise<void> {
  const removeAlt = settings.keepAlternativeBlocks
    ? []
    : store.altBlocks().map((block) => block.id);
  const reset = settings.resetChain && store.height > 0;
  if (reset || removeAlt.length > 0)
    await store.commit({ ...(reset ? { popTo: 0 } : {}), removeAlt });
}

export interface OpenChainDependencies {
  readonly logger: Logger;
  /** Called once, when the store takes no more writes. */
  readonly onStorageFailure?: (error: StorageError) => void;
  readonly engines?: EngineChanges;
}

async function openStore(
  settings: DaemonSettings,
  { logger, onStorageFailure }: OpenChainDependencies,
): Promise<CopyableStore> {
  makeDataDir(settings.dataDir);
  const store = await openLmdbStore({
    path: join(settings.dataDir, CHAIN_DIR),
    syncMode: settings.syncMode,
    ...(onStorageFailure && { onFailure: onStorageFailure }),
    onNotice: (notice) => logger.warn(notice),
  });
  try {
    await prepareStore(store, settings);
  } catch (error) {
    await store.close();
    throw error;
  }
  return store;
}

/** Returns a function that logs each tenth of the mining dataset that has been computed. */
function datasetReporter(logger: Logger): (fraction: number) => void {
  let logged = 0;
  return (fraction) => {
    const tenths = Math.floor(10 * fraction);
    if (tenths > logged) logger.info(`RandomX dataset for mining: ${10 * tenths}%`);
    logged = tenths;
  };
}

/**
 * Opens the chain of the data directory and the threads that verify blocks.
 *
 * Throws StorageError or PowUnavailableError, after closing everything that was opened.
 */
export async function openChain(
  settings: DaemonSettings,
  dependencies: OpenChainDependencies,
): Promise<OpenChain> {
  const { logger, engines = {} } = dependencies;
  const pow = createPowHasher({
    engine: settings.powEngine,
    threads: Math.max(1, Math.min(availableParallelism(), settings.powThreads)),
    // In the global category, so that users who start mining see it at every log level.
    onDatasetProgress: datasetReporter(logger),
    onIncident: powIncidentReporter(logger),
    ...(engines.wrapEngine && { wrapEngine: engines.wrapEngine }),
  });
  const store = await openStore(settings, dependencies);
  const verifier = createVerificationPool({
    threads: settings.verificationThreads || availableParallelism(),
    backend: settings.cryptoBackend,
    onDisagreement: cryptoDisagreementReporter(settings.dataDir, logger),
    onFailure: cryptoFailureReporter(logger),
    ...(engines.wrapPool && { wrapPool: engines.wrapPool }),
  });
  logger.info(`crypto: ${verifier.backendName} on ${verifier.threads} threads; ${pow.name}`);
  const { network, trustedBlocks } = settings;
  const blockchain = await openBlockchain(
    { network, blockGroups: trustedBlocks.groups },
    {
      store,
      verifier,
      backend: createBackend(settings.cryptoBackend, {
        onFallback: cryptoFallbackReporter(logger),
      }),
      pow,
      logger: logger.child('blockchain'),
    },
  ).catch(async (error: unknown) => {
    await Promise.all([verifier.close(), pow.close()]);
    await store.close();
    throw error;
  });
  const nothing = () => Promise.resolve();
  const parts: Part[] = [
    { name: 'storage', start: nothing, stop: () => store.close() },
    { name: 'proof of work', start: nothing, stop: () => pow.close() },
    { name: 'verification', start: nothing, stop: () => verifier.close() },
    { name: 'blockchain', start: nothing, stop: () => blockchain.stop() },
  ];
  return { store, pow, blockchain, parts };
}
