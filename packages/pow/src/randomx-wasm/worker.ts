import { serveJobs } from '@monero-node/base/workers';
import { createCache, type RandomxCache } from './cache.ts';
import type { HashJob, RandomxJob, RandomxWorkerData } from './messages.ts';
import { RandomxMachine } from './virtual-machine.ts';

// Entry point of a RandomX worker. An error thrown here is a defect or a lack of memory, not bad data: it ends the
// worker, and the pool treats that as a crash.
serveJobs((modules: RandomxWorkerData) => {
  let machine: RandomxMachine | undefined;
  let cacheNumber: number | undefined;

  const hash = (job: HashJob): Uint8Array => {
    machine ??= new RandomxMachine(modules.machine);
    if (job.cacheNumber !== cacheNumber) {
      machine.use(job.cache);
      cacheNumber = job.cacheNumber;
    }
    return machine.hash(job.blob, job.version);
  };

  return (job: RandomxJob): RandomxCache | Uint8Array => {
    if (job.kind === 'hash') return hash(job);
    return createCache(job.memory, job.key, modules.argon2d);
  };
});
