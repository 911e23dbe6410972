import { isIP } from 'node:net';

/**
 * The host that an address such as `host`, `host:port`, `[v6]:port` or `[v6]` names: bans know no ports. Undefined
 * for a host that cannot be banned. Source: src/net/parse.cpp.
 */
export function banHost(address: string): string | undefined {
  const host =
    /^\[([^\]]*)\](?::\d+)?$/.exec(address)?.[1] ?? /^([^:]+):\d+$/.exec(address)?.[1] ?? address;
  return isIP(host) !== 0 || /\.(onion|i2p)$/.test(host) ? host : undefined;
}

/** Whether it is an IPv4 address with the number of its leading bits that count. */
export function isSubnet(text: string): boolean {
  const [address = '', bits = '', ...more] = text.split('/');
  return more.length === 0 && isIP(address) === 4 && /^\d{1,2}$/.test(bits) && Number(bits) <= 32;
}
