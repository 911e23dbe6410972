import { parseBanLines } from './ban-lines.ts';
import { BanList } from './bans.ts';

function setup(): { bans: BanList; advance: (seconds: number) => void } {
  let now = 1_700_000_000_000;
  return { bans: new BanList(() => now), advance: (seconds) => void (now += seconds * 1000) };
}

test('a ban ends after its time', () => {
  const { bans, advance } = setup();
  expect(bans.banHost('1.2.3.4', 60)).toBe(true);
  expect(bans.secondsLeft('1.2.3.4')).toBe(60);
  expect(bans.secondsLeft('::ffff:1.2.3.4')).toBe(60);
  expect(bans.secondsLeft('1.2.3.5')).toBeUndefined();
  advance(59);
  expect(bans.secondsLeft('1.2.3.4')).toBe(1);
  advance(1);
  expect(bans.secondsLeft('1.2.3.4')).toBeUndefined();
  expect(bans.list()).toEqual([]);
});

test('bans are counted as they are listed', () => {
  const { bans, advance } = setup();
  for (const host of ['1.2.3.4', '1.2.3.5', '1.2.3.4']) bans.banHost(host, 60);
  for (const subnet of ['10.0.0.0/8', '10.1.0.0/16']) bans.banSubnet(subnet, 120);
  expect([bans.size, bans.list().length]).toEqual([4, 4]);
  advance(60);
  expect(bans.size).toBe(2);
  advance(60);
  expect(bans.size).toBe(0);
});

test('rejects text that is not an address', () => {
  const { bans } = setup();
  expect(bans.banHost('example.org', 60)).toBe(false);
  expect(bans.banSubnet('1.2.3.4/33', 60)).toBe(false);
  expect(bans.banSubnet('1.2.3/8', 60)).toBe(false);
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
  bans.banSubnet('10.1.0.0/16', 100);
  expect(bans.secondsLeft('10.1.200.3')).toBe(100);
  expect(bans.secondsLeft('10.2.0.1')).toBeUndefined();
  bans.banHost('10.1.7.7', 500);
  expect(bans.unbanSubnet('10.1.7.0/24')).toBe(true);
  expect(bans.secondsLeft('10.1.7.7')).toBeUndefined();
  expect(bans.secondsLeft('10.1.6.255')).toBe(100);
  expect(bans.secondsLeft('10.1.8.0')).toBe(100);
  expect(bans.list()).toHaveLength(8); // /17 … /24
  expect(bans.unbanSubnet('10.0.0.0/8')).toBe(true);
  expect(bans.list()).toEqual([]);
  expect(bans.unbanSubnet('10.0.0.0/8')).toBe(false);
});

test('lists hosts by text, then subnets', () => {
  const { bans } = setup();
  bans.banSubnet('1.0.0.0/8', 7);
  bans.banHost('2.0.0.1', 5);
  bans.banHost('10.0.0.1', Infinity);
  expect(bans.list()).toEqual([
    { host: '10.0.0.1', ip: 0x0100000a, seconds: 4294967295 },
    { host: '2.0.0.1', ip: 0x01000002, seconds: 5 },
    { host: '1.0.0.0/8', ip: 0, seconds: 7 },
  ]);
});

test('parses lines of a ban list', () => {
  expect(parseBanLines(['# all', '', ' 1.2.3.4 # bad', '5.0.0.0/8'])).toEqual([
    '1.2.3.4',
    '5.0.0.0/8',
  ]);
});
