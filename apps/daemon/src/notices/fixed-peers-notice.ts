import type { Logger, MillisecondClock } from '@monero-node/base';
import type { FixedPeerInfo } from '@monero-node/p2p';
import type { Alarm } from '../alerts/alert.ts';
import { StandingNotice } from './standing-notice.ts';

/** Milliseconds without a connection after which to warn. */
const PATIENCE = 60_000;

const OPTIONS = {
  exclusive: '--add-exclusive-node',
  priority: '--add-priority-node',
} as const satisfies Record<FixedPeerInfo['kind'], string>;

const nameOf = ({ kind, text }: FixedPeerInfo): string => `${OPTIONS[kind]} ${text}`;

/** Warns when a peer that the user named cannot be reached, with the reason, and reports when it is connected again. */
export class FixedPeersNotice {
  readonly #peers: () => readonly FixedPeerInfo[];
  readonly #logger: Logger;
  readonly #now: MillisecondClock;
  readonly #newAlarm: () => Alarm | undefined;
  readonly #known = new Map<string, { notice: StandingNotice; missingSince: number | undefined }>();

  /**
   * @param peers returns the state of the exclusive and priority peers
   * @param now a monotonic clock
   * @param newAlarm returns what raises the alert of one peer
   */
  constructor(
    peers: () => readonly FixedPeerInfo[],
    logger: Logger,
    now: MillisecondClock,
    newAlarm: () => Alarm | undefined = () => undefined,
  ) {
    this.#peers = peers;
    this.#logger = logger;
    this.#now = now;
    this.#newAlarm = newAlarm;
  }

  check(): void {
    const peers = new Map(this.#peers().map((peer) => [nameOf(peer), peer]));
    for (const [name, peer] of peers) this.#check(name, peer);
    // A reload may have removed some.
    for (const [name, { notice }] of this.#known) {
      if (peers.has(name)) continue;
      notice.end(`${name} is named no more.`);
      this.#known.delete(name);
    }
  }

  #check(name: string, { connected, trouble }: FixedPeerInfo): void {
    const known = this.#known.get(name) ?? this.#add(name);
    if (connected) known.missingSince = undefined;
    else known.missingSince ??= this.#now();
    const since = known.missingSince;
    if (since === undefined) known.notice.update(undefined);
    else if (this.#now() - since >= PATIENCE)
      known.notice.update(`No connection to ${name}: ${trouble ?? 'it has not been tried'}.`);
  }

  #add(name: string): { notice: StandingNotice; missingSince: number | undefined } {
    const notice = new StandingNotice(
      (sentence) => this.#logger.warn(sentence),
      `Connected to ${name} again.`,
      this.#now,
      { alarm: this.#newAlarm() },
    );
    const known = { notice, missingSince: undefined };
    this.#known.set(name, known);
    return known;
  }
}
