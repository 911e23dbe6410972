import { isIPv6 } from 'node:net';
import { BoundedMap } from '@monero-node/base';
import { Caller, type CallerGroup } from '../scheduling/time-shares.ts';

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
    const host = hostOf(address);
    const caller = this.#callers.get(host) ?? new Caller(this.#group);
    this.#callers.set(host, caller);
    return caller;
  }
}

function hostOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('%', 1)[0]?.split('::') ?? [];
  const groups = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - groups.length - after.length);
  return [...groups, ...Array.from({ length: zeros }, () => '0'), ...after].slice(0, 4).join(':');
}
