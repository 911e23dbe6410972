import { parentPort } from 'node:worker_threads';
import { CryptonightEngine } from './engine.ts';
import type { CryptonightJob } from './messages.ts';

// Entry point of a CryptoNight worker. Input is checked before it gets here, so an error thrown here is a defect or a
// lack of memory: it ends the worker, and the pool treats that as a crash.
const engine = new CryptonightEngine();

parentPort?.on('message', ({ variant, height, blob }: CryptonightJob) => {
  parentPort?.postMessage(engine.hash(variant, height, blob));
});
