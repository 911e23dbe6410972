import { parentPort, workerData } from 'node:worker_threads';

/**
 * Makes this thread a worker of a pool: calls `begin` with the data that it was started with, then the returned function with
 * each job. The result is sent as the answer unless it is undefined. An error thrown by either ends the thread.
 *
 * @param begin gets a function too that sends a message at any time: progress, or an answer that comes later
 */
export function serveJobs<Data, Job>(
  begin: (data: Data, send: (message: unknown) => void) => (job: Job) => unknown,
): void {
  const answer = begin(workerData as Data, (message) => parentPort?.postMessage(message));
  parentPort?.on('message', (job: Job) => {
    const result = answer(job);
    if (result !== undefined) parentPort?.postMessage(result);
  });
}
