import {
  EMBARGO_AVERAGE,
  FORWARD_DELAY_AVERAGE,
  LIFETIME,
  LIFETIME_FROM_BLOCK,
  MAX_RELAY_CHECK,
  MAX_RELAY_DELAY,
  MIN_RELAY_DELAY,
} from './limits.ts';
import type { PoolEntry } from './pool-entry.ts';
import type { RelayMethod } from './relay-method.ts';

/**
 * When transactions are to be sent out (again). Source: get_relayable_transactions and set_relayed in
 * src/cryptonote_core/tx_pool.cpp. Times are Unix seconds.
 */
export class RelaySchedule {
  readonly #random: () => number;
  #nextCheck: number;

  /** @param random in [0, 1), not to be guessed by peers */
  constructor(now: number, random: () => number) {
    this.#random = random;
    this.#nextCheck = now;
  }

  /**
   * When a transaction that just came, or was just sent, as `method` is due: stem ones become public
   * then unless they have been seen again, and held ones are sent. Undefined for the other methods.
   */
  dueTime(method: RelayMethod, now: number): number | undefined {
    if (method !== 'stem' && method !== 'forward') return undefined;
    const due =
      now + poisson(method === 'stem' ? EMBARGO_AVERAGE : FORWARD_DELAY_AVERAGE, this.#random);
    this.#nextCheck = Math.min(this.#nextCheck, due);
    return due;
  }

  /**
   * The transactions that are due, each with the method it is to be sent by. Calling it again before the next
   * are due finds none.
   *
   * @param changed told of entries whose record is another now
   */
  due(
    entries: Iterable<PoolEntry>,
    now: number,
    changed: (entry: PoolEntry) => void,
  ): Map<RelayMethod, PoolEntry[]> {
    const found = new Map<RelayMethod, PoolEntry[]>();
    if (now < this.#nextCheck) return found;
    let nextCheck = now + MAX_RELAY_CHECK;
    for (const entry of entries) {
      if (entry.fee === 0n || entry.relay === 'none') continue;
      const isHeld = entry.relay === 'stem' || entry.relay === 'forward';
      if (isHeld && (entry.relayTime ?? 0) > now) {
        nextCheck = Math.min(nextCheck, entry.relayTime ?? now);
        continue;
      }
      if (!isHeld && !isDueAgain(entry, now)) continue;
      if (isHeld) {
        entry.relayTime = now + relayDelay(entry.relayTime ?? now, entry.receiveTime);
        changed(entry);
      }
      // Peers drop old ones at slightly different times, and would get them back from us.
      const lifetime = entry.keptByBlock ? LIFETIME_FROM_BLOCK : LIFETIME;
      if (now - entry.receiveTime > lifetime / 2) continue;
      const method = methodFor(entry.relay);
      const list = found.get(method);
      if (list === undefined) found.set(method, [entry]);
      else list.push(entry);
    }
    this.#nextCheck = nextCheck;
    return found;
  }
}

function methodFor(relay: RelayMethod): RelayMethod {
  if (relay === 'local') return 'local';
  return relay === 'forward' ? 'stem' : 'fluff';
}

function isDueAgain({ relayed, relayTime, receiveTime }: PoolEntry, now: number): boolean {
  if (!relayed) return true;
  // It came from others who had relayed it, and was never sent by us.
  if (relayTime === undefined) return false;
  return now - relayTime > relayDelay(relayTime, receiveTime);
}

/** Seconds until the next relay: the longer ago the first, the more. */
function relayDelay(lastRelay: number, received: number): number {
  const steps = Math.floor((lastRelay - received + MIN_RELAY_DELAY) / MIN_RELAY_DELAY);
  return Math.min(MAX_RELAY_DELAY, steps * MIN_RELAY_DELAY);
}

/** A whole number of seconds from the Poisson distribution, by multiplying uniform numbers (Knuth). */
function poisson(mean: number, random: () => number): number {
  const limit = Math.exp(-mean);
  let product = random();
  let count = 0;
  while (product > limit) {
    product *= random();
    count++;
  }
  return count;
}
