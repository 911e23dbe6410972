import { poisson, type RandomSource } from '@monero-node/base';
import {
  EMBARGO_AVERAGE,
  FORWARD_DELAY_AVERAGE,
  LIFETIME,
  LIFETIME_FROM_BLOCK,
  MAX_RELAY_CHECK,
  MAX_RELAY_DELAY,
  MIN_RELAY_DELAY,
} from '../limits.ts';
import type { PoolEntry } from '../store/pool-entry.ts';
import type { RelayMethod } from '../store/relay-method.ts';

/** Most transactions that are sent again at a time: their bytes are read from the store. */
const MOST_AT_ONCE = 200;

/**
 * Decides when transactions are to be sent (again). Times are Unix seconds.
 *
 * Source: tx_memory_pool::get_relayable_transactions and set_relayed in src/cryptonote_core/tx_pool.cpp.
 */
export class RelaySchedule {
  readonly #random: RandomSource;
  #nextCheck: number;
  /** How many entries the pass under way has looked at; 0 when none is. */
  #seen = 0;
  /** When the pass after the one under way is due; what it has not looked at yet may be due earlier. */
  #followingCheck = Infinity;

  /** @param random not to be predicted by peers */
  constructor(now: number, random: RandomSource) {
    this.#random = random;
    this.#nextCheck = now;
  }

  /** Follows the system's clock, which was set forward by that many seconds, or back when negative. */
  move(seconds: number): void {
    this.#nextCheck += seconds;
    this.#followingCheck += seconds;
  }

  /**
   * Returns when a transaction that just arrived, or was just sent, by `method` is due. A stem transaction
   * becomes public then unless it has been seen again; a held one is sent. Undefined for other methods.
   */
  dueTime(method: RelayMethod, now: number): number | undefined {
    if (method !== 'stem' && method !== 'forward') return undefined;
    const due =
      now + poisson(method === 'stem' ? EMBARGO_AVERAGE : FORWARD_DELAY_AVERAGE, this.#random);
    this.#nextCheck = Math.min(this.#nextCheck, due);
    this.#followingCheck = Math.min(this.#followingCheck, due);
    return due;
  }

  /**
   * Returns the transactions that are due, by the method they are to be sent by; the rest of many with the next calls. Another
   * call before the next one is due returns none.
   *
   * @param changed called with entries whose record has changed
   */
  due(
    entries: Iterable<PoolEntry>,
    now: number,
    changed: (entry: PoolEntry) => void,
  ): Map<RelayMethod, PoolEntry[]> {
    const found = new Map<RelayMethod, PoolEntry[]>();
    if (now < this.#nextCheck) return found;
    if (this.#seen === 0) this.#followingCheck = now + MAX_RELAY_CHECK;
    let [at, count] = [0, 0];
    for (const entry of entries) {
      if (at++ < this.#seen) continue;
      if (count === MOST_AT_ONCE) {
        this.#seen = at - 1;
        return found;
      }
      if (entry.fee === 0n || entry.relay === 'none') continue;
      const isHeld = entry.relay === 'stem' || entry.relay === 'forward';
      if (isHeld && (entry.relayTime ?? 0) > now) {
        this.#followingCheck = Math.min(this.#followingCheck, entry.relayTime ?? now);
        continue;
      }
      if (!isHeld && !isDueAgain(entry, now)) continue;
      if (isHeld) {
        entry.relayTime = now + relayDelay(entry.relayTime ?? now, entry.receiveTime);
        changed(entry);
      }
      // Peers drop old transactions at slightly different times, and must not get them back from us.
      const lifetime = entry.keptByBlock ? LIFETIME_FROM_BLOCK : LIFETIME;
      if (now - entry.receiveTime > lifetime / 2) continue;
      count++;
      const method = methodFor(entry.relay);
      const list = found.get(method);
      if (list === undefined) found.set(method, [entry]);
      else list.push(entry);
    }
    this.#seen = 0;
    this.#nextCheck = this.#followingCheck;
    return found;
  }
}

function methodFor(relay: RelayMethod): RelayMethod {
  if (relay === 'local') return 'local';
  return relay === 'forward' ? 'stem' : 'fluff';
}

function isDueAgain({ relayed, relayTime, receiveTime }: PoolEntry, now: number): boolean {
  if (!relayed) return true;
  // Peers relayed it to this node, which never sent it itself.
  if (relayTime === undefined) return false;
  return now - relayTime > relayDelay(relayTime, receiveTime);
}

/** Returns the seconds until the next relay, which grow with the age of the transaction. */
function relayDelay(lastRelay: number, received: number): number {
  const steps = Math.floor((lastRelay - received + MIN_RELAY_DELAY) / MIN_RELAY_DELAY);
  return Math.min(MAX_RELAY_DELAY, steps * MIN_RELAY_DELAY);
}
