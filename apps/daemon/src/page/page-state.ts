import { monotonicMilliseconds } from '@monero-node/base';
import type { TrafficFacts } from '@monero-node/dashboard';
import type { PageView } from '@monero-node/rpc';
import type { NotableLine } from '../log/kept-lines.ts';
import type { LiveView } from './live-view.ts';
import { ledgerSection } from './ledger-section.ts';
import type { PageSources } from './page-sources.ts';
import { RecentBlocks } from './recent-blocks.ts';
import {
  bandEdges,
  chainSection,
  clientSection,
  diskSection,
  feeSection,
  miningSection,
  peerSection,
  poolSections,
  publicChain,
  updateSection,
} from './sections.ts';

/** Milliseconds for which longer looks are reused: at the peers and the rigs, at the pool, at the disk. */
const PEERS_AGE = 3000;
const POOL_AGE = 3000;
const DISK_AGE = 30_000;

/** Looks at the node and sets the sections of both views. */
export class PageState {
  readonly blocks: RecentBlocks;
  readonly #sources: PageSources;
  readonly #views: Readonly<Record<PageView, LiveView>>;
  readonly #traffic = new TrafficMeter();
  /** The height for which the advice on fees was computed. */
  #feesFor: number | undefined;
  #lowestFee = 1;
  #publicPool = 0;
  #peersAt = -Infinity;
  #poolAt = -Infinity;
  #diskAt = -Infinity;
  /** A disk that hangs is not asked again. */
  #isAskingDisk = false;
  /** Of the disk; null until the system has said it, and when it cannot. */
  #freeBytes: number | null = null;
  #sampled: { at: number; bytesIn: number; bytesOut: number } | undefined;
  #lastLine = 0;

  constructor(sources: PageSources, views: Readonly<Record<PageView, LiveView>>) {
    this.#sources = sources;
    this.#views = views;
    this.blocks = new RecentBlocks(sources.blockchain);
  }

  /** Reads the totals from which rates are taken. */
  measure(): void {
    this.#traffic.add(monotonicMilliseconds(), this.#sources.p2p.netStats);
  }

  /** The pool and the fees are to be looked at again. */
  chainChanged(): void {
    this.#poolAt = -Infinity;
  }

  /** Looks at what is read at once. */
  look(): void {
    const { blockchain, miner, now, p2p } = this.#sources;
    const chain = chainSection(this.#sources);
    this.#views.owner.set('chain', chain);
    this.#views.public.set('chain', publicChain(chain));
    this.#lookAtFees(chain.height);
    this.#views.owner.set('mining', miningSection(miner, blockchain.network));
    this.#views.owner.set('traffic', this.#traffic.facts);
    if (!isDue(this.#peersAt, PEERS_AGE)) return;
    this.#peersAt = monotonicMilliseconds();
    this.#views.owner.set('peers', peerSection(p2p, Math.floor(now() / 1000)));
    this.#views.owner.set('clients', clientSection(this.#sources.clients));
    this.#views.owner.set('ledger', ledgerSection(this.#sources));
    this.#views.owner.set('update', updateSection(this.#sources.updates));
  }

  #lookAtFees(height: number): void {
    if (this.#feesFor === height) return;
    this.#feesFor = height;
    const fees = feeSection(this.#sources);
    this.#lowestFee = fees.perByte[0] ?? 1;
    for (const view of Object.values(this.#views)) view.set('fees', fees);
  }

  /** Looks at what takes longer, if it is due. */
  async lookLonger(): Promise<void> {
    if (isDue(this.#poolAt, POOL_AGE)) await this.#lookAtPool();
    if (isDue(this.#diskAt, DISK_AGE) && !this.#isAskingDisk) await this.#lookAtDisk();
  }

  async #lookAtPool(): Promise<void> {
    this.#poolAt = monotonicMilliseconds();
    this.#lookAtFees(this.#sources.blockchain.height);
    const edges = bandEdges(this.#lowestFee);
    const sections = poolSections(await this.#sources.pool.feeBands(edges), edges);
    this.#publicPool = sections.public.count;
    this.#views.owner.set('pool', sections.owner);
    this.#views.public.set('pool', sections.public);
  }

  async #lookAtDisk(): Promise<void> {
    this.#diskAt = monotonicMilliseconds();
    // A system that cannot say how much is free, or does not answer, must not hide the size of the chain.
    this.#showDisk();
    this.#isAskingDisk = true;
    this.#freeBytes = await this.#sources
      .freeSpace()
      .catch(() => null)
      .finally(() => {
        this.#isAskingDisk = false;
      });
    this.#showDisk();
  }

  #showDisk(): void {
    this.#views.owner.set('disk', diskSection(this.#sources.blockchain, this.#freeBytes));
  }

  /** Adds a sample to the history. */
  async sample(): Promise<void> {
    const { miner, now, p2p, pool } = this.#sources;
    if (isDue(this.#poolAt, POOL_AGE)) await this.#lookAtPool();
    const at = monotonicMilliseconds();
    const { bytesIn, bytesOut } = p2p.netStats;
    const before = this.#sampled;
    this.#sampled = { at, bytesIn, bytesOut };
    const seconds = Math.max(1, (at - (before?.at ?? at)) / 1000);
    const { active, speed } = miner.status;
    const point = {
      bytesIn: before === undefined ? 0 : (bytesIn - before.bytesIn) / seconds,
      bytesOut: before === undefined ? 0 : (bytesOut - before.bytesOut) / seconds,
      hashes: active ? speed : 0,
      pool: pool.size,
      peers: p2p.connections().filter(({ state }) => state !== 'before_handshake').length,
    };
    const { owner, public: known } = this.#views;
    const time = now() / 1000;
    owner.addPoints(owner.history.add(time, point));
    known.addPoints(known.history.add(time, { pool: this.#publicPool }));
  }

  /** Sends what has changed. */
  flush(): void {
    const blocks = this.blocks.update();
    const log: readonly NotableLine[] = this.#sources.log?.after(this.#lastLine) ?? [];
    this.#lastLine = this.#sources.log?.newest ?? 0;
    for (const view of Object.values(this.#views)) view.flush({ blocks, log });
  }
}

const isDue = (at: number, age: number): boolean => monotonicMilliseconds() - at >= age;

/** Milliseconds over which the rates are taken. */
const WINDOW = 5000;

interface Reading {
  readonly at: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
}

/** Turns totals of bytes into rates. */
export class TrafficMeter {
  #readings: Reading[] = [];

  /** @param at milliseconds of a clock that does not jump */
  add(
    at: number,
    { bytesIn, bytesOut }: { readonly bytesIn: number; readonly bytesOut: number },
  ): void {
    this.#readings.push({ at, bytesIn, bytesOut });
    while ((this.#readings[1]?.at ?? at) <= at - WINDOW) this.#readings.shift();
  }

  /** The totals, and the bytes per second over the last few seconds. */
  get facts(): TrafficFacts {
    const first = this.#readings[0];
    const last = this.#readings.at(-1);
    if (first === undefined || last === undefined) {
      return { bytesIn: 0, bytesOut: 0, rateIn: 0, rateOut: 0 };
    }
    const seconds = Math.max(1, (last.at - first.at) / 1000);
    return {
      bytesIn: last.bytesIn,
      bytesOut: last.bytesOut,
      rateIn: Math.round((last.bytesIn - first.bytesIn) / seconds),
      rateOut: Math.round((last.bytesOut - first.bytesOut) / seconds),
    };
  }
}
