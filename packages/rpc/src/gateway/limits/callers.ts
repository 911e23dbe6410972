import { BoundedMap } from '@monero-node/base';
import { clientHost } from '@monero-node/p2p/hosts';
import { Caller, type CallerGroup } from '../../scheduling/time-shares.ts';

const MAX_CALLERS = 4096;

/** Knows the hosts that call: connections of one host share its time, also when it connects again. */
export class Callers {
  readonly #group: CallerGroup;
  readonly #callers = new BoundedMap<string, Caller>(MAX_CALLERS);

  constructor(group: CallerGroup) {
    this.#group = group;
  }

  /** Returns the caller of an address; all of an IPv6 /64 count as one host. */
  of(address: string): Caller {
    const host = clientHost(address);
    const caller = this.#callers.get(host) ?? new Caller(this.#group);
    this.#callers.set(host, caller);
    return caller;
  }
}
