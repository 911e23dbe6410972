import type { Logger, MillisecondClock, SecondClock } from '@monero-node/base';
import type { StratumServer } from '@monero-node/stratum';
import type { Alarm } from '../alerts/alert.ts';
import { formatDuration } from '../runtime/sync-progress.ts';
import { StandingNotice } from './standing-notice.ts';

/** Seconds for which a rig may be away before anybody is told: it may only have started again. */
const RIG_PATIENCE = 300;
/** Seconds for which a rig must have been connected to be missed: strangers who send a share and leave are not. */
const LEAST_CONNECTED = 3600;
/** Seconds after which a rig that is away is no longer missed. */
const FORGET_AFTER = 24 * 3600;
/** Rigs that are missed at a time; of more that leave, nothing is said. */
const MOST_MISSED = 64;

type RigFacts = Pick<
  StratumServer['rigs'][number],
  'name' | 'connections' | 'connectedSeconds' | 'accepted' | 'since' | 'address'
>;

export interface RigSources {
  /** The rigs that have logged in since the start. */
  readonly rigs: () => readonly RigFacts[];
  readonly logger: Logger;
  /** A monotonic clock. */
  readonly now: MillisecondClock;
  readonly unixTime: SecondClock;
  /** Returns what raises the alert of one rig; none when absent. */
  readonly newAlarm?: () => Alarm;
}

/** Warns when a rig that has mined for this node for an hour has been away for five minutes, and reports when it is back. */
export class RigNotice {
  readonly #sources: RigSources;
  readonly #missed = new Map<string, StandingNotice>();

  constructor(sources: RigSources) {
    this.#sources = sources;
  }

  check(): void {
    const rigs = new Map(this.#sources.rigs().map((rig) => [rig.name, rig]));
    for (const rig of rigs.values()) this.#check(rig);
    // The figures of rigs are bounded too: one that is away may have no place among them any more.
    for (const name of this.#missed.keys()) if (!rigs.has(name)) this.#forget(name);
  }

  #check({ name, connections, connectedSeconds, accepted, since, address }: RigFacts): void {
    const missed = this.#missed.get(name);
    if (connections > 0) {
      missed?.update(undefined);
      this.#missed.delete(name);
      return;
    }
    const away = this.#sources.unixTime() - since;
    if (accepted === 0 || connectedSeconds < LEAST_CONNECTED || away < RIG_PATIENCE) return;
    if (away >= FORGET_AFTER) {
      this.#forget(name);
      return;
    }
    if (missed === undefined && this.#missed.size >= MOST_MISSED) return;
    const notice = missed ?? this.#miss(name);
    notice.update(`Rig ${name} at ${address} has been away for ${formatDuration(away)}.`);
  }

  #forget(name: string): void {
    this.#missed.get(name)?.end(`Rig ${name} is no longer missed.`);
    this.#missed.delete(name);
  }

  #miss(name: string): StandingNotice {
    const { logger, now, newAlarm } = this.#sources;
    const notice = new StandingNotice(
      (sentence) => logger.warn(sentence),
      `Rig ${name} is back.`,
      now,
      { alarm: newAlarm?.() },
    );
    this.#missed.set(name, notice);
    return notice;
  }
}
