import type { Random } from '../recorder/random.ts';
import type { CallKind, Fault } from './fault-control.ts';

const ALL: readonly CallKind[] = ['write', 'flush', 'rename', 'truncate', 'open'];

/** Returns a failure of the disk, or of opening a file for lack of descriptors. */
export function randomFault(random: Random): Fault {
  const code = random.choice(['ENOSPC', 'EIO', 'EMFILE'] as const);
  const ofDisk = random.choice<readonly CallKind[]>([
    ALL,
    ['write'],
    ['flush'],
    ['write', 'flush'],
  ]);
  return {
    code,
    kinds: code === 'EMFILE' ? ['open'] : ofDisk,
    after: random.integer(0, random.choice(code === 'EMFILE' ? [5] : [3, 20, 100])),
    // A disk stays full; the next read or write of a bad disk may succeed.
    stays: code !== 'EIO' && random.next() < 0.5,
  };
}
