import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { monotonicMilliseconds, type Logger, type MillisecondClock } from '@monero-node/base';
import { toHex } from '@monero-node/codec';
import type { BackendFailure, BackendFallback, Disagreement } from '@monero-node/crypto';

/** Largest number of saved cases. */
const MAX_CASES = 100;
/** Least number of milliseconds between two lines about a backend that does not answer. */
const INTERVAL = 60_000;

/** Returns JSON with bytes as hex and bigints as text. */
function toText(disagreement: Disagreement): string {
  return JSON.stringify(
    disagreement,
    (_, value: unknown) => {
      if (value instanceof Uint8Array) return toHex(value);
      return typeof value === 'bigint' ? value.toString() : value;
    },
    2,
  );
}

/**
 * Returns a function that reports each check that a fast crypto backend rejected although it holds: it logs an error
 * and saves the case in the data directory, if there is one, so that it can be investigated. Batches of proofs are not
 * saved, as they are large.
 */
export function cryptoDisagreementReporter(
  dataDir: string | undefined,
  logger: Pick<Logger, 'error'>,
): (disagreement: Disagreement) => void {
  const dir = dataDir === undefined ? undefined : join(dataDir, 'crypto-disagreements');
  return (disagreement) => {
    const what = `the ${disagreement.backendName} crypto backend wrongly refused a ${disagreement.check.kind} check`;
    if (dir === undefined) {
      logger.error(`${what}. Please report it.`);
      return;
    }
    try {
      mkdirSync(dir, { recursive: true });
      const count = readdirSync(dir).length;
      const file = join(dir, `case-${count + 1}.json`);
      if (count < MAX_CASES && !isBatch(disagreement)) writeFileSync(file, toText(disagreement));
      logger.error(`${what}; the case is in ${dir}. Please report it.`);
    } catch (error) {
      logger.error(`${what}; the case could not be saved: ${(error as Error).message}`);
    }
  };
}

function isBatch({ check }: Disagreement): boolean {
  return 'proofs' in check && check.proofs.length > 1;
}

/** Returns a function that logs why a faster crypto backend than the one in use does not run here. */
export function cryptoFallbackReporter(logger: Logger): (fallback: BackendFallback) => void {
  return ({ missing, reason }) => {
    const line = `the ${missing} crypto backend does not run here: ${reason}`;
    // Native code is optional. Without WebAssembly, a node cannot keep up.
    if (missing === 'native') logger.info(line);
    else logger.warn(line);
  };
}

/** Returns a function that counts the checks that a crypto backend did not answer, and logs them once a minute. */
export function cryptoFailureReporter(
  logger: Pick<Logger, 'error'>,
  now: MillisecondClock = monotonicMilliseconds,
): (failure: BackendFailure) => void {
  let count = 0;
  let quietUntil = -Infinity;
  return ({ backendName, kind, error }) => {
    count++;
    if (now() < quietUntil) return;
    quietUntil = now() + INTERVAL;
    const why = error instanceof Error ? error.message : String(error);
    logger.error(
      `the ${backendName} crypto backend did not answer a ${kind} check (${why}); it was asked again, then the reference. ` +
        `Failures so far: ${count}`,
    );
  };
}
