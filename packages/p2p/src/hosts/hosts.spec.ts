import { clientHost, isIpv6, isLoopback, isPrivate, plainHost } from './hosts.ts';

test.each([
  ['8.8.8.8', '8.8.8.8'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::6', '2001:db8:1:2'],
  ['2001:0DB8:1:2::6', '2001:db8:1:2'],
  ['2001:db8::6', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['', ''],
])('%s counts as %s', (address, host) => {
  expect(clientHost(address)).toBe(host);
});

const LOOPBACK = [
  ...['localhost', '127.0.0.1', '127.255.255.255', '::1', '0:0:0:0:0:0:0:1'],
  ...['::ffff:127.0.0.1', '::ffff:7f00:1'],
];
const LOCAL = [
  ...[
    '10.0.0.0',
    '10.255.255.255',
    '172.16.0.0',
    '172.31.255.255',
    '192.168.0.0',
    '192.168.255.255',
  ],
  ...[
    '169.254.0.0',
    '169.254.255.255',
    'fc00::',
    'fdff:ffff::1',
    'fe80::1',
    'febf::1',
    'fe80::1%eth0',
  ],
  ...['::ffff:10.0.0.1'],
];
const PUBLIC = [
  ...[
    '',
    'local',
    '126.255.255.255',
    '128.0.0.0',
    '::2',
    '::127.0.0.1',
    '0.0.0.0',
    '::',
    '010.0.0.1',
  ],
  ...[
    '9.255.255.255',
    '11.0.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '192.169.0.0',
  ],
  ...[
    '169.253.255.255',
    '169.255.0.0',
    'fb99::1',
    'fe00::1',
    'fec0::1',
    '100.64.0.1',
    '2001:db8::1',
  ],
];

test('loopback, local and other addresses', () => {
  const all = [...LOOPBACK, ...LOCAL, ...PUBLIC];
  expect(all.filter((host) => isLoopback(host))).toEqual(LOOPBACK);
  expect(all.filter((host) => isPrivate(host))).toEqual([...LOOPBACK.slice(1), ...LOCAL]);
});

test.each([
  ['::1', true],
  ['fe80::1%eth0', true],
  ['::ffff:1.2.3.4', true],
  ['[::1]', false],
  ['1.2.3.4', false],
  ['', false],
])('%j is IPv6: %s', (text, expected) => {
  expect(isIpv6(text)).toBe(expected);
});

test.each([
  ['::ffff:8.8.8.8', '8.8.8.8'],
  ['::FFFF:808:808', '8.8.8.8'],
  ['8.8.8.8', '8.8.8.8'],
  ['fe80::1%eth0', 'fe80::1%eth0'],
  ['name.example', 'name.example'],
  ['', ''],
])('%j is plainly %j', (host, plain) => {
  expect(plainHost(host)).toBe(plain);
});
