import { serveJobs } from '@monero-node/base/workers';
import { checkOf, itemsOf, runCheck } from '../checks.ts';
import { createBackend } from '../choose-backend.ts';
import { unpackItems } from './check-bytes.ts';
import type { WorkerOptions, WorkerRequest, WorkerResponse } from './messages.ts';

// Entry point of a verification worker. An error thrown here is a defect, not bad data: it ends the worker,
// and the pool treats that as a crash.
serveJobs(({ backend: choice, cpu }: WorkerOptions) => {
  const backend = createBackend(choice, { cpu });
  let items: unknown[] = [];

  return ({ kind, bytes, isLast }: WorkerRequest): WorkerResponse | undefined => {
    for (const item of itemsOf(unpackItems(kind, bytes))) items.push(item);
    if (!isLast) return undefined;
    const whole = checkOf(kind, items);
    items = [];
    return { answers: runCheck(backend, whole) };
  };
});
