import type { PoolWorker } from './pool-worker.ts';

/** The part of a browser's `Worker` that `adaptWebWorker` uses. */
export interface WebWorker {
  onmessage: ((event: never) => unknown) | null;
  onerror: ((event: never) => unknown) | null;
  onmessageerror: ((event: never) => unknown) | null;
  postMessage(message: unknown, transfer: ArrayBuffer[]): void;
  terminate(): void;
}

type Listener = (argument: never) => void;

/**
 * Returns a browser's worker as pools use it, after sending it `data` as its first message; `serveJobs` receives both. A
 * worker with an error is ended: a browser would let it run on without the answer that the pool waits for.
 */
export function adaptWebWorker(worker: WebWorker, data: unknown): PoolWorker {
  const listeners: Record<string, Listener[]> = { message: [], error: [], exit: [] };
  const emit = (event: string, argument: unknown): void => {
    for (const listener of listeners[event] ?? []) listener(argument as never);
  };
  const fail = (message: string): void => {
    worker.terminate();
    emit('error', new Error(message));
    emit('exit', 1);
  };
  worker.onmessage = (event: { data: unknown }) => emit('message', event.data);
  worker.onerror = (event: { message?: string }) =>
    fail(event.message ?? 'the worker did not load');
  worker.onmessageerror = () => fail('an answer of the worker cannot be read here');
  worker.postMessage(data, []);
  return {
    postMessage: (message, transfer) => worker.postMessage(message, [...transfer]),
    on: (event: string, listener: Listener) => listeners[event]?.push(listener),
    // Workers of a page end with the page.
    ref: () => undefined,
    unref: () => undefined,
    terminate: () => worker.terminate(),
  };
}
