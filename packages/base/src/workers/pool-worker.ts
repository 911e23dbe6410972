/** The part of a worker thread that a pool uses: `Worker` of node:worker_threads, or what `adaptWebWorker` returns. */
export interface PoolWorker {
  postMessage(message: unknown, transfer: readonly ArrayBuffer[]): void;
  on(event: 'message', listener: (answer: unknown) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'exit', listener: (exitCode: number) => void): unknown;
  ref(): void;
  unref(): void;
  terminate(): unknown;
}
