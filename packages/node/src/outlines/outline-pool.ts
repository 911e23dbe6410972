import { Worker } from 'node:worker_threads';
import { guardEmitter, MachineError, WorkerPool, type WorkerMessage } from '@monero-node/base';
import {
  outlinedPackages,
  OutlinedTransactions,
  type PackageOutlines,
  type TransactionOutliner,
  type TransactionOutlines,
} from '@monero-node/codec';
import { ChunkStock } from './chunk-stock.ts';
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
  const stock = new ChunkStock();
  const workers = new WorkerPool<LentJob, TransactionOutlines>(
    { threads },
    {
      startWorker,
      pack: (lent) => pack(lent, stock),
      createError: (failure, cause) => new MachineError(`outlines: ${failure}`, { cause }),
    },
  );
  const run = async (job: OutlineJob, signal?: AbortSignal): Promise<TransactionOutlines> => {
    const lent: LentJob = { job, chunks: [] };
    const outlines = await workers.run(lent, { signal });
    // Without an answer, a thread may still read them: they are left to the garbage collector.
    for (const chunk of lent.chunks) stock.give(chunk);
    return outlines;
  };
  return {
    outline: async (txs, signal) => new OutlinedTransactions(await run({ txs }, signal)),
    outlinePackages: async (packages) =>
      outlinedPackages((await run({ packages })) as PackageOutlines),
    close: () => workers.close(),
  };
}

function startWorker(): Worker {
  const url = new URL(import.meta.resolve('@monero-node/node/outline-worker'));
  return guardEmitter(new Worker(url, { execArgv: [] }));
}

/** A job, and the memory with its bytes that was lent to the thread. */
interface LentJob {
  readonly job: OutlineJob;
  readonly chunks: Uint8Array[];
}

function* pack({ job, chunks }: LentJob, stock: ChunkStock): Iterable<WorkerMessage> {
  const take = (size: number) => {
    const chunk = stock.take(size);
    chunks.push(chunk);
    return chunk;
  };
  for (const message of packJob(job, take)) yield { message, transfer: [] };
}
