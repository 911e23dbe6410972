import { adaptWebWorker, type PoolWorker, type WebWorker } from '@monero-node/base';
import type { ScanWorkerData } from './messages.ts';

// Node's type declarations lack it.
declare const Worker: new (url: URL, options: { type: 'module' }) => WebWorker;

/** Takes the place of start-worker-node.ts in browsers. Bundlers recognize this form of the call. */
export function startWorker(data: ScanWorkerData): PoolWorker {
  return adaptWebWorker(
    new Worker(new URL('./worker.js', import.meta.url), { type: 'module' }),
    data,
  );
}
