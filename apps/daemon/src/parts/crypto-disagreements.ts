import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '@monero-node/base';
import { toHex } from '@monero-node/codec';
import type { Disagreement } from '@monero-node/crypto';

/** Cases kept; more of them say nothing new. */
const MAX_CASES = 100;

/** JSON with bytes as hex and big numbers as text. */
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
 * Reports that a fast crypto backend refused what the reference accepts: an error in the log, and
 * the case saved in the data directory so that it can be looked into.
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
