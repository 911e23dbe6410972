import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const REPORTER = fileURLToPath(new URL('../hostile/report-stalls.mjs', import.meta.url));

/** The flags and the environment with which our daemon writes the stalls of its event loop to a file. */
export const reportStalls = (file) => ({
  nodeFlags: ['--import', REPORTER],
  env: { HOSTILE_STALLS: file },
});

/**
 * Returns the longest stall that began after a moment, in milliseconds that the main thread ran: other programs that hold
 * the processor are no stall of ours. Undefined without a report.
 */
export function longestStall(file, since) {
  if (!existsSync(file)) return undefined;
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  const stalls = lines.map((line) => JSON.parse(line)).filter(({ at }) => at >= since);
  return Math.max(0, ...stalls.map(({ stall, ran }) => Math.min(stall, ran)));
}
