import { serveJobs } from '@monero-node/base/workers';
import { checkOf, type CryptoCheck, itemsOf, runCheck } from '../checks.ts';
import { createBackend } from '../choose-backend.ts';
import type { FcmpVerifier } from '../types.ts';
import { unpackItems } from './check-bytes.ts';
import { loadFcmpVerifier } from './fcmp-module.ts';
import type { WorkerOptions, WorkerRequest, WorkerResponse } from './messages.ts';

// Entry point of a verification worker. An error thrown here is a defect, not bad data: it ends the worker,
// and the pool treats that as a crash.
serveJobs(({ backend: choice, cpu, fcmp }: WorkerOptions, send) => {
  const backend = createBackend(choice, { cpu });
  let items: unknown[] = [];
  let verifier: Promise<FcmpVerifier> | undefined;

  const answer = (check: CryptoCheck, loaded?: FcmpVerifier): WorkerResponse => ({
    answers: runCheck(backend, check, loaded),
  });
  /** Answers later, as the verifier may have to be loaded. */
  const answerFcmp = (
    { url, backend: own }: NonNullable<WorkerOptions['fcmp']>,
    check: CryptoCheck,
  ) => {
    verifier ??= loadFcmpVerifier(url, own);
    verifier
      .then((loaded) => send(answer(check, loaded)))
      .catch((error: unknown) => {
        // Outside of the promise, so that it ends a browser's worker too.
        queueMicrotask(() => {
          throw error;
        });
      });
  };

  return ({ kind, bytes, isLast }: WorkerRequest): WorkerResponse | undefined => {
    for (const item of itemsOf(unpackItems(kind, bytes))) items.push(item);
    if (!isLast) return undefined;
    const whole = checkOf(kind, items);
    items = [];
    if (kind !== 'fcmp-plus-plus' || fcmp === undefined) return answer(whole);
    answerFcmp(fcmp, whole);
    return undefined;
  };
});
