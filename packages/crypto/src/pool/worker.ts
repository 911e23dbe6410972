import { parentPort, workerData } from 'node:worker_threads';
import { type CryptoCheck, joinChecks, runCheck } from '../checks.ts';
import { createBackend } from '../choose-backend.ts';
import type { WorkerOptions, WorkerRequest, WorkerResponse } from './messages.ts';

// Entry point of a verification worker. An error thrown here is a defect, not bad data: it ends the worker,
// and the pool treats that as a crash.
const options = workerData as WorkerOptions;
const backend = createBackend(options.backend, options.cpu);

let parts: CryptoCheck[] = [];

parentPort?.on('message', ({ check, isLast }: WorkerRequest) => {
  parts.push(check);
  if (!isLast) return;
  const whole = joinChecks(parts);
  parts = [];
  const response: WorkerResponse = { answers: runCheck(backend, whole) };
  parentPort?.postMessage(response);
});
