import { adaptWebWorker, type PoolWorker, type WebWorker } from '@monero-node/base';
import type { RandomxWorkerData } from './randomx-wasm/messages.ts';

// Takes the place of platform-node.ts in browsers. Bundlers recognize `new Worker(new URL(…, import.meta.url))`.

// Node's type declarations lack it.
declare const Worker: new (url: URL, options: { type: 'module' }) => WebWorker;

/** Returns the number of cores that the browser admits to. */
export function availableParallelism(): number {
  const { navigator } = globalThis as { navigator?: { hardwareConcurrency?: number } };
  return navigator?.hardwareConcurrency ?? 1;
}

/** Starts a worker that computes CryptoNight hashes. */
export function startCryptonightWorker(): PoolWorker {
  return adaptWebWorker(
    new Worker(new URL('./cryptonight/worker.js', import.meta.url), { type: 'module' }),
    null,
  );
}

/** Starts a worker that computes RandomX hashes in WebAssembly. */
export function startRandomxWorker(data: RandomxWorkerData): PoolWorker {
  return adaptWebWorker(
    new Worker(new URL('./randomx-wasm/worker.js', import.meta.url), { type: 'module' }),
    data,
  );
}
