import type { Logger, MillisecondClock } from '@monero-node/base';
import { targetHeight, type PeerClaim } from '@monero-node/node';
import type { Alarm } from '../alerts/alert.ts';
import { formatDuration } from '../runtime/sync-progress.ts';
import { StandingNotice } from './standing-notice.ts';

/** Blocks behind the peers from which on it is worth a line: about twenty minutes. */
const LAG = 10;
/** Milliseconds without a new block, while peers have more, that count as stuck. */
const STUCK = 10 * 60_000;

export interface LagSources {
  /** Blocks in our chain. */
  readonly height: () => number;
  /** Seconds between blocks, on average. */
  readonly blockTime: () => number;
  readonly connections: () => readonly PeerClaim[];
  readonly logger: Logger;
  /** A monotonic clock. */
  readonly now: MillisecondClock;
  /** Raises the alert of a chain that does not grow. */
  readonly alarm?: Alarm;
}

/** Reports how far this node is behind its peers, when it has caught up, and when it is stuck. */
export class LagNotice {
  readonly #sources: LagSources;
  readonly #stuck: StandingNotice;
  #isBehind = false;
  #last: { height: number; at: number };

  constructor(sources: LagSources) {
    this.#sources = sources;
    const { alarm, height, logger, now } = sources;
    this.#last = { height: height(), at: now() };
    this.#stuck = new StandingNotice(
      (sentence) => logger.warn(sentence),
      'The chain grows again.',
      now,
      { alarm },
    );
  }

  check(): void {
    const height = this.#sources.height();
    const lag = this.#peerHeight() - height;
    const now = this.#sources.now();
    if (height !== this.#last.height || lag < LAG) this.#last = { height, at: now };
    this.#report(height, lag);
    const still = now - this.#last.at;
    this.#stuck.update(
      still < STUCK
        ? undefined
        : `No block was added for ${formatDuration(still / 1000)}, although peers have ${lag} more. "sync_info" on the console shows the downloads; the lines above show which blocks were refused.`,
    );
  }

  #report(height: number, lag: number): void {
    const { blockTime, logger } = this.#sources;
    if (!this.#isBehind && lag >= LAG) {
      this.#isBehind = true;
      const age = formatAge(lag * blockTime());
      logger.info(`Synchronization begins at height ${height}: ${lag} blocks (${age}) behind.`);
    } else if (this.#isBehind && lag <= 1 && this.#peerHeight() > 0) {
      this.#isBehind = false;
      logger.info(`Synchronization has ended at height ${height}.`);
    }
  }

  /** Returns the height that most peers claim; 0 without peers. */
  #peerHeight(): number {
    return targetHeight(0, this.#sources.connections());
  }
}

/** Returns a time span, given in seconds, in the unit that fits it. */
function formatAge(seconds: number): string {
  const days = seconds / 86_400;
  if (days >= 730) return `${(days / 365).toFixed(1)} years`;
  return days >= 2 ? `${days.toFixed(1)} days` : formatDuration(seconds);
}
