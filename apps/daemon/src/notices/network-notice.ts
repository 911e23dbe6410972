import type { Logger, MillisecondClock } from '@monero-node/base';
import type { P2pNodeInfo } from '@monero-node/p2p';
import type { Alarm } from '../alerts/alert.ts';
import { formatDuration } from '../runtime/sync-progress.ts';
import { StandingNotice } from './standing-notice.ts';

/** Milliseconds without any peer after which to warn. */
export const ALONE_PATIENCE = 120_000;

/** Warns when this node has been without peers for two minutes, and reports when it has peers again. */
export class NetworkNotice {
  readonly #p2p: Pick<P2pNodeInfo, 'connections'>;
  readonly #exclusive: () => readonly string[];
  readonly #now: MillisecondClock;
  readonly #notice: StandingNotice;
  #aloneSince: number | undefined;

  /**
   * @param exclusive returns the peers of --add-exclusive-node, which are the only ones then
   * @param now a monotonic clock
   */
  constructor(
    p2p: Pick<P2pNodeInfo, 'connections'>,
    exclusive: () => readonly string[],
    logger: Logger,
    now: MillisecondClock,
    alarm?: Alarm,
  ) {
    this.#p2p = p2p;
    this.#exclusive = exclusive;
    this.#now = now;
    this.#notice = new StandingNotice(
      (sentence) => logger.warn(sentence),
      'This node has peers again.',
      now,
      { alarm },
    );
  }

  check(): void {
    const now = this.#now();
    const hasPeers = this.#p2p.connections().some(({ state }) => state !== 'before_handshake');
    if (hasPeers) this.#aloneSince = undefined;
    else this.#aloneSince ??= now;
    const since = this.#aloneSince;
    if (since === undefined) this.#notice.update(undefined);
    else if (now - since >= ALONE_PATIENCE) {
      const time = formatDuration((now - since) / 1000);
      this.#notice.update(
        `No peers for ${time}: this node gets no blocks or transactions. ${this.#advice()}`,
      );
    }
  }

  #advice(): string {
    const exclusive = this.#exclusive();
    return exclusive.length > 0
      ? `None of the peers of --add-exclusive-node answers: ${exclusive.join(', ')}. Check their addresses and that they run.`
      : 'Check the connection to the internet, the firewall and --proxy, or name a peer with --add-peer HOST:PORT.';
  }
}
