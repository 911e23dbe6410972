import { BlockList, isIPv4 } from 'node:net';
import { seededRandom } from '@monero-node/base';
import { parseIp } from './ip.ts';
import { parseCidr, Subnets } from './subnets.ts';

test.each([
  '',
  '/8',
  '1.2.3/8',
  '010.0.0.0/8',
  '1.2.3.4/33',
  '1.2.3.4/',
  '1.2.3.4/-1',
  '1.2.3.4/+1',
  '1.2.3.4/1e1',
  '::1/129',
  '::1/1/1',
  '1.2.3.4/0008',
])('%j is no subnet', (text) => {
  expect(parseCidr(text)).toBeUndefined();
  expect(() => Subnets.of('::1', text)).toThrow(RangeError);
});

test.each([
  ['1.2.3.4', '1.2.3.4/32'],
  ['1.2.3.4/08', '1.2.3.4/8'],
  ['2001:DB8::/32', '2001:db8::/32'],
  ['fe80::1%eth0', 'fe80::1/128'],
])('%s is %s', (text, written) => {
  const subnet = parseCidr(text);
  expect(`${String(subnet?.ip)}/${String(subnet?.bits)}`).toBe(written);
});

test('answers as the BlockList of Node.js does', () => {
  const random = seededRandom(5);
  const below = (limit: number): number => Math.floor(random() * limit);
  const oneOf = (list: readonly string[]): string => list[below(list.length)] ?? '';
  const octet = (): string => oneOf(['0', '1', '10', '127', '128', '255', String(below(256))]);
  const ipv4 = (): string => Array.from({ length: 4 }, octet).join('.');
  const group = (): string => oneOf(['0', '0', 'ffff', below(65_536).toString(16)]);
  const ipv6 = (): string =>
    random() < 0.4
      ? `${oneOf(['::', '::ffff:'])}${ipv4()}`
      : Array.from({ length: 8 }, group).join(':');
  const family = (ip: string): 'ipv4' | 'ipv6' => (isIPv4(ip) ? 'ipv4' : 'ipv6');
  let found = 0;
  for (let round = 0; round < 1000; round++) {
    const list = new BlockList();
    const bases = Array.from({ length: 3 }, () => (random() < 0.5 ? ipv4() : ipv6()));
    const texts = bases.map((ip) => {
      const bits = below(isIPv4(ip) ? 33 : 129);
      list.addSubnet(ip, bits, family(ip));
      return `${ip}/${bits}`;
    });
    const subnets = Subnets.of(...texts);
    for (const ip of [
      ...bases,
      ...Array.from({ length: 10 }, () => (random() < 0.5 ? ipv4() : ipv6())),
    ]) {
      const expected = list.check(ip, family(ip));
      const address = parseIp(ip);
      if (address === undefined || subnets.has(address) !== expected)
        throw new Error(`${ip} in ${texts.join(', ')}: ${expected}`);
      if (expected) found++;
    }
  }
  expect(found).toBeGreaterThan(1000);
});
