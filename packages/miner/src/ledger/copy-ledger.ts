import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LEDGER_FILE, OWNER_ONLY } from './ledger-file.ts';

const LINE_END = 10;

/**
 * Copies the ledger of one data directory, whose node may be running, into another one, and waits until it is on the disk. Returns
 * false when there is none to copy. Throws the error of the system.
 */
export function copyLedger(from: string, to: string): boolean {
  const bytes = readIfThere(join(from, LEDGER_FILE));
  if (bytes === undefined) return false;
  // The node may be in the middle of a line.
  const whole = bytes.subarray(0, bytes.lastIndexOf(LINE_END) + 1);
  writeFileSync(join(to, LEDGER_FILE), whole, { mode: OWNER_ONLY, flush: true });
  return true;
}

/** Returns the bytes of a file; undefined when it does not exist. */
function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
