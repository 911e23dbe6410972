import type { Logger, MillisecondClock, SecondClock } from '@monero-node/base';
import type { P2pNodeInfo } from '@monero-node/p2p';
import type { Alarm } from '../alerts/alert.ts';
import { openAdvice } from '../runtime/reach-sentence.ts';
import { formatDuration } from '../runtime/sync-progress.ts';
import { StandingNotice } from './standing-notice.ts';

/** Seconds without a peer from outside, of a node with peers, after which one could have come. */
export const REACH_PATIENCE = 6 * 3600;
/** Milliseconds between the first sentence and the second. */
const REPEAT = 24 * 3_600_000;

type ReachSource = Pick<P2pNodeInfo, 'connections' | 'reachability'>;

/** Warns when nobody of the public network has connected to this node for six hours although anybody may, and reports when somebody does. */
export class ReachNotice {
  readonly #p2p: ReachSource;
  readonly #now: MillisecondClock;
  readonly #unixTime: SecondClock;
  readonly #notice: StandingNotice;
  #quietSince: number | undefined;

  /**
   * @param now a monotonic clock
   * @param unixTime Unix seconds
   */
  constructor(
    p2p: ReachSource,
    logger: Logger,
    now: MillisecondClock,
    unixTime: SecondClock,
    alarm?: Alarm,
  ) {
    this.#p2p = p2p;
    this.#now = now;
    this.#unixTime = unixTime;
    this.#notice = new StandingNotice(
      (sentence) => logger.warn(sentence),
      'A peer has come in: this node can be reached from outside.',
      now,
      { firstInterval: REPEAT, alarm },
    );
  }

  check(): void {
    const { closedBy, networks, port } = this.#p2p.reachability();
    const { connected = 0, last } = networks.find(({ zone }) => zone === 'public') ?? {};
    // A node without peers has another trouble, of which another notice tells.
    const isAlone = this.#p2p.connections().every(({ state }) => state === 'before_handshake');
    if (closedBy !== undefined || isAlone || connected > 0) {
      this.#quietSince = undefined;
      if (connected > 0) this.#notice.update(undefined);
      return;
    }
    this.#quietSince ??= this.#now();
    // Peers that stay for a few seconds come and go between two looks.
    const sinceLast = last === undefined ? Infinity : this.#unixTime() - last;
    const seconds = Math.min((this.#now() - this.#quietSince) / 1000, sinceLast);
    if (seconds < REACH_PATIENCE) return;
    const before =
      last === undefined
        ? 'none is on record'
        : `the last was there ${formatDuration(sinceLast)} ago`;
    this.#notice.update(
      `No incoming connection for ${formatDuration(seconds)}, ${before}. ${openAdvice(port)}`,
    );
  }
}
