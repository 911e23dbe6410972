import { parentPort, workerData } from 'node:worker_threads';
import { runCheck } from '../checks.ts';
import { createBackend } from '../choose-backend.ts';
import type { WorkerOptions, WorkerRequest, WorkerResponse } from './messages.ts';

// Entry point of a verification worker. An error thrown here is a defect, not bad data: it ends the worker,
// and the pool treats that as a crash.
const options = workerData as WorkerOptions;
const backend = createBackend(options.backend, options.cpu);

parentPort?.on('message', (request: WorkerRequest) => {
  const response: WorkerResponse = { answers: runCheck(backend, request.check) };
  parentPort?.postMessage(response);
});
