import { BoundedMap } from '@monero-node/base';
import type { MillisecondClock } from '@monero-node/base';
import { isUnknown } from '../net/address.ts';
import type { NetAddress } from '../net/address.ts';
import { connectionLimitHost, isLoopbackAddress } from '../net/ip-address.ts';
import { WorkBudget } from './work-budget.ts';

/** Hosts remembered; the ones that connected longest ago are forgotten first. */
const MAX_HOSTS = 10_000;

/** The budgets of all peers, by host, so that connecting again brings no new one. */
export class WorkBudgets {
  readonly #now: MillisecondClock;
  readonly #byHost = new BoundedMap<string, WorkBudget>(MAX_HOSTS);

  /** @param now must never go back */
  constructor(now: MillisecondClock) {
    this.#now = now;
  }

  /** Returns the budget for a connection. Those from this machine, such as from a proxy, get one of their own. */
  of(address: NetAddress): WorkBudget {
    if (isUnknown(address) || isLoopbackAddress(address)) return new WorkBudget(this.#now);
    const host = connectionLimitHost(address);
    const budget = this.#byHost.get(host) ?? new WorkBudget(this.#now);
    this.#byHost.set(host, budget);
    return budget;
  }
}
