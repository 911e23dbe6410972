// Run as a process of its own; see worker-process.ts.
import type { Socket } from 'node:net';
import { openWithoutLocks } from '@monero-node/storage/without-locks';
import type { ToMain, ToWorker } from './channel.ts';
import type { RpcWorker } from './worker.ts';

openWithoutLocks();
// Imported only now: it loads the lmdb package.
const { RpcWorker: Worker } = await import('./worker.ts');

const send = (message: ToMain): void => {
  // A channel that is closed ends this process.
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
};

let worker: RpcWorker | undefined;
/** Messages that came while the store was being opened. */
const early: [ToWorker, Socket | undefined][] = [];

function take(message: ToWorker, socket: Socket | undefined): void {
  if (message.kind === 'begin') {
    Worker.open(message.setup, message.facts, send).then((opened) => {
      worker = opened;
      for (const [first, its] of early.splice(0)) take(first, its);
    }, fail);
  } else if (worker === undefined) {
    early.push([message, socket]);
  } else {
    const done = worker.take(message, socket);
    // The last report leaves first.
    if (message.kind === 'stop') done.then(() => setImmediate(() => process.exit(0)), fail);
    else done.catch(fail);
  }
}

function fail(error: unknown): void {
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`${message}\n`, () => process.exit(1));
}

process.on('message', (message: ToWorker, socket: Socket | undefined) => {
  try {
    take(message, socket);
  } catch (error) {
    fail(error);
  }
});
process.on('uncaughtException', fail);
process.on('unhandledRejection', fail);
process.on('disconnect', () => process.exit(0));
// The main process decides when to end; a terminal sends these to all.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
