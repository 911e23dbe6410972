import { silentLogger } from '@monero-node/base';
import { NETWORKS } from '@monero-node/consensus';
import { BanList } from './bans.ts';
import { DnsBlocklist } from './dns-blocklist.ts';
import { PeerList } from '../list/peer-list.ts';
import { PeerSet } from '../peer-set.ts';

const NAMES = NETWORKS.mainnet.blockListHosts;
const DAYS_8 = 8 * 86_400;

function setup(answer: (name: string, at: number) => string[] | undefined): {
  bans: BanList;
  blocklist: DnsBlocklist;
  warnings: string[];
} {
  const bans = new BanList(() => 1_700_000_000_000);
  const list = new PeerList({ allowLocalIp: false });
  const warnings: string[] = [];
  const logger = { ...silentLogger, warn: (message: string) => void warnings.push(message) };
  const peers = new PeerSet({ bans, list, logger });
  const resolver = (name: string): Promise<string[]> => {
    const records = answer(name, NAMES.indexOf(name));
    return records ? Promise.resolve(records) : Promise.reject(new Error('ENOTFOUND'));
  };
  return {
    bans,
    warnings,
    blocklist: new DnsBlocklist({ names: NAMES, resolver, bans, peers, logger }),
  };
}

test('bans hosts and subnets of the list for eight days', async () => {
  const { bans, blocklist } = setup(() => ['1.2.3.4;5.6.0.0/16;', '2001:db8::1']);
  await blocklist.update();
  expect(bans.secondsLeft('1.2.3.4')).toBe(DAYS_8);
  expect(bans.secondsLeft('5.6.7.8')).toBe(DAYS_8);
  expect(bans.secondsLeft('2001:db8::1')).toBe(DAYS_8);
  expect(bans.list()).toHaveLength(3);
});

test('requires four of seven names to agree, in any order of records', async () => {
  const good = ['1.2.3.4', '1.2.3.5'];
  const { bans, blocklist } = setup((_, at) =>
    at < 2 ? good : at < 4 ? [...good].reverse() : at === 4 ? undefined : ['9.9.9.9'],
  );
  await blocklist.update();
  expect(bans.list().map(({ host }) => host)).toEqual(good);
});

test.each([
  ['three agree', (at: number) => (at < 3 ? ['1.2.3.4'] : undefined)],
  ['everyone says something else', (at: number) => [`1.2.3.${at}`]],
  ['nobody answers', () => undefined],
])('nobody is banned when %s', async (_, answer) => {
  const { bans, blocklist, warnings } = setup((_name, at) => answer(at));
  await blocklist.update();
  expect(bans.list()).toEqual([]);
  expect(warnings).toHaveLength(1);
});

test('skips invalid entries and keeps longer bans', async () => {
  const { bans, blocklist, warnings } = setup(() => ['x;1.2.3.4/33;1.2.3.4;4.4.4.4;9.0.0.0/8']);
  bans.banText('1.2.3.4', Infinity);
  bans.banText('9.0.0.0/8', Infinity);
  await blocklist.update();
  expect(bans.secondsLeft('1.2.3.4')).toBe(Infinity);
  expect(bans.secondsLeft('4.4.4.4')).toBe(DAYS_8);
  expect(bans.secondsLeft('9.1.1.1')).toBe(Infinity);
  expect(warnings).toEqual([expect.stringContaining('2 entries are neither a host nor a subnet')]);
});
