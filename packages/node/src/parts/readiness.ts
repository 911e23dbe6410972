import type { MillisecondClock, SecondClock } from '@monero-node/base';
import type { P2pNode } from '@monero-node/p2p';
import { toHex } from '@monero-node/codec/bytes';
import type { HealthFigures } from '@monero-node/rpc';
import type { BlockMeta } from '@monero-node/storage';
import { blocksBehind, type ChainTip } from '../fleet/fleet-tip.ts';
import { claimedHeight } from './target-height.ts';

/** Conditions under which a node is ready. */
export interface ReadinessLimits {
  /**
   * Blocks that it may lack. A node of a fleet that was not ready may lack none before it is again: the clients that come to it have just
   * seen the newest block elsewhere. Peers announce their height once a minute, and new blocks take a moment.
   */
  readonly maxLag: number;
  /** Seconds since the timestamp of the newest block; 0 for any number. */
  readonly maxTipAge: number;
  /** Peers outside of the fleet, where any are expected. */
  readonly minPeers: number;
  /** Bytes free on the disk of the data directory. */
  readonly minFreeSpace: number;
}

/** All reasons against using a node, as its main process gives them; see `Readiness`. */
export const READINESS_REASONS = [
  'stopping',
  'synchronizing',
  'behind',
  'old_tip',
  'no_peers',
  'few_peers',
  'low_disk',
  'store_failed',
] as const;

/** One of {@link READINESS_REASONS}. */
export type ReadinessReason = (typeof READINESS_REASONS)[number];

/** The limits of a node whose options name none: 3 blocks behind at most, one peer; the rest is not looked at. */
export const DEFAULT_READINESS: ReadinessLimits = {
  maxLag: 3,
  maxTipAge: 0,
  minPeers: 1,
  minFreeSpace: 0,
};

/** Milliseconds for which an answer is reused, because anyone may ask. */
const MAX_AGE = 250;

/** What a node knows of its fleet. */
export interface FleetView {
  /** The key of this process; undefined without other nodes. */
  readonly instanceId: string | undefined;
  /** The newest block of the heaviest chain that the fleet vouches for; undefined when nobody does. */
  readonly tip: ChainTip | undefined;
  /** Returns whether a node of the fleet has this address. */
  has(address: string): boolean;
}

export interface ReadinessSources {
  readonly chain: {
    readonly height: number;
    readonly top: Pick<BlockMeta, 'timestamp' | 'id' | 'cumulativeDifficulty'>;
    /** Returns the difficulty of the block at a height. */
    difficultyOf(height: number): bigint;
  };
  readonly p2p: Pick<P2pNode, 'connections' | 'synchronized'>;
  /** The other nodes of the fleet. */
  readonly fleet: FleetView;
  /** False when being alone is normal: offline, and on a regtest for which no peer is named. */
  readonly expectsPeers: boolean;
  /** Whether the store takes no more writes. */
  readonly storeFailed: () => boolean;
  /** Returns the free bytes of the disk of the data directory. */
  readonly freeSpace: () => Promise<number>;
  /** Monotonic. */
  readonly now: MillisecondClock;
  /** Unix seconds. */
  readonly unixTime: SecondClock;
}

/** A judgement, and the monotonic time until which it is reused. */
interface Judgement {
  readonly reasons: readonly ReadinessReason[];
  readonly figures: HealthFigures;
  readonly until: number;
}

/** Returns the newest block of the own chain. */
export function ownTip({
  height,
  top,
}: Pick<ReadinessSources['chain'], 'height' | 'top'>): ChainTip {
  return { height, id: toHex(top.id), work: top.cumulativeDifficulty };
}

/** Decides whether wallets and other programs should use this node now. */
export class Readiness {
  readonly #limits: ReadinessLimits;
  readonly #sources: ReadinessSources;
  #known: Judgement | undefined;
  #isStopping = false;
  #freeSpace: number | undefined;

  constructor(limits: ReadinessLimits, sources: ReadinessSources) {
    this.#limits = limits;
    this.#sources = sources;
    this.#measureDisk();
  }

  /** From now on the node is not ready, because it will stop. */
  announceStop(): void {
    this.#isStopping = true;
  }

  /**
   * Returns the reasons against using this node; an empty list when it is ready. `stopping`: it will stop soon.
   * `synchronizing`: it has not caught up with its peers since its start, or cannot add blocks. `behind`: it lacks some
   * blocks that its peers or other nodes of its fleet have. `old_tip`: its newest block is too old. `no_peers`,
   * `few_peers`, `low_disk`, `store_failed`.
   */
  notReady(): readonly ReadinessReason[] {
    const { reasons } = this.#judgement();
    return this.#isStopping ? ['stopping', ...reasons] : reasons;
  }

  /** Returns the figures that the reasons follow from. */
  figures(): HealthFigures {
    return this.#judgement().figures;
  }

  #judgement(): Judgement {
    const now = this.#sources.now();
    if (this.#known === undefined || now >= this.#known.until) {
      this.#measureDisk();
      const figures = this.#count();
      this.#known = { figures, reasons: this.#reasons(figures), until: now + MAX_AGE };
    }
    return this.#known;
  }

  #count(): HealthFigures {
    const { chain, p2p, fleet, unixTime } = this.#sources;
    const own = ownTip(chain);
    const { height, work } = own;
    const peers = p2p.connections().filter(({ state }) => state !== 'before_handshake');
    const claimed = claimedHeight(peers) ?? 0;
    const { tip } = fleet;
    const isAlone = claimed === 0 && tip === undefined;
    const lags = [
      claimed - height,
      tip === undefined ? 0 : blocksBehind(own, chain.difficultyOf(height - 1), tip),
    ];
    return {
      height,
      topId: own.id,
      cumulativeDifficulty: `0x${work.toString(16)}`,
      targetHeight: isAlone ? undefined : Math.max(height, claimed, tip?.height ?? 0),
      lag: isAlone ? undefined : Math.max(0, ...lags),
      tipAge: unixTime() - chain.top.timestamp,
      peers: peers.length,
      fleetPeers: peers.filter(({ host }) => fleet.has(host)).length,
      freeSpace: this.#freeSpace,
      instanceId: fleet.instanceId,
    };
  }

  #reasons({
    lag,
    tipAge,
    peers,
    fleetPeers,
    freeSpace,
  }: HealthFigures): readonly ReadinessReason[] {
    const { p2p, expectsPeers, fleet, storeFailed } = this.#sources;
    const { maxTipAge, minPeers, minFreeSpace } = this.#limits;
    const wasReady = fleet.instanceId === undefined || this.#known?.reasons.length === 0;
    const maxLag = wasReady ? this.#limits.maxLag : 0;
    const isAlone = peers === 0;
    const isSynchronizing = !p2p.synchronized && (expectsPeers || !isAlone);
    // Nodes of one fleet may all be cut off, and still have each other.
    const lacksPeers = expectsPeers && peers - fleetPeers < minPeers;
    const found: [reason: ReadinessReason, holds: boolean][] = [
      ['synchronizing', isSynchronizing],
      ['behind', !isSynchronizing && (lag ?? 0) > maxLag],
      ['old_tip', !isSynchronizing && maxTipAge > 0 && tipAge > maxTipAge],
      ['no_peers', lacksPeers && isAlone],
      ['few_peers', lacksPeers && !isAlone],
      ['low_disk', (freeSpace ?? Infinity) < minFreeSpace],
      ['store_failed', storeFailed()],
    ];
    return found.flatMap(([reason, holds]) => (holds ? [reason] : []));
  }

  /** Asks for the free space. A disk that does not answer, or fails, does not change the figure. */
  #measureDisk(): void {
    this.#sources.freeSpace().then(
      (bytes) => {
        this.#freeSpace = bytes;
      },
      () => undefined,
    );
  }
}
