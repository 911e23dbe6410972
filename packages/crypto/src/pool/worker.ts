import { serveJobs } from '@monero-node/base/workers';
import { type CryptoCheck, joinChecks, runCheck } from '../checks.ts';
import { createBackend } from '../choose-backend.ts';
import { readCheck } from './check-bytes.ts';
import type { WorkerOptions, WorkerRequest, WorkerResponse } from './messages.ts';

// Entry point of a verification worker. An error thrown here is a defect, not bad data: it ends the worker,
// and the pool treats that as a crash.
serveJobs(({ backend: choice, cpu }: WorkerOptions) => {
  const backend = createBackend(choice, { cpu });
  let parts: CryptoCheck[] = [];

  return ({ kind, bytes, isLast }: WorkerRequest): WorkerResponse | undefined => {
    parts.push(readCheck(kind, bytes));
    if (!isLast) return undefined;
    const whole = joinChecks(parts);
    parts = [];
    return { answers: runCheck(backend, whole) };
  };
});
