import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const PROGRAM =
  process.env.MONERO_PERFORMANCE_TESTS ?? '/usr/lib/monero/tests/bin/performance_tests';
const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * Microseconds of one call of an upstream performance test, per unit of work.
 *
 * @param {{ test: string, units?: number } | undefined} baseline test name as the program prints it.
 * @returns undefined when the program is not installed or does not know the test.
 */
export function monerodMicroseconds(baseline) {
  if (baseline === undefined || !existsSync(PROGRAM)) return undefined;
  const { test, units = 1 } = baseline;
  const { stdout } = spawnSync(PROGRAM, ['--stats', `--filter=${escaped(test)}`], {
    encoding: 'utf8',
  });
  const line = stdout.split('\n').find((text) => text.startsWith(test));
  const match = line?.match(/median ([\d.]+) (µs|ms|s)\b/) ?? line?.match(/OK: ([\d.]+) (µs|ms|s)/);
  if (!match) return undefined;
  const scale = { µs: 1, ms: 1000, s: 1e6 }[match[2]];
  return (Number(match[1]) * scale) / units;
}
