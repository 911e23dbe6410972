import { silentLogger } from '@monero-node/base';
import { parseBanTarget } from '../../net/ban-target.ts';
import { parseBanLines } from './ban-lines.ts';
import { BanList, banNotice } from './bans.ts';
import { banListed, readBanList } from './read-ban-list.ts';

const ONION = 'vww6ybal4bd7szmgncyruucpgfkqahzddi37ktceo3ah7ngmcopnpyyd.onion';

function unban(bans: BanList, text: string): boolean {
  const target = parseBanTarget(text);
  return target !== undefined && bans.unban(target);
}

function setup(): { bans: BanList; advance: (seconds: number) => void } {
  let now = 1_700_000_000_000;
  return { bans: new BanList(() => now), advance: (seconds) => void (now += seconds * 1000) };
}

test('a ban ends after its time', () => {
  const { bans, advance } = setup();
  expect(bans.banText('1.2.3.4', 60)).toBe(true);
  expect(bans.secondsLeft('1.2.3.4')).toBe(60);
  expect(bans.secondsLeft('::ffff:1.2.3.4')).toBe(60);
  expect(bans.secondsLeft('1.2.3.5')).toBeUndefined();
  advance(59);
  expect(bans.secondsLeft('1.2.3.4')).toBe(1);
  advance(1);
  expect(bans.secondsLeft('1.2.3.4')).toBeUndefined();
  expect(bans.list()).toEqual([]);
});

test('the owner is told what to lift, and what to do without a console', async () => {
  const { bans, advance } = setup();
  expect(banNotice(bans, '10.1.2.3')).toBeUndefined();
  bans.banText('::ffff:10.1.2.3', 60);
  const timed = (text: string) =>
    `banned for 60 more seconds ("unban ${text}" on the console lifts the ban; without a console, restart the node)`;
  expect(banNotice(bans, '10.1.2.3')).toBe(timed('10.1.2.3'));
  bans.banText('10.1.0.0/16', 60);
  bans.banText('10.0.0.0/8', 30);
  expect(banNotice(bans, '10.1.2.3')).toBe(timed('10.0.0.0/8'));
  // It lifts the bans inside of it.
  expect(unban(bans, bans.toUnban('10.1.2.3'))).toBe(true);
  expect(bans.secondsLeft('10.1.2.3')).toBeUndefined();
  bans.banText('10.0.0.0/8', 30);
  advance(30);
  bans.replaceListed((await readBanList(['10.1.2.3', '10.1.0.0/16'])).listed);
  expect(banNotice(bans, '10.1.2.3')).toBe(
    'banned for good by a ban list ("unban 10.1.0.0/16" on the console lifts the ban; without a console, change the list, and reload or restart the node)',
  );
});

test('bans are counted as they are listed', () => {
  const { bans, advance } = setup();
  for (const host of ['1.2.3.4', '1.2.3.5', '1.2.3.4']) bans.banText(host, 60);
  for (const subnet of ['10.0.0.0/8', '10.1.0.0/16']) bans.banText(subnet, 120);
  expect([bans.size, bans.list().length]).toEqual([4, 4]);
  advance(60);
  expect(bans.size).toBe(2);
  advance(60);
  expect(bans.size).toBe(0);
});

test('rejects text that is not an address', () => {
  const { bans } = setup();
  expect(bans.banText('example.org', 60)).toBe(false);
  expect(bans.banText('1.2.3.4/33', 60)).toBe(false);
  expect(bans.banText('1.2.3.4.5/8', 60)).toBe(false);
});

test('a score above 10 requests a ban and is reset to 5', () => {
  const { bans } = setup();
  expect(bans.addFailure('9.9.9.9', 10)).toBe(false);
  expect(bans.addFailure('9.9.9.9', 1)).toBe(true);
  expect(bans.score('9.9.9.9')).toBe(5);
  expect(bans.addFailure('9.9.9.9', 5)).toBe(false);
  expect(bans.addFailure('9.9.9.9', 1)).toBe(true);
  expect(bans.score('8.8.8.8')).toBe(0);
});

test('bounds the number of remembered scores', () => {
  const { bans } = setup();
  bans.addFailure('1.1.1.1', 1);
  for (let i = 0; i < 10_000; i++) bans.addFailure(`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`, 1);
  expect(bans.score('1.1.1.1')).toBe(0);
});

test('subnets cover their hosts, and parts of them can be unbanned', () => {
  const { bans } = setup();
  bans.banText('10.1.0.0/16', 100);
  expect(bans.secondsLeft('10.1.200.3')).toBe(100);
  expect(bans.secondsLeft('10.2.0.1')).toBeUndefined();
  bans.banText('10.1.7.7', 500);
  expect(unban(bans, '10.1.7.0/24')).toBe(true);
  expect(bans.secondsLeft('10.1.7.7')).toBeUndefined();
  expect(bans.secondsLeft('10.1.6.255')).toBe(100);
  expect(bans.secondsLeft('10.1.8.0')).toBe(100);
  expect(bans.list()).toHaveLength(8); // /17 … /24
  expect(unban(bans, '10.0.0.0/8')).toBe(true);
  expect(bans.list()).toEqual([]);
  expect(unban(bans, '10.0.0.0/8')).toBe(false);
});

test('lists hosts by text, then subnets', () => {
  const { bans } = setup();
  bans.banText('1.0.0.0/8', 7);
  bans.banText('2.0.0.1', 5);
  bans.banText('10.0.0.1', Infinity);
  expect(bans.list()).toEqual([
    { host: '10.0.0.1', ip: 0x0100000a, seconds: 4294967295 },
    { host: '2.0.0.1', ip: 0x01000002, seconds: 5 },
    { host: '1.0.0.0/8', ip: 0, seconds: 7 },
  ]);
});

test('subnets of IPv6 cover their hosts, and parts of them can be unbanned', () => {
  const { bans } = setup();
  bans.banText('2001:DB8::/32', 100);
  expect(bans.list()).toEqual([{ host: '2001:db8::/32', ip: 0, seconds: 100 }]);
  expect(bans.secondsLeft('2001:db8:5::9')).toBe(100);
  expect(bans.secondsLeft('2001:db9::1')).toBeUndefined();
  expect(bans.secondsLeft('32.1.13.184')).toBeUndefined();
  bans.banText('2001:db8:1::5', 500);
  expect(unban(bans, '2001:db8:1::/48')).toBe(true);
  expect(bans.secondsLeft('2001:db8:1::5')).toBeUndefined();
  expect(bans.secondsLeft('2001:db8:2::5')).toBe(100);
  expect(bans.size).toBe(16); // /33 … /48
  expect(unban(bans, '::/0')).toBe(true);
  expect(bans.size).toBe(0);
});

test('a subnet of IPv4-mapped IPv6 is one of IPv4', () => {
  const { bans } = setup();
  bans.banText('::ffff:10.1.2.0/120', 100);
  expect(bans.list().map(({ host }) => host)).toEqual(['10.1.2.0/24']);
  expect([bans.secondsLeft('10.1.2.9'), bans.secondsLeft('::ffff:10.1.2.9')]).toEqual([100, 100]);
  // A wider subnet of IPv6 does not cover IPv4.
  bans.banText('::/0', 7);
  expect(bans.secondsLeft('10.9.9.9')).toBeUndefined();
});

test('lines of a ban list: hosts with ports, brackets, hidden services, subnets, comments', () => {
  const { targets, dropped } = parseBanLines([
    ...['# all', '', ' 203.0.113.50:18080 # bad\r', '[2001:db8::2]', '2001:db8::/32', ONION],
    ...['5.0.0.0/8', 'nonsense', '1.2.3.4/33', 'example.org', 'x'.repeat(10_000)],
  ]);
  expect(targets.map(({ text }) => text)).toEqual([
    ...['203.0.113.50', '2001:db8::2', '2001:db8::/32', ONION, '5.0.0.0/8'],
  ]);
  expect(dropped.count).toBe(4);
  expect(dropped.first.map(({ line }) => line)).toEqual([8, 9, 10]);
});

describe("the list of a stranger, which could lock the owner out of the node's own RPC", () => {
  const ordinary = ['203.0.113.7', '8.0.0.0/7', '192.169.0.0/16', '2001:db8::/32', '::2', ONION];

  test.each([
    ...['127.0.0.1', '127.5.5.5:80', '127.0.0.0/8', '126.0.0.0/7', '127.1.0.0/16', '0.0.0.0/0'],
    ...['10.1', '10.0.0.0/8', '172.31.0.0/24', '192.168.1.1', '192.0.0.0/8', '169.254.9.9'],
    ...['100.64.0.0/10', '100.127.0.1', '::ffff:127.0.0.1', '::ffff:0:0/96', '[::ffff:10.0.0.1]'],
    ...['::1', '::/0', '::/64', '::1/128', 'fc00::/7', 'fd00::5', 'fe80::1%eth0', 'f000::/4'],
  ])('bans not %s', async (text) => {
    const { listed, dropped, count } = await readBanList([...ordinary, text], 'stranger');
    expect([listed.size, count, dropped.count]).toEqual([6, 6, 1]);
    expect(dropped.first).toEqual([{ line: 7, text }]);
    expect((await readBanList([text])).count).toBe(1);
  });
});

test('100,000 lines that name nothing are one warning', async () => {
  const { bans } = setup();
  const warnings: string[] = [];
  const logger = { ...silentLogger, warn: (message: string) => void warnings.push(message) };
  const lines = Array.from({ length: 100_000 }, (_, i) => `bad line ${i}`);
  await banListed(bans, [...lines, '1.2.3.4'], logger);
  expect(warnings).toEqual([
    'ban list: 100000 entries are neither a host nor a subnet and not banned: "bad line 0" (line 1), "bad line 1" (line 2), "bad line 2" (line 3), …',
  ]);
  expect(bans.secondsLeft('1.2.3.4')).toBe(Infinity);
});

describe('a ban list that takes the place of another', () => {
  const listed = async (...lines: string[]) => (await readBanList(lines)).listed;

  test('lets in what is listed no more, and leaves other bans alone', async () => {
    const { bans } = setup();
    bans.banText('9.9.9.9', 60);
    bans.banText('2001:db8:7::/48', 60);
    bans.replaceListed(await listed('1.2.3.4', '10.0.0.0/8', '2001:db8::/32', '1.2.3.4'));
    expect([bans.listedSize, bans.size]).toEqual([3, 5]);
    expect(bans.secondsLeft('2001:db8:7::1')).toBe(Infinity);
    bans.replaceListed(await listed('1.2.3.5', '10.0.0.0/8'));
    expect(['1.2.3.4', '2001:db8::1'].map((host) => bans.secondsLeft(host))).toEqual([
      undefined,
      undefined,
    ]);
    expect(bans.secondsLeft('1.2.3.5')).toBe(Infinity);
    expect(bans.secondsLeft('9.9.9.9')).toBe(60);
    expect(bans.secondsLeft('2001:db8:7::1')).toBe(60);
    expect(bans.list().map(({ host }) => host)).toEqual([
      ...['1.2.3.5', '9.9.9.9', '2001:db8:7::/48', '10.0.0.0/8'],
    ]);
  });

  test('what is listed and banned is one ban, which can be lifted and given an end', async () => {
    const { bans, advance } = setup();
    bans.banText('1.2.3.4', 60);
    bans.banText('10.0.0.0/8', 60);
    bans.replaceListed(await listed('1.2.3.4', '10.0.0.0/8', '5.5.5.5'));
    expect([bans.size, bans.list().length]).toEqual([3, 3]);
    expect(unban(bans, '1.2.3.4')).toBe(true);
    expect(bans.secondsLeft('1.2.3.4')).toBeUndefined();
    expect(unban(bans, '10.1.0.0/16')).toBe(true);
    expect([bans.secondsLeft('10.1.2.3'), bans.secondsLeft('10.2.2.3')]).toEqual([
      undefined,
      Infinity,
    ]);
    bans.banText('5.5.5.5', 30);
    advance(30);
    expect(bans.secondsLeft('5.5.5.5')).toBeUndefined();
  });

  test('a long one is read in slices', async () => {
    const lines = Array.from(
      { length: 300_000 },
      (_, i) => `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`,
    );
    let turns = 0;
    const timer = setInterval(() => turns++, 0);
    const { count, listed: all } = await readBanList(lines);
    clearInterval(timer);
    expect([count, all.size]).toEqual([300_000, 300_000]);
    expect(turns).toBeGreaterThan(3);
  });
});
