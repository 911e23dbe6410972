import { BLOCK_GROUP_SIZE } from '@monero-node/consensus/networks';
import { rulesFor } from '@monero-node/consensus/fork-table';
import { timeSpan } from '../../console/format.ts';
import { notChecked, ok, warning } from '../finding.ts';
import type { Check, Patient } from '../patient.ts';

/** Seconds of blocks above the list from which on a first synchronization takes much longer. */
const OLD = 365 * 24 * 3600;

/** How much of a first synchronization is not covered by the list of trusted block hashes. */
export const TRUSTED_LIST_CHECK: Check = {
  id: 'trusted-list',
  run: (patient) => {
    const { groups } = patient.settings.trustedBlocks;
    if (groups.length === 0) return notChecked('no list is used: every block is verified in full');
    const end = groups.length * BLOCK_GROUP_SIZE;
    const tip = networkHeight(patient);
    const blocks = Math.max(0, tip.height - end);
    const age = blocks * tip.blockSeconds;
    const seen = `the list ends at height ${end}, ${age === 0 ? 'near the newest block' : `about ${timeSpan(age)} ago`}`;
    if ((patient.node?.height ?? 0) >= end) return ok(`${seen}, and the chain is past it`);
    if (age < OLD) return ok(seen);
    return warning(
      `${seen}: ${blocks} blocks are to be verified in full`,
      'Install a newer version of this program, which brings a newer list, before the first synchronization.',
    );
  },
};

/** Returns the height of the network, which is estimated from the last fork while no node runs, and seconds between two blocks. */
function networkHeight({ node, settings, system }: Patient): {
  height: number;
  blockSeconds: number;
} {
  const last = settings.network.hardForks.at(-1);
  const blockSeconds = rulesFor(last?.version ?? 1).difficultyTarget;
  const estimated =
    last === undefined ? 0 : last.height + (system.now() - last.time) / blockSeconds;
  // Without peers a node does not know more than its own height.
  return { height: Math.max(node?.target ?? 0, Math.floor(estimated)), blockSeconds };
}
