import type { Network } from '@monero-node/consensus';

/** Bytes of the disk that the chain of a network takes. */
export interface ChainBytes {
  readonly full: number;
  readonly pruned: number;
  /** By which they grow in a year. */
  readonly yearly: { readonly full: number; readonly pruned: number };
}

/**
 * The disk that mainnet's chain takes at the end of 2026, and the growth of its last era, in 3.9 years: docs/operating/mainnet.md.
 * Nobody has measured others.
 */
const CHAIN_BYTES: Readonly<Record<string, ChainBytes>> = {
  mainnet: { full: 220e9, pruned: 110e9, yearly: { full: 27e9, pruned: 14e9 } },
};

/** Returns the bytes that the chain of a network takes; undefined where nobody has measured them. */
export function chainBytes({ name }: Pick<Network, 'name'>): ChainBytes | undefined {
  return CHAIN_BYTES[name];
}

/** Seconds after which the top block is old: the chain has to be downloaded further. */
const OLD_TOP = 30 * 24 * 3600;

export interface ChainSpace {
  readonly network: Pick<Network, 'name'>;
  readonly dataDir: string;
  /** Whether the chain is pruned, or will be. */
  readonly isPruned: boolean;
  /** False when no peer is to be asked for blocks. */
  readonly downloads: boolean;
  /** Bytes that the stored chain takes. */
  readonly storedBytes: number;
  /** Unix seconds of the top block, and of now. */
  readonly topTime: number;
  readonly now: number;
  /** Undefined when the system does not say. */
  readonly freeBytes: number | undefined;
}

/** Returns a sentence when the disk has too little space for the rest of the chain; otherwise undefined. */
export function chainSpaceWarning({
  network,
  dataDir,
  isPruned,
  downloads,
  storedBytes,
  topTime,
  now,
  freeBytes,
}: ChainSpace): string | undefined {
  const needs = chainBytes(network);
  if (needs === undefined || !downloads || freeBytes === undefined) return undefined;
  // A chain that is nearly complete grows by the year; other notices watch the disk then.
  if (now - topTime < OLD_TOP) return undefined;
  const needed = isPruned ? needs.pruned : needs.full;
  if (storedBytes + freeBytes >= needed) return undefined;
  const gigabytes = (bytes: number): string => `${Math.round(bytes / 1e9)} GB`;
  const pruned = isPruned
    ? `pruned, the chain of ${network.name} takes about ${gigabytes(needed)}`
    : `the chain of ${network.name} takes about ${gigabytes(needed)}, or ${gigabytes(needs.pruned)} with --prune-blockchain`;
  const stored = storedBytes < 1e9 ? '' : `, of which ${gigabytes(storedBytes)} are stored`;
  return `The disk of ${dataDir} is too small: ${gigabytes(freeBytes)} are free, and ${pruned}${stored}. The node stops when the disk is full.`;
}
