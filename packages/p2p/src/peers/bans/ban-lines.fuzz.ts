import { silentLogger } from '@monero-node/base';
import { parseBanTarget } from '../../net/ban-target.ts';
import { banListed } from './read-ban-list.ts';
import { BanList } from './bans.ts';

const text = `# bans
1.2.3.4
5.6.7.0/24 # a subnet
2001:db8::1
::ffff:9.9.9.9
0.0.0.0/0
203.0.113.50:18080
[2001:db8::2]:5
2001:db8::/32
vww6ybal4bd7szmgncyruucpgfkqahzddi37ktceo3ah7ngmcopnpyyd.onion
`;
export const maxLength = 4096;
export const seeds = [text, '10.0.0.0/8\n10.1.0.0/16\n10.1.2.3\n'].map((lines) =>
  new TextEncoder().encode(lines),
);
export const tokens = ['/0', '/32', '/33', '255.255.255.255', '::', '#', '\n', '0x7f.1', '127.1'];

/** Every line of a ban list is a ban or a warning; hosts that are listed are banned, and every ban can be lifted. */
export async function fuzz(input: Uint8Array): Promise<void> {
  const bans = new BanList(() => 0);
  const lines = Buffer.from(input).toString('utf8').split(/\r?\n/);
  await banListed(bans, lines, silentLogger);
  for (const { host } of bans.list()) {
    const target = parseBanTarget(host);
    if (target?.text !== host) throw new Error(`${host} is listed, but not canonical`);
    if (target.kind === 'subnet') bans.unban(target);
    else if (bans.secondsLeft(host) === undefined || !bans.unban(target)) {
      throw new Error(`${host} is listed, but not banned`);
    }
  }
  if (bans.list().length > 0) throw new Error('a ban cannot be lifted');
}
