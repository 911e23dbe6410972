import { BlockList, isIP, isIPv4 } from 'node:net';
import { plainAddress } from '../addresses.ts';
import { RpcOptionsError } from '../../errors.ts';

/** Characters of `X-Forwarded-For` that are looked at, from its end, and addresses in them. */
const MAX_FORWARDED = 2048;
const MAX_HOPS = 32;

/** The reverse proxies that may say for whom they ask. */
export class TrustedProxies {
  readonly #list = new BlockList();

  /** @param entries `IP` or `IP/bits`. Throws RpcOptionsError for another form. */
  constructor(entries: readonly string[]) {
    for (const entry of entries) {
      const { ip, bits } = parseEntry(entry);
      this.#list.addSubnet(ip, bits, isIPv4(ip) ? 'ipv4' : 'ipv6');
    }
  }

  /** Returns whether an address is that of a trusted proxy. */
  isTrusted(address: string): boolean {
    if (isIP(address) === 0) return false;
    return this.#list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
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

function parseEntry(entry: string): { readonly ip: string; readonly bits: number } {
  const [ip = '', bits, more] = entry.replace(/^\[(.*)\]/, '$1').split('/');
  const most = isIPv4(ip) ? 32 : 128;
  const isRight =
    isIP(ip) !== 0 && more === undefined && (bits === undefined || /^\d{1,3}$/.test(bits));
  const length = Number(bits ?? most);
  if (isRight && length <= most) return { ip, bits: length };
  throw new RpcOptionsError(`--rpc-trusted-proxy ${entry}: IP or IP/BITS expected.`);
}

/** Returns the address of an entry, which may have a port behind it; undefined for any other text. */
function addressIn(text: string): string | undefined {
  const entry = text.trim();
  const [, bracketed, v4] =
    /^(?:\[([^\]]{1,64})\](?::\d{1,5})?|([\d.]{7,15}):\d{1,5})$/.exec(entry) ?? [];
  const address = plainAddress(bracketed ?? v4 ?? entry);
  return isIP(address) === 0 || address.includes('%') ? undefined : address;
}
