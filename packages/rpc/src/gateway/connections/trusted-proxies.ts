import { parseCidr, parseIp, plainIp, Subnets, type Cidr } from '@monero-node/p2p/hosts';
import { RpcOptionsError } from '../../errors.ts';

/** Characters of `X-Forwarded-For` that are looked at, from its end, and addresses in them. */
const MAX_FORWARDED = 2048;
const MAX_HOPS = 32;

/** The reverse proxies that may say for whom they ask. */
export class TrustedProxies {
  /** Undefined: there are none. */
  #subnets: Subnets | undefined;

  /** @param entries `IP` or `IP/bits`. Throws RpcOptionsError for another form. */
  constructor(entries: readonly string[]) {
    this.replace(entries);
  }

  /** Trusts others from now on. Throws RpcOptionsError, and changes nothing, for an entry of another form. */
  replace(entries: readonly string[]): void {
    const subnets = new Subnets(entries.map(parseEntry));
    this.#subnets = entries.length === 0 ? undefined : subnets;
  }

  /** Returns whether an address is that of a trusted proxy. */
  isTrusted(address: string): boolean {
    if (this.#subnets === undefined) return false;
    const ip = parseIp(address);
    return ip !== undefined && this.#subnets.has(ip);
  }

  /**
   * Returns the client of a request that came from a trusted proxy: the last address in `X-Forwarded-For` that no trusted proxy
   * has, because everything before it may be made up. An entry that is no address ends the search; the hop after it counts.
   */
  clientOf(proxy: string, forwarded: string | string[] | undefined): string {
    let client = proxy;
    const text = String(forwarded ?? '');
    const parts = text.slice(-MAX_FORWARDED).split(',');
    // The first part may be cut off.
    const whole = text.length > MAX_FORWARDED ? parts.slice(1) : parts;
    for (const part of whole.slice(-MAX_HOPS).reverse()) {
      const hop = addressIn(part);
      if (hop === undefined) return client;
      client = hop;
      if (!this.isTrusted(hop)) return client;
    }
    return client;
  }
}

function parseEntry(entry: string): Cidr {
  const subnet = parseCidr(entry.replace(/^\[(.*)\]/, '$1'));
  if (subnet !== undefined) return subnet;
  throw new RpcOptionsError(`--rpc-trusted-proxy ${entry}: IP or IP/BITS expected.`);
}

/** Returns the address of an entry, which may have a port behind it; undefined for any other text. */
function addressIn(text: string): string | undefined {
  const entry = text.trim();
  const [, bracketed, v4] =
    /^(?:\[([^\]]{1,64})\](?::\d{1,5})?|([\d.]{7,15}):\d{1,5})$/.exec(entry) ?? [];
  const address = bracketed ?? v4 ?? entry;
  const ip = address.includes('%') ? undefined : parseIp(address);
  return ip && String(plainIp(ip));
}
