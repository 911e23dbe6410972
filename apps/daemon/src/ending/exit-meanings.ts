import { EXIT } from './exit-codes.ts';

/** One exit status for the reader of a manual. */
export interface ExitMeaning {
  readonly status: number;
  readonly meaning: string;
  /** Whether starting the same program again can help. The unit for systemd does not restart the others. */
  readonly restart: boolean;
}

/** Every exit status, in ascending order. docs/operating/service.md, the man page and the unit for systemd agree with it. */
export const EXIT_MEANINGS: readonly ExitMeaning[] = (
  [
    ['ok', 'stopped as asked', false],
    [
      'failed',
      'wrong options, a start that failed, a command that was refused, or a second signal, after more than a second',
      false,
    ],
    [
      'warnings',
      '`doctor` has found what needs attention, and no failure (with one it is 1)',
      false,
    ],
    [
      'unavailable',
      'this machine failed ten times in a row to add blocks: the log names the cause',
      true,
    ],
    [
      'software',
      'an error in the program: `crash-<time>.txt` in the data directory describes it (five files are kept)',
      true,
    ],
    ['limit', 'the limit of open files is below 512 (`ulimit -n 4096`)', false],
    [
      'storage',
      'the chain cannot be read or written: the disk is full or fails, a file is damaged, permissions are missing',
      false,
    ],
    ['interrupted', '`monero-node-chain` was interrupted', false],
  ] as const
).map(([name, meaning, restart]) => ({ status: EXIT[name], meaning, restart }));
