import { join } from 'node:path';
import { CHAIN_DIR } from '@monero-node/node/chain-dir';
import { DATA_FILE } from '@monero-node/storage/system';
import { clockSentence, SET_CLOCK, SLOW_LIMIT } from '../../notices/clock-sentence.ts';
import { formatDuration } from '../../runtime/sync-progress.ts';
import { failure, notChecked, ok, warning, type Outcome } from '../finding.ts';
import type { Check, Patient } from '../patient.ts';

/** Seconds without a block after which something is wrong: by chance alone it happens once in a million years. */
const LONGEST_PAUSE = 3600;

/** Whether the clock of this computer agrees with the times of the newest blocks. */
export const CLOCK_CHECK: Check = {
  id: 'clock',
  run: (patient) => {
    const { node, settings, system } = patient;
    if (settings.network.name === 'regtest')
      return notChecked('blocks of a private chain need not have real times');
    if (node === undefined) return atRest(patient);
    const offset = node.topTime - system.now();
    const sentence = offset > 0 ? clockSentence(offset) : undefined;
    if (sentence !== undefined) return failure(sentence, SET_CLOCK);
    if (!node.isSynchronized || node.isOffline)
      return notChecked('the node is not synchronized, so its newest block is old');
    const age = formatDuration(-offset);
    // On the other networks few mine, or none for hours.
    if (settings.network.name === 'mainnet' && -offset > LONGEST_PAUSE)
      return warning(
        `the newest block is ${age} old although the node counts as synchronized: either this clock is fast, or blocks do not arrive`,
        `Compare the clock with another. ${SET_CLOCK} If it is right, see sync_info and the log.`,
      );
    return ok(`the newest block is ${age} old`);
  },
};

/** A clock that was right when the chain was written last must not be behind that. */
async function atRest({ settings, system }: Patient): Promise<Outcome> {
  const file = join(settings.dataDir, CHAIN_DIR, DATA_FILE);
  const written = (await system.statOf(file).catch(() => undefined))?.mtimeMs;
  const ahead = (written ?? 0) / 1000 - system.now();
  if (ahead > SLOW_LIMIT)
    return failure(
      `the chain was last written ${formatDuration(ahead)} in the future of this computer's clock`,
      SET_CLOCK,
    );
  return notChecked('only a running node knows the times of new blocks');
}
