import { Worker } from 'node:worker_threads';
import { guardEmitter, type PoolWorker } from '@monero-node/base';
import type { ScanWorkerData } from './messages.ts';

/** Starts a thread of the compiled package, which needs none of the flags this process was started with. */
export function startWorker(data: ScanWorkerData): PoolWorker {
  const url = new URL(import.meta.resolve('@monero-node/wallet-primitives/scan-worker/thread'));
  return guardEmitter(new Worker(url, { execArgv: [], workerData: data }));
}
