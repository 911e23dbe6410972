import { RpcOptionsError } from '../../errors.ts';
import { TrustedProxies } from './trusted-proxies.ts';

const PROXIES = new TrustedProxies(['127.0.0.1', '10.1.0.0/16', '2001:db8::/32', '[fd00::1]']);

test('addresses and subnets of both kinds', () => {
  const trusted = ['127.0.0.1', '10.1.2.3', '2001:db8:ffff::1', 'fd00::1'];
  const others = ['127.0.0.2', '10.2.0.1', '2001:db9::1', 'fd00::2', '', 'localhost'];
  expect(trusted.filter((one) => PROXIES.isTrusted(one))).toEqual(trusted);
  expect(others.filter((one) => PROXIES.isTrusted(one))).toEqual([]);
});

test.each(['', 'localhost', '1.2.3', '1.2.3.4/33', '1.2.3.4/', '1.2.3.4/-1', '::1/129', '::1/1/1'])(
  '%j is no proxy',
  (entry) => {
    expect(() => new TrustedProxies([entry])).toThrow(RpcOptionsError);
  },
);

test.each<[forwarded: string | undefined, client: string]>([
  ['203.0.113.7', '203.0.113.7'],
  // Addresses that a client makes up come before the one that the proxy adds.
  ['1.1.1.1, 8.8.8.8, 203.0.113.7', '203.0.113.7'],
  ['203.0.113.7, 10.1.0.5', '203.0.113.7'],
  ['127.0.0.1, 203.0.113.7, 10.1.0.5, 127.0.0.1', '203.0.113.7'],
  [' 203.0.113.7:4711 ', '203.0.113.7'],
  ['2606:4700::1', '2606:4700::1'],
  ['[2606:4700::1]:4711', '2606:4700::1'],
  ['[2606:4700::1]', '2606:4700::1'],
  ['::ffff:8.8.8.8', '8.8.8.8'],
  // One host has one text, however its proxy writes it.
  ['::FFFF:808:808', '8.8.8.8'],
  ['2606:4700:0:0::00AB', '2606:4700::ab'],
  ['10.1.0.4, 10.1.0.5', '10.1.0.4'],
  // Without an address the nearest hop that has one counts.
  [undefined, '127.0.0.1'],
  ['', '127.0.0.1'],
  ['unknown', '127.0.0.1'],
  ['8.8.8.8, unknown', '127.0.0.1'],
  ['8.8.8.8, unknown, 10.1.0.5', '10.1.0.5'],
  ['8.8.8.8,', '127.0.0.1'],
  ['fe80::1%eth0', '127.0.0.1'],
  [`${'9.9.9.9, '.repeat(12_000)}203.0.113.7`, '203.0.113.7'],
  [`203.0.113.7${', 10.1.0.5'.repeat(32)}`, '10.1.0.5'],
  [`203.0.113.7${', 10.1.0.5'.repeat(31)}`, '203.0.113.7'],
  ['x'.repeat(90_000), '127.0.0.1'],
])('X-Forwarded-For %.60j', (forwarded, client) => {
  expect(PROXIES.clientOf('127.0.0.1', forwarded)).toBe(client);
});
