import { asIpv6, parseIp, type Ip } from './ip.ts';

/** An address with a prefix length. */
export interface Cidr {
  readonly ip: Ip;
  readonly bits: number;
}

const CIDR = /^([^/]+?)(?:\/(\d{1,3}))?$/;
/** Bits of an IPv4-mapped IPv6 address before those of the IPv4 address. */
const MAPPED_BITS = 96;

/** Returns what `IP` or `IP/BITS` names; undefined for any other text, and when the address has fewer bits. */
export function parseCidr(text: string): Cidr | undefined {
  const [, host = '', length] = CIDR.exec(text) ?? [];
  const ip = parseIp(host);
  if (ip === undefined) return undefined;
  const most = bitsOf(ip);
  const bits = Number(length ?? most);
  return bits <= most ? { ip, bits } : undefined;
}

function bitsOf(ip: Ip): number {
  return ip.kind() === 'ipv4' ? 32 : 128;
}

/** A list of subnets of IPv4 and IPv6. An IPv4 address and its IPv4-mapped IPv6 form are one. */
export class Subnets {
  readonly #list: readonly { readonly base: ReturnType<typeof asIpv6>; readonly bits: number }[];

  constructor(subnets: readonly Cidr[]) {
    this.#list = subnets.map(({ ip, bits }) => ({
      base: asIpv6(ip),
      bits: bits + (ip.kind() === 'ipv4' ? MAPPED_BITS : 0),
    }));
  }

  /** Returns the list of some subnets. Throws RangeError for a text that {@link parseCidr} does not read. */
  static of(...texts: readonly string[]): Subnets {
    return new Subnets(
      texts.map((text) => {
        const subnet = parseCidr(text);
        if (subnet === undefined) throw new RangeError(`${text} is no subnet`);
        return subnet;
      }),
    );
  }

  /** Returns whether one of the subnets contains an address. */
  has(ip: Ip): boolean {
    const address = asIpv6(ip);
    return this.#list.some(({ base, bits }) => address.match(base, bits));
  }
}
