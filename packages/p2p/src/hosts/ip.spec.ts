import { isIP } from 'node:net';
import { ipFromBytes, ipv6Prefix, mappedIp, parseIp, parseLooseIpv4, plainIp } from './ip.ts';

/** Numbers in [0, 1) that are the same at every run. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) / 2 ** 24;
  };
}

/** Throws Error unless a text is an address for us when it is one for Node.js, with the same canonical text. */
function check(text: string): 0 | 4 | 6 {
  const expected = isIP(text) as 0 | 4 | 6;
  const ip = parseIp(text);
  const kind = ip === undefined ? 0 : ip.kind() === 'ipv4' ? 4 : 6;
  if (kind !== expected) throw new Error(`${text} is ${expected}, not ${kind}`);
  if (ip !== undefined && String(ip) !== canonical(text))
    throw new Error(`${text} is ${canonical(text)}, not ${String(ip)}`);
  if (ip !== undefined && String(ipFromBytes(Uint8Array.from(ip.toByteArray()))) !== String(ip))
    throw new Error(`the bytes of ${text} are another address`);
  return kind;
}

/** The URL standard writes IPv6 as RFC 5952 does. */
function canonical(text: string): string {
  if (isIP(text) === 4) return text;
  return new URL(`http://[${text.split('%', 1)[0] ?? ''}]`).hostname.slice(1, -1);
}

const WHOLE = [
  ...['', '0.0.0.0', '255.255.255.255', '256.1.1.1', '1.2.3', '1.2.3.4.5', '01.2.3.4', '1.2.3.4 '],
  ...['::', '::1', '1::', '1::2::3', ':::', ':1', '1:', '1:2:3:4:5:6:7:8', '1:2:3:4:5:6:7:8:9'],
  ...['1:2:3:4:5:6:7::', '::2:3:4:5:6:7:8', '1::3:4:5:6:7:8', '1:2:3:4::5:6:7:8', '12345::'],
  ...['::ffff:1.2.3.4', '::1.2.3.4', '1.2.3.4::', '::1.2.3.4:5', '1:2:3:4:5:6:1.2.3.4', 'g::'],
  ...['1:2:3:4:5:6:7:1.2.3.4', '1:2:3:4:5::1.2.3.4', '1:2:3:4:5:6::1.2.3.4', 'fe80::1%eth0'],
  ...['fe80::1%', 'fe80::1%a_b', '1.2.3.4%a', '%a', '::1%a:b', '[::1]', '::1.2.3.04', '::01.2.3.4'],
];

test.each(WHOLE)('%j', (text) => {
  expect(() => check(text)).not.toThrow();
});

test('agrees with Node.js on texts composed of parts of addresses', () => {
  const random = generator(7);
  const parts = ['1', '0', '25', '255', '256', 'ab', 'ffff', '::', ':', ':', ':', '.', '.', '.'];
  const more = ['1.2.3.4', '%', 'g', '00', '00001', '0x1', '010', '::ffff:'];
  const valid = { 0: 0, 4: 0, 6: 0 };
  for (let i = 0; i < 200_000; i++) {
    const from = random() < 0.3 ? [...parts, ...more] : parts;
    const length = 1 + Math.floor(random() * 16);
    let text = '';
    for (let n = 0; n < length; n++) text += from[Math.floor(random() * from.length)] ?? '';
    valid[check(text)]++;
  }
  expect(valid[4]).toBeGreaterThan(20);
  expect(valid[6]).toBeGreaterThan(200);
});

test('agrees with Node.js on addresses with one change', () => {
  const random = generator(11);
  for (let i = 0; i < 50_000; i++) {
    const groups = Array.from({ length: 8 }, () => Math.floor(random() * 65536).toString(16));
    const cut = Math.floor(random() * 8);
    const count = Math.floor(random() * 4);
    if (random() < 0.7) groups.splice(cut, count, '');
    if (random() < 0.3) groups.splice(-2, 2, `1.2.${Math.floor(random() * 300)}.4`);
    check(groups.join(':'));
  }
});

// The canonical forms are the examples of RFC 5952 section 4. Other libraries read the last but one as IPv4-mapped.
test.each([
  ['2001:0db8:0000:0000:0001:0000:0000:0001', '2001:db8::1:0:0:1'],
  ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
  ['2001:DB8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
  ['::', '::'],
  ['::1', '::1'],
  ['1::', '1::'],
  ['2001:0:0:1:0:0:0:1', '2001:0:0:1::1'],
  ['fe80::1%eth0', 'fe80::1'],
  ['::1.2.3.4', '::102:304'],
  ['::ffff:1.2.3.4', '::ffff:102:304'],
])('writes %s as %s', (text, written) => {
  expect(String(parseIp(text))).toBe(written);
});

test('finds the IPv4 in a mapped IPv6 address', () => {
  const plain = (text: string): string[] =>
    [parseIp(text) ?? []].flat().map((ip) => String(plainIp(ip)));
  expect(plain('::ffff:10.1.2.3')).toEqual(['10.1.2.3']);
  expect(plain('0:0:0:0:0:FFFF:0a01:0203')).toEqual(['10.1.2.3']);
  expect(plain('::10.1.2.3')).toEqual(['::a01:203']);
  expect(plain('10.1.2.3')).toEqual(['10.1.2.3']);
  expect(mappedIp(ipFromBytes(Uint8Array.of(10, 1, 2, 3)))).toBeUndefined();
});

test('takes the first bits of IPv6', () => {
  expect(ipv6Prefix(ipFromBytes(Uint8Array.from({ length: 16 }, (_, i) => i)), 48)).toBe(
    '1:203:405',
  );
  expect(ipv6Prefix(ipFromBytes(Uint8Array.of(1, 2, 3, 4)), 48)).toBeUndefined();
});

test.each([
  ['1', '0.0.0.1'],
  ['1.2.3', '1.2.0.3'],
  ['10.1', '10.0.0.1'],
  ['010.0.0.1', '8.0.0.1'],
  ['0X1F.2.3.0x4', '31.2.3.4'],
  ['0xffffffff', '255.255.255.255'],
  ['4294967295', '255.255.255.255'],
  ['1.16777215', '1.255.255.255'],
])('the loose %s is %s', (text, written) => {
  expect(String(parseLooseIpv4(text))).toBe(written);
});

test.each([
  '',
  '08',
  '0x',
  '4294967296',
  '1.16777216',
  '1.2.65536',
  '256.1',
  '1..2',
  '-1',
  '1e3',
  '1.2.3.4.5',
  '::1',
])('%j is no IPv4 address', (text) => {
  expect(parseLooseIpv4(text)).toBeUndefined();
});
