import { formatPeerAddress } from './address.ts';
import { parsePeerAddress } from './parse-address.ts';
import { parseSocksEndpoint } from './socks-endpoint.ts';

export const maxLength = 4096;
export const seeds = [
  ...['1.2.3.4:18080', '[2001:db8::1]:18080', '::1', '::ffff:1.2.3.4', 'fe80::1%eth0'],
  'vww6ybal4bd7szmgncyruucpgfkqahzddi37ktceo3ah7ngmcopnpyyd.onion:18083',
  `${'a'.repeat(51)}q.b32.i2p:1`,
  'socks5://user:p%40ss@127.0.0.1:9050',
].map((text) => new TextEncoder().encode(text));
export const tokens = ['::', '.onion', '.b32.i2p', ':65535', ':65536', '%'];

/** Any text is an address or none; an address is written and read again to the same text. */
export function fuzz(input: Uint8Array): void {
  const text = Buffer.from(input).toString('utf8');
  const address = parsePeerAddress(text, 18_080);
  if (address !== undefined) {
    const written = formatPeerAddress(address);
    const again = parsePeerAddress(written, 1);
    if (again === undefined || formatPeerAddress(again) !== written) {
      throw new Error(`${written} is not read again`);
    }
  }
  parseSocksEndpoint(text);
}
