import { Worker } from 'node:worker_threads';
import { guardEmitter, MachineError, WorkerPool, type WorkerMessage } from '@monero-node/base';
import {
  outlinedPackages,
  OutlinedTransactions,
  type PackageOutlines,
  type TransactionOutliner,
  type TransactionOutlines,
} from '@monero-node/codec';
import { packJob, type OutlineJob } from './messages.ts';

/** Outlines transactions on threads, which start with the first ones. */
export interface OutlinePool extends TransactionOutliner {
  /** Ends the threads and rejects what they have not answered. */
  close(): Promise<void>;
}

/**
 * Makes a pool that outlines transactions on threads of the compiled package.
 *
 * Throws RangeError unless `threads` is a positive integer.
 */
export function createOutlinePool({ threads }: { readonly threads: number }): OutlinePool {
  const workers = new WorkerPool<OutlineJob, TransactionOutlines>(
    { threads },
    {
      startWorker,
      pack,
      createError: (failure, cause) => new MachineError(`outlines: ${failure}`, { cause }),
    },
  );
  return {
    outline: async (txs, signal) => new OutlinedTransactions(await workers.run({ txs }, signal)),
    outlinePackages: async (packages) =>
      outlinedPackages((await workers.run({ packages })) as PackageOutlines),
    close: () => workers.close(),
  };
}

function startWorker(): Worker {
  const url = new URL(import.meta.resolve('@monero-node/node/outline-worker'));
  return guardEmitter(new Worker(url, { execArgv: [] }));
}

function* pack(job: OutlineJob): Iterable<WorkerMessage> {
  for (const message of packJob(job))
    yield { message, transfer: [message.bytes.buffer as ArrayBuffer] };
}
