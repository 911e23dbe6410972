import { performance } from 'node:perf_hooks';
import { monotonicMilliseconds, Periodic, type MillisecondClock } from '@monero-node/base';
import { PUBLIC_MS_PER_SECOND, type PortShares } from './port-shares.ts';

/** Milliseconds between two samples. */
const SAMPLE_MS = 1000;
/** Milliseconds over which the shares are averages, the newest counting most. */
const AVERAGE_MS = 10_000;
/** Share of the time that calls could have at least, whatever else the process does: all other work gives way in slices. */
const LEAST_AVAILABLE = 0.25;
const PUBLIC_SHARE = PUBLIC_MS_PER_SECOND / 1000;

export interface SaturationSources {
  readonly shares: PortShares;
  /** Returns the share of each port's memory that is in use, 0 to 1. */
  readonly memory: () => readonly number[];
  /** Monotonic. */
  readonly now?: MillisecondClock;
  /** Returns the milliseconds for which the event loop was idle since the start of the process. */
  readonly idle?: () => number;
}

const loopIdle = (): number => performance.eventLoopUtilization().idle;

/**
 * Measures how much of what a process has for answers is in use: of the time of its event loop, and of the memory for requests and
 * answers. Calls can have the time that they take now and the time that is idle; those of restricted ports no more than their limit.
 */
export class SaturationMeter {
  readonly #sources: SaturationSources;
  readonly #now: MillisecondClock;
  readonly #idleUntil: () => number;
  readonly #samples = new Periodic(SAMPLE_MS, () => this.sample());
  #at: number;
  #spentPublic: number;
  #spent: number;
  #idle: number;
  /** Averages, as shares of the time. */
  #publicShare = 0;
  #callShare = 0;
  #idleShare = 1;

  constructor(sources: SaturationSources) {
    this.#sources = sources;
    this.#idleUntil = sources.idle ?? loopIdle;
    this.#now = sources.now ?? monotonicMilliseconds;
    this.#at = this.#now();
    this.#idle = this.#idleUntil();
    this.#spentPublic = sources.shares.public.spent;
    this.#spent = this.#spentPublic + sources.shares.owner.spent;
  }

  /** Takes samples once a second until the stop. */
  start(): void {
    this.#samples.start();
  }

  stop(): void {
    this.#samples.stop();
  }

  /** Takes notice of the time since the last sample. */
  sample(): void {
    const { shares } = this.#sources;
    const at = this.#now();
    const elapsed = at - this.#at;
    if (elapsed <= 0) return;
    const idle = this.#idleUntil();
    const spentPublic = shares.public.spent;
    const spent = spentPublic + shares.owner.spent;
    const weight = 1 - Math.exp(-elapsed / AVERAGE_MS);
    const moved = (average: number, milliseconds: number): number =>
      average + weight * (Math.min(1, milliseconds / elapsed) - average);
    this.#publicShare = moved(this.#publicShare, spentPublic - this.#spentPublic);
    this.#callShare = moved(this.#callShare, spent - this.#spent);
    this.#idleShare = moved(this.#idleShare, idle - this.#idle);
    this.#at = at;
    this.#idle = idle;
    this.#spentPublic = spentPublic;
    this.#spent = spent;
  }

  /** The share in use, 0 to 1: of the time or of the memory, whichever is more. */
  get value(): number {
    const available = Math.max(LEAST_AVAILABLE, this.#callShare + this.#idleShare);
    const time = Math.max(
      this.#callShare / available,
      this.#publicShare / Math.min(PUBLIC_SHARE, available),
    );
    return Math.min(1, Math.max(time, ...this.#sources.memory()));
  }
}

/** Returns the average of what processes say of themselves; 0 without any. */
export function meanSaturation(processes: readonly { readonly saturation: number }[]): number {
  const sum = processes.reduce((total, { saturation }) => total + saturation, 0);
  return processes.length === 0 ? 0 : sum / processes.length;
}
