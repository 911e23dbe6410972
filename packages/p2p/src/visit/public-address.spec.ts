import type { NetAddress } from '../net/address.ts';
import { mayHoldNode } from './public-address.ts';

const at = (kind: NetAddress['kind'], host: string): NetAddress => ({ kind, host, port: 18080 });

test.each([
  at('ipv4', '169.254.169.254'),
  at('ipv4', '100.64.0.1'),
  at('ipv4', '0.1.2.3'),
  at('ipv4', '255.255.255.255'),
  at('ipv6', 'fd12::1'),
  at('ipv6', '::ffff:169.254.169.254'),
])('no node is at $host', (address) => {
  expect(mayHoldNode(address)).toBe(false);
});

test.each([
  at('ipv4', '8.8.8.8'),
  at('ipv4', '100.63.255.255'),
  at('ipv4', '223.255.255.255'),
  at('ipv6', '2001:db8::1'),
])('a node may be at $host', (address) => {
  expect(mayHoldNode(address)).toBe(true);
});
