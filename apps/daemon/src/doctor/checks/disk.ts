import { join } from 'node:path';
import { CHAIN_DIR } from '@monero-node/node/chain-dir';
import { DATA_FILE } from '@monero-node/storage/system';
import { byteCount } from '../../console/format.ts';
import { chainBytes, chainSpaceWarning } from '../../notices/chain-space.ts';
import { LEAST_FREE } from '../../notices/resource-notices.ts';
import { failure, notChecked, ok, warning, type Outcome } from '../finding.ts';
import type { Check, Patient } from '../patient.ts';

const DAYS_OF_YEAR = 365;
/** Days for which the disk should suffice. */
const FORESIGHT = 90;

/** Whether the disk has room for what is left of the chain, and for its growth. */
export const DISK_CHECK: Check = {
  id: 'disk',
  run: async (patient) => {
    const { node, settings, system } = patient;
    const free = node?.own?.freeBytes ?? (await system.freeBytes(settings.dataDir));
    if (free === undefined) return notChecked('the system does not say how much is free');
    if (free < LEAST_FREE)
      return failure(
        `only ${byteCount(free)} are free on the disk of ${settings.dataDir}`,
        'Free some space or move the data directory: the node stops when the disk is full.',
      );
    return (await tooSmall(patient, free)) ?? growth(patient, free);
  },
};

/** By the same rule as at the start of a node. */
async function tooSmall(
  { node, settings, system }: Patient,
  freeBytes: number,
): Promise<Outcome | undefined> {
  const { dataDir, network, p2p, prune } = settings;
  const stored = node?.databaseBytes ?? (await storedBytes({ settings, system }));
  const now = system.now();
  // A chain at rest that is as large as a pruned one may be whole. Its newest block is not looked at, as that would write a lock.
  const isWhole = stored >= (chainBytes(network)?.pruned ?? 0);
  const sentence = chainSpaceWarning({
    network,
    dataDir,
    isPruned: prune,
    downloads: !p2p.offline,
    storedBytes: stored,
    topTime: node?.topTime ?? (isWhole ? now : 0),
    now,
    freeBytes,
  });
  const advice = 'Move the data directory to a larger disk, or start with --prune-blockchain.';
  return sentence === undefined ? undefined : failure(sentence, advice);
}

async function storedBytes({
  settings,
  system,
}: Pick<Patient, 'settings' | 'system'>): Promise<number> {
  const file = join(settings.dataDir, CHAIN_DIR, DATA_FILE);
  return (await system.statOf(file).catch(() => undefined))?.size ?? 0;
}

function growth({ settings }: Patient, free: number): Outcome {
  const { network, prune } = settings;
  const yearly = chainBytes(network)?.yearly[prune ? 'pruned' : 'full'];
  const seen = `${byteCount(free)} are free`;
  if (yearly === undefined) return ok(seen);
  const days = (free / yearly) * DAYS_OF_YEAR;
  const grows = `${seen}; the chain of ${network.name} grows by about ${Math.round(yearly / 1e9)} GB a year`;
  if (days < FORESIGHT)
    return warning(
      `${grows}, so the disk is full in about ${Math.floor(days)} days`,
      'Plan for a larger disk, or prune the chain (--prune-blockchain).',
    );
  return ok(
    `${grows}, so the disk lasts for ${(days / DAYS_OF_YEAR).toFixed(1)} years if nothing else fills it`,
  );
}
