import { NETWORKS } from '@monero-node/consensus';
import { formatPeerAddress, isUnknown, unknownAddress } from './address.ts';
import {
  connectionLimitHost,
  ipv4FromNumber,
  ipv4Number,
  privateRange,
  subnetGroup,
  unmapped,
} from './ip-address.ts';
import { ipAddress, parsePeerAddress, parseHostPort } from './parse-address.ts';
import type { NetAddress } from './address.ts';

function ip(host: string, port = 18080): NetAddress {
  const address = ipAddress(host, port);
  if (!address) throw new Error(`${host} is not an IP`);
  return address;
}

test.each([
  ['1.2.3.4', { host: '1.2.3.4', port: 18080 }],
  ['1.2.3.4:99', { host: '1.2.3.4', port: 99 }],
  ['node.example:1234', { host: 'node.example', port: 1234 }],
  ['[::1]:5', { host: '::1', port: 5 }],
  ['[fe80::1]', { host: 'fe80::1', port: 18080 }],
  ['fe80::1', { host: 'fe80::1', port: 18080 }],
])('splits %s', (text, expected) => {
  expect(parseHostPort(text, 18080)).toEqual(expected);
});

test.each(['', ':18080', '1.2.3.4:0', '1.2.3.4:65536', 'a b', '[1.2.3.4]:1', '[::1', '::1]:4'])(
  'refuses %j',
  (text) => {
    expect(parseHostPort(text, 18080)).toBeUndefined();
  },
);

test('finds the IPv4 in a mapped IPv6 address', () => {
  expect(unmapped(ip('::ffff:10.1.2.3'))).toEqual({ kind: 'ipv4', host: '10.1.2.3', port: 18080 });
  expect(unmapped(ip('2001:db8::1')).kind).toBe('ipv6');
});

test('converts IPv4 to a number with the first octet in the low byte', () => {
  expect(ipv4Number(ip('1.2.3.4'))).toBe(0x04030201);
  expect(ipv4Number(ip('255.0.0.254'))).toBe(0xfe0000ff);
  expect(ipv4FromNumber(0xfe0000ff)).toBe('255.0.0.254');
  expect(ipv4Number(ip('::1'))).toBe(0);
});

test.each(['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.7.7', 'fe80::1', 'febf::1'])(
  '%s is local',
  (host) => expect(privateRange(ip(host))).toBe('local'),
);
test.each(['11.0.0.1', '172.15.0.1', '172.32.0.1', '192.169.0.1', '8.8.8.8', 'fec0::1', 'fc00::1'])(
  '%s is not local',
  (host) => expect(privateRange(ip(host))).toBeUndefined(),
);

test('recognizes loopback addresses', () => {
  expect(privateRange(ip('127.3.2.1'))).toBe('loopback');
  expect(privateRange(ip('::1'))).toBe('loopback');
  expect(privateRange(ip('128.0.0.1'))).toBeUndefined();
});

test('groups peers by /24 and /32, and connections by address and /64', () => {
  expect(subnetGroup(ip('9.8.7.6'))).toBe(subnetGroup(ip('9.8.7.200')));
  expect(subnetGroup(ip('9.8.7.6'))).not.toBe(subnetGroup(ip('9.8.6.6')));
  expect(subnetGroup(ip('2001:db8:1::1'))).toBe(subnetGroup(ip('2001:db8:2::1')));
  expect(subnetGroup(ip('::ffff:9.8.7.1'))).toBe(subnetGroup(ip('9.8.7.6')));
  expect(connectionLimitHost(ip('2001:db8:1:2:3::1'))).toBe(
    connectionLimitHost(ip('2001:db8:1:2:4::1')),
  );
  expect(connectionLimitHost(ip('9.8.7.6'))).not.toBe(connectionLimitHost(ip('9.8.7.7')));
});

const [ONION = ''] = NETWORKS.mainnet.torSeedNodes.map((seed) => seed.split(':')[0] ?? '');
const [I2P = ''] = NETWORKS.mainnet.i2pSeedNodes;

describe('hidden services', () => {
  test('accepts every built-in seed', () => {
    for (const seed of NETWORKS.mainnet.torSeedNodes)
      expect(formatPeerAddress(parsePeerAddress(seed, 1) as NetAddress)).toBe(seed);
    for (const seed of NETWORKS.mainnet.i2pSeedNodes)
      expect(formatPeerAddress(parsePeerAddress(seed, 18080) as NetAddress)).toBe(seed);
  });

  test('ignores case, and sets the port of I2P to 1', () => {
    const onion = { kind: 'tor', host: ONION, port: 5 };
    expect(parsePeerAddress(`${ONION.toUpperCase()}:5`, 1)).toEqual(onion);
    expect(parsePeerAddress(I2P.toUpperCase(), 9)).toEqual({ kind: 'i2p', host: I2P, port: 1 });
    expect(parsePeerAddress(`${I2P}:80`, 9)?.port).toBe(1);
    expect(parsePeerAddress('my-node.example.i2p', 9)?.host).toBe('my-node.example.i2p');
  });

  test.each([
    ['a changed character', `b${ONION.slice(1)}`],
    ['a wrong checksum', `${'a'.repeat(55)}d.onion`],
    ['version 2 of Tor', 'expyuzz4wqqyqhjn.onion'],
    ['too short', `${ONION.slice(1)}`],
    ['too short for I2P', I2P.slice(1)],
    ['a digit that base32 has not', `1${I2P.slice(1)}`],
    ['two dots', 'a..b.i2p'],
    ['a hyphen at the end', 'a-.i2p'],
    ['a long name', `${'a'.repeat(64)}.i2p`],
    ['no name', '.i2p'],
  ])('refused: %s', (_, host) => {
    expect(parsePeerAddress(`${host}:18083`, 1)).toBeUndefined();
  });

  test('peers whose address is unknown', () => {
    expect(formatPeerAddress(unknownAddress('tor'))).toBe('<unknown tor host>');
    expect(formatPeerAddress(unknownAddress('i2p'))).toBe('<unknown i2p host>');
    expect([isUnknown(unknownAddress('i2p')), isUnknown(ip('1.2.3.4'))]).toEqual([true, false]);
  });

  test('rejects host names, and writes IPv6 in brackets', () => {
    expect(parsePeerAddress('node.example:1', 1)).toBeUndefined();
    expect(formatPeerAddress(ip('::1', 7))).toBe('[::1]:7');
  });
});
