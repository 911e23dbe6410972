import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '@monero-node/base';
import { toHex } from '@monero-node/codec';
import type { Disagreement } from '@monero-node/crypto';

/** Largest number of saved cases. */
const MAX_CASES = 100;

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
 * Returns a function that reports each check that a fast crypto backend rejected and the reference accepts:
 * it logs an error and saves the case in the data directory, so that it can be investigated.
 */
export function cryptoDisagreementReporter(
  dataDir: string,
  logger: Logger,
): (disagreement: Disagreement) => void {
  const dir = join(dataDir, 'crypto-disagreements');
  return (disagreement) => {
    const what = `the ${disagreement.backendName} crypto backend wrongly refused a ${disagreement.check.kind} check`;
    try {
      mkdirSync(dir, { recursive: true });
      const count = readdirSync(dir).length;
      const file = join(dir, `case-${count + 1}.json`);
      if (count < MAX_CASES) writeFileSync(file, toText(disagreement));
      logger.error(`${what}; the case is in ${dir}. Please report it.`);
    } catch (error) {
      logger.error(`${what}; the case could not be saved: ${(error as Error).message}`);
    }
  };
}
