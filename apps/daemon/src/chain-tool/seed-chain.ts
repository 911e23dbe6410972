import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { monotonicMilliseconds, type Logger } from '@monero-node/base';
import { toHex } from '@monero-node/codec';
import { createBackend } from '@monero-node/crypto';
import { CHAIN_DIR, makeDataDir } from '@monero-node/node';
import { isLoopback, unbracketed } from '@monero-node/p2p/hosts';
import { dialThroughSocks, loadSocks } from '@monero-node/p2p/socks';
import { makeFolder, StoreCheck } from '@monero-node/storage';
import { mebibytes, StepProgress } from './step-progress.ts';
import { flushFolder } from './whole-folder.ts';
import type { DaemonSettings } from '../cli/daemon-settings.ts';
import type { SeedFrom } from '../cli/seed-settings.ts';
import { checkSeed } from './check-seed.ts';
import { CopyProgress, copySentence } from '../seed/copy-progress.ts';
import { downloadSeed, type DownloadOptions } from '../seed/download-seed.ts';
import { checkFleetAgrees } from '../seed/fleet-agrees.ts';
import type { SeedManifest } from '../seed/manifest.ts';
import { SeedError, SeedRefusedError } from '../seed/seed-error.ts';
import { SeedSource } from '../seed/seed-source.ts';

/** Folder in the data directory that holds a seed until it is complete and verified. */
const INCOMPLETE = 'seed-incomplete';
/** File beside the data file that tells where a chain was copied from. */
const SEEDED = 'seeded.json';
const OWNER_ONLY = 0o700;

export type SeedSettings = Pick<
  DaemonSettings,
  'cryptoBackend' | 'dataDir' | 'fleetNodes' | 'network' | 'p2p' | 'trustedBlocks'
>;

export interface SeedOptions {
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly signal: AbortSignal;
  /** Told how far it is, now and then. */
  readonly onStep?: (text: string) => void;
}

/** Returns whether the chain in a data directory was copied from a source, at some time. */
export function wasSeeded(dataDir: string): boolean {
  return existsSync(join(dataDir, CHAIN_DIR, SEEDED));
}

/**
 * Copies the chain of a source into a data directory without one, verifies it, and puts it in place in one step. What an attempt
 * has left that was killed, or whose source has gone, is gone on with; what a source that lies has sent is removed.
 *
 * Rejects with SeedError, StorageError, the error of the system, and the reason of the signal.
 */
export async function seedChain(
  settings: SeedSettings,
  from: SeedFrom,
  options: SeedOptions,
): Promise<void> {
  const { dataDir } = settings;
  const chain = join(dataDir, CHAIN_DIR);
  if (existsSync(chain))
    throw new SeedError(
      `${chain} is there already: a seed needs a data directory without a chain; leave --seed-from away, or choose another --data-dir`,
    );
  makeDataDir(dataDir);
  const folder = join(dataDir, INCOMPLETE);
  makeFolder(folder, OWNER_ONLY);
  try {
    const begin = monotonicMilliseconds();
    const manifest = await download(settings, from, { ...options, folder });
    const copied = monotonicMilliseconds();
    await verify(settings, manifest, { ...options, folder, level: from.level });
    await keepNote(folder, from, manifest);
    await flushFolder(folder);
    renameSync(folder, chain);
    await flushFolder(dataDir);
    const times = `copied in ${seconds(begin, copied)} s, verified in ${seconds(copied, monotonicMilliseconds())} s`;
    options.logger.info(
      `the chain of ${manifest.height} blocks (${mebibytes(manifest.size)} MiB) is here: ${times}`,
    );
  } catch (error) {
    if (error instanceof SeedRefusedError) rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

const seconds = (from: number, to: number): string => ((to - from) / 1000).toFixed(1);

type Step = SeedOptions & { readonly folder: string };

async function download(
  { network, p2p }: SeedSettings,
  { url, key }: SeedFrom,
  { folder, logger, signal, onStep }: Step,
): Promise<SeedManifest> {
  // What listens on this machine, such as a tunnel, is not behind a proxy.
  const proxy = isLoopback(unbracketed(url.hostname)) ? undefined : p2p.proxy;
  if (proxy !== undefined) await loadSocks();
  const dial = proxy && dialThroughSocks(proxy);
  logger.info(`copying the chain from ${url.origin} (--seed-from)`);
  return downloadSeed(folder, {
    source: new SeedSource({ url, key, dial, signal, logger }),
    network: network.name,
    signal,
    onProgress: copyLines((line) => {
      logger.info(line);
      onStep?.(line);
    }),
  });
}

/** Returns what takes the progress of a copy, and prints a line at most every two seconds. */
function copyLines(print: (line: string) => void): DownloadOptions['onProgress'] {
  const progress = new CopyProgress();
  const lines = new StepProgress('copied', (line) => {
    print(`${line}; ${copySentence(progress.status)}`);
  });
  return (done, total, bytes) => {
    if (progress.status.size !== total) progress.begin(total);
    progress.add(done, bytes);
    lines.update(done, total);
  };
}

async function verify(
  { cryptoBackend, fleetNodes, network, trustedBlocks }: SeedSettings,
  manifest: SeedManifest,
  { folder, level, logger, signal, onStep }: Step & Pick<SeedFrom, 'level'>,
): Promise<void> {
  const backend = createBackend(cryptoBackend);
  await checkSeed(folder, manifest, {
    level,
    network,
    groups: trustedBlocks.groups,
    commitToAmount: (amount) => backend.commitToAmount(amount),
    signal,
    onProgress: new StepProgress('verified', (line) => {
      logger.info(line);
      onStep?.(line);
    }).update,
  });
  const idAt = (height: number): Promise<string> => readId(folder, height);
  await checkFleetAgrees(manifest, idAt, { nodes: fleetNodes, logger, signal });
}

async function readId(folder: string, height: number): Promise<string> {
  const check = await StoreCheck.open(folder);
  try {
    return toHex(check.meta(height)?.id ?? new Uint8Array());
  } finally {
    await check.close();
  }
}

/** Writes where the chain comes from. A node that starts again with --seed-from then knows its own chain. */
async function keepNote(folder: string, { url }: SeedFrom, manifest: SeedManifest): Promise<void> {
  const { height, topId } = manifest;
  const path = join(folder, SEEDED);
  writeFileSync(path, `${JSON.stringify({ from: url.origin, height, topId })}\n`);
  const file = await open(path, 'r+');
  await file.sync().finally(() => file.close());
}
