import { parentPort, workerData } from 'node:worker_threads';
import { runCheck } from '../checks.ts';
import { type BackendChoice, createBackend } from '../choose-backend.ts';
import type { WorkerRequest, WorkerResponse } from './messages.ts';

// Entry point of a verification worker. A throw here is a defect, not bad data: it ends the worker
// and the pool deals with that as with any other crash.
const backend = createBackend(workerData as BackendChoice);

parentPort?.on('message', (request: WorkerRequest) => {
  const response: WorkerResponse = { answers: runCheck(backend, request.check) };
  parentPort?.postMessage(response);
});
