import { Worker } from 'node:worker_threads';
import { guardEmitter, type PoolWorker } from '@monero-node/base';
import { machineLimits } from '@monero-node/base/machine';
import type { RandomxWorkerData } from './randomx-wasm/messages.ts';

/** Returns the number of cores that this process may use. */
export const availableParallelism = (): number => machineLimits().processors;

/** Nearly all memory of these threads is WebAssembly's, which this does not limit. */
const LITTLE = { maxYoungGenerationSizeMb: 1 };

/** Starts a thread of the compiled package, which needs none of the flags this process was started with. */
function startWorker(name: string, workerData: unknown): PoolWorker {
  const url = new URL(import.meta.resolve(`@monero-node/pow/${name}`));
  return guardEmitter(new Worker(url, { execArgv: [], workerData, resourceLimits: LITTLE }));
}

/** Starts a worker that computes CryptoNight hashes. */
export const startCryptonightWorker = (): PoolWorker => startWorker('cryptonight-worker', null);

/** Starts a worker that computes RandomX hashes in WebAssembly. */
export const startRandomxWorker = (data: RandomxWorkerData): PoolWorker =>
  startWorker('randomx-worker', data);
