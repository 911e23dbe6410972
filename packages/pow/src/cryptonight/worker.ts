import { serveJobs } from '@monero-node/base/workers';
import { CryptonightEngine } from './engine.ts';
import type { CryptonightJob } from './messages.ts';

// Entry point of a CryptoNight worker. Input is checked before it gets here, so an error thrown here is a defect or a
// lack of memory: it ends the worker, and the pool treats that as a crash.
serveJobs(() => {
  const engine = new CryptonightEngine();
  return ({ variant, height, blob }: CryptonightJob): Uint8Array =>
    engine.hash(variant, height, blob);
});
