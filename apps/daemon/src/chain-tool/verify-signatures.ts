import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { machineLimits } from '@monero-node/base/machine';
import { join } from 'node:path';
import { monotonicMilliseconds, systemSeconds } from '@monero-node/base';
import { verifyStored, type StoredFault } from '@monero-node/blockchain';
import { toHex } from '@monero-node/codec';
import { createBackend, createVerificationPool, type VerificationPool } from '@monero-node/crypto';
import { CHAIN_DIR, fcmpModule } from '@monero-node/node';
import { createPowHasher, type PowHasher } from '@monero-node/pow';
import { openLmdbStore, type ChainReader } from '@monero-node/storage';
import type { DaemonSettings } from '../cli/daemon-settings.ts';
import { UsageError } from '../cli/usage-error.ts';
import { EXIT } from '../ending/exit-codes.ts';
import { StepProgress } from './step-progress.ts';
import type { StoreTask } from './store-task.ts';
import { numberOf } from './tool-options.ts';
import { ownCommand } from '../installed/own-commands.ts';

/** File in the data directory that holds the place of an interrupted run. */
const STATE_FILE = 'verify-signatures-state.json';
/** Milliseconds between two places that are kept for the next run. */
const SAVE_INTERVAL = 5000;
/** Faults that are kept and printed; more are counted. */
const MAX_FAULTS = 20;

/** How far a verification has come. */
interface Place {
  /** The first block, whether proof of work is verified, and the revision of this file's format. */
  readonly task: string;
  /** Height of the first block that is not done. */
  height: number;
  /** Id of the block below, hex. */
  topId: string;
  verified: number;
  pruned: number;
  faultCount: number;
  /** The first of them. */
  readonly faults: StoredFault[];
}

/**
 * Verifies signatures, range proofs and, if wanted, proof of work of the blocks of a chain at rest, and prints what is wrong. A
 * run that was interrupted goes on where it was. Returns the exit status: 1 when something is wrong.
 *
 * Throws UsageError, StorageError, PowUnavailableError, and the reason of the signal.
 */
export async function verifySignatures(task: StoreTask): Promise<number> {
  const { settings, own, print } = task;
  const withPow = own.has('pow');
  const from = Math.max(1, numberOf(own, 'from') ?? 1);
  const last = numberOf(own, 'to');
  if (last !== undefined && last < from) throw new UsageError('--to is below --from');
  const path = join(settings.dataDir, STATE_FILE);
  if (own.has('restart')) rmSync(path, { force: true });
  const store = await openLmdbStore({
    path: join(settings.dataDir, CHAIN_DIR),
    syncMode: settings.syncMode,
  });
  let engines: Engines | undefined;
  try {
    if (own.has('from') && from >= store.height)
      throw new UsageError(`--from is above the newest block, ${store.height - 1}`);
    engines = openEngines(settings, withPow);
    const to = Math.min(store.height, last === undefined ? Infinity : last + 1);
    const wanted = JSON.stringify({ format: 2, from, last: last ?? null, withPow });
    const place = loadPlace(path, wanted, store) ?? newPlace(wanted, from);
    if (place.height > from) print(`going on at block ${place.height} of ${to}`);
    for (const fault of place.faults) print(describeFault(fault));
    await run({ ...task, store, engines, place, path, to });
    rmSync(path, { force: true });
    print(summary(place, withPow));
    return place.faultCount === 0 ? EXIT.ok : EXIT.failed;
  } finally {
    await Promise.allSettled([engines?.verifier.close(), engines?.pow?.close()]);
    await store.close();
  }
}

interface Engines {
  readonly verifier: VerificationPool;
  readonly pow: PowHasher | undefined;
}

function openEngines(settings: DaemonSettings, withPow: boolean): Engines {
  const { processors: threads } = machineLimits();
  return {
    pow: withPow
      ? createPowHasher({
          engine: settings.powEngine,
          threads: Math.max(1, Math.min(threads, settings.powThreads)),
        })
      : undefined,
    verifier: createVerificationPool({
      threads: settings.verificationThreads || threads,
      backend: settings.cryptoBackend,
      fcmpModule: fcmpModule(),
    }),
  };
}

interface Run extends Pick<StoreTask, 'settings' | 'print' | 'signal'> {
  readonly store: ChainReader;
  readonly engines: Engines;
  readonly place: Place;
  readonly path: string;
  /** Height after the last block. */
  readonly to: number;
}

/** Verifies from the place on, and moves the place. */
async function run({
  settings,
  print,
  signal,
  store,
  engines,
  place,
  path,
  to,
}: Run): Promise<void> {
  const backend = createBackend(settings.cryptoBackend);
  const progress = new StepProgress('verified', print);
  // A transaction takes longer than a block without any.
  const workTo = (height: number): number =>
    height + 10 * (store.blockMeta(height - 1)?.cumulativeTxCount ?? 0);
  const start = workTo(place.height);
  const steps = verifyStored({
    network: settings.network,
    store,
    ...engines,
    now: systemSeconds,
    commitToAmount: (amount) => backend.commitToAmount(amount),
    from: place.height,
    to,
  });
  let savedAt = monotonicMilliseconds();
  for await (const step of steps) {
    place.height = step.height;
    place.topId = toHex(store.blockMeta(step.height - 1)?.id ?? new Uint8Array());
    place.verified += step.verified;
    place.pruned += step.pruned;
    for (const fault of step.faults) {
      if (place.faultCount++ >= MAX_FAULTS) continue;
      place.faults.push(fault);
      print(describeFault(fault));
    }
    progress.update(workTo(step.height) - start, workTo(to) - start);
    if (!signal.aborted && monotonicMilliseconds() - savedAt < SAVE_INTERVAL) continue;
    savePlace(path, place);
    savedAt = monotonicMilliseconds();
    signal.throwIfAborted();
  }
}

function newPlace(task: string, height: number): Place {
  return { task, height, topId: '', verified: 0, pruned: 0, faultCount: 0, faults: [] };
}

function savePlace(path: string, place: Place): void {
  // This may run as root: it must not follow a link that the node's user made.
  rmSync(`${path}.new`, { force: true });
  writeFileSync(`${path}.new`, JSON.stringify(place), { flag: 'wx' });
  renameSync(`${path}.new`, path);
}

/** Returns the place of an earlier run of the same task on the same blocks. */
function loadPlace(path: string, task: string, store: ChainReader): Place | undefined {
  try {
    const place = JSON.parse(readFileSync(path, 'utf8')) as Place;
    const below = store.blockMeta(place.height - 1);
    const isSame = place.task === task && below !== undefined && toHex(below.id) === place.topId;
    return isSame ? place : undefined;
  } catch {
    return undefined;
  }
}

function describeFault({ height, txId, problem }: StoredFault): string {
  return `block ${height}${txId === undefined ? '' : `, transaction ${txId}`}: ${problem}`;
}

function summary({ verified, pruned, faultCount }: Place, withPow: boolean): string {
  const what = withPow
    ? 'proof of work, signatures and range proofs'
    : 'signatures and range proofs';
  const unknown =
    pruned === 0
      ? ''
      : `; ${pruned} blocks cannot be checked, because parts of their transactions are pruned`;
  if (faultCount === 0) return `${verified} blocks verified, ${what}: all valid${unknown}`;
  const faults = faultCount === 1 ? '1 fault' : `${faultCount} faults`;
  return `${verified} blocks verified, ${what}: ${faults}${unknown}. Restore a backup, or import the chain into an empty data directory (${ownCommand('monero-node-chain')} import --verify)`;
}
