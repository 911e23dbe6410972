import { parseBanTarget } from './ban-target.ts';

const ONION = 'vww6ybal4bd7szmgncyruucpgfkqahzddi37ktceo3ah7ngmcopnpyyd.onion';
const B32 = 'uqj3aphckqtjsitz7kxx5flqpwjlq5ppr3chazfued7xucv3nheq.b32.i2p';
const PEER_ID = '12D3KooWGzxzKZYveHXtpG6AsrUJBcWxHBFS2HsEoGTxrMLvKXtf';

// The answers of monerod 0.18.5.3 to set_bans, except where a remark says otherwise.
test.each([
  ['203.0.113.50', '203.0.113.50'],
  ['203.0.113.50:18080', '203.0.113.50'],
  ['203.0.113.51:0', '203.0.113.51'],
  ['203.0.113.52:65535', '203.0.113.52'],
  ['203.0.113.55:', '203.0.113.55'],
  ['203.0.113.58:080', '203.0.113.58'],
  ['203.0.113.60 \r', '203.0.113.60'],
  ['[1.2.3.9]:5', '1.2.3.9'],
  ['[2001:db8::2]', '2001:db8::2'],
  ['[2001:db8::3]:18080', '2001:db8::3'],
  ['[2001:db8::c]:', '2001:db8::c'],
  ['2001:DB8::4', '2001:db8::4'],
  ['2001:0db8:0:0::0:4', '2001:db8::4'],
  ['::1.2.3.6', '::102:306'],
  ['[::]', '::'],
  ['1.2.5.7/24', '1.2.5.0/24'],
  ['5.5.5.5/32', '5.5.5.5/32'],
  ['1.2.7.0/08', '1.0.0.0/8'],
  ['0.0.0.0/0', '0.0.0.0/0'],
  [ONION, ONION],
  [`${ONION}:18083`, ONION],
  [`${ONION}:0`, ONION],
  [B32, B32],
  [`${B32}:1`, B32],
  // Short, octal and hexadecimal forms of IPv4.
  ['1', '0.0.0.1'],
  ['1.2.3', '1.2.0.3'],
  ['1.2.9/24', '1.2.0.0/24'],
  ['010.1.2.3', '8.1.2.3'],
  ['0x1.2.3.4', '1.2.3.4'],
  ['0xcb007132', '203.0.113.50'],
  // monerod keeps the zone and the mapped form, and then bans no connection of that host over IPv4.
  ['fe80::1%eth0', 'fe80::1'],
  ['[fe80::3%eth0]:5', 'fe80::3'],
  ['::ffff:1.2.3.4', '1.2.3.4'],
  ['[::FFFF:1.2.3.5]:1', '1.2.3.5'],
  // monerod refuses these.
  ['2001:db8::5/128', '2001:db8::5/128'],
  ['2001:db8:1::9/48', '2001:db8:1::/48'],
  ['[2001:db8::6]/64', '2001:db8::/64'],
  ['::ffff:1.2.3.4/120', '1.2.3.0/24'],
  [ONION.toUpperCase(), ONION],
  [B32.toUpperCase(), B32],
  ['foo.i2p', 'foo.i2p'],
  [PEER_ID, PEER_ID],
])('%s is %s', (text, canonical) => {
  const target = parseBanTarget(text);
  expect([target?.text, target?.kind]).toEqual([
    canonical,
    canonical.includes('/') ? 'subnet' : 'host',
  ]);
  expect(parseBanTarget(canonical)).toEqual(target);
});

test.each([
  ...['', ' ', 'all', 'localhost', 'example.org', 'foo.onion', `x${ONION}`, '<unknown tor host>'],
  ...['203.0.113.53:65536', '203.0.113.54:99999999999', '203.0.113.56:x', '203.0.113.57:+1'],
  ...['1.2.3.4,5', '1.2.3.4:1/24', '1.2.4.0/33', '1.2.6.0/', '1.2.3.4/+5', '1.2.3.4/ 5', '/24'],
  ...[
    '[2001:db8::7',
    '[2001:db8::9]:99999',
    '2001:db8::a:18080',
    '[2001:db8::d]x',
    `${ONION}:70000`,
  ],
  ...['2001:db8::/129', '::ffff:1.2.3.4/95', 'fe80::1%', '256.1.2.3', '1.2.65536', '4294967296'],
  ...['09.1.2.3', '1..2', '1.2.3.4.5', '-1', '0x', '1e3', `${ONION}/32`, `${'1'.repeat(1e6)}`],
])('%.60s names nothing', (text) => {
  expect(parseBanTarget(text)).toBeUndefined();
});
