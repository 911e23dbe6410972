import type { LedgerBlock, LedgerEntry, LedgerFate } from '@monero-node/miner';
import { ledgerSection } from './ledger-section.ts';

const entry = (
  height: number,
  changes: Partial<LedgerBlock> = {},
  fate: LedgerFate = 'pending',
): LedgerEntry => ({
  block: {
    height,
    id: 'ab'.repeat(32),
    finder: { kind: 'rig', rig: 'attic' },
    reward: 600_000_000_000n,
    difficulty: 1000n,
    hashes: 500,
    foundAt: 1_700_000_000,
    ...changes,
  },
  fate,
});

const rig = (name: string, connections: number, hashRate: number, lastShareAt?: number) => ({
  name,
  connections,
  rate: { current: hashRate },
  lastShareAt,
  accepted: 7,
  stale: 2,
  refused: 1,
  blocks: 0,
});

/** Returns the section. */
const section = (
  entries: LedgerEntry[],
  rigs: ReturnType<typeof rig>[] = [],
  speed = 0,
): ReturnType<typeof ledgerSection> =>
  ledgerSection({
    blockchain: { nextDifficulty: () => 60_000n, height: 1000 },
    ledger: { entries, hashes: 15_000 },
    miner: { status: { active: speed > 0, speed } },
    stratum: { rigs },
  } as never);

test('a node that has found nothing', () => {
  expect(section([])).toEqual({
    rigs: [],
    connected: 0,
    hashRate: 0,
    secondsToBlock: null,
    effort: 0.25,
    luck: null,
    total: 0,
    orphaned: 0,
    own: [],
    found: [],
  });
});

test('rigs: those connected first, then by hash rate; with the miner they make the time to a block', () => {
  const rigs = [rig('gone', 0, 500), rig('slow', 1, 200.4), rig('fast', 2, 299.6, 1_699_999_996)];
  const facts = section([], rigs, 200);
  expect(facts.rigs.map(({ name }) => name)).toEqual(['fast', 'slow', 'gone']);
  expect(facts.rigs[0]).toEqual({
    name: 'fast',
    isConnected: true,
    hashRate: 300,
    lastShareAt: 1_699_999_996,
    accepted: 7,
    stale: 2,
    refused: 1,
    blocks: 0,
  });
  expect(facts.rigs[1]?.lastShareAt).toBeNull();
  expect(facts).toMatchObject({ connected: 2, hashRate: 1200, secondsToBlock: 50 });
});

test('blocks: the newest first, with effort and fate', () => {
  const finder = { kind: 'submit_block', rig: '' } as const;
  const facts = section([
    entry(5, {}, 'orphaned'),
    entry(6, { hashes: 2500 }, 'unlocked'),
    entry(7, { finder, hashes: undefined }),
  ]);
  expect(
    facts.found.map(({ height, finder, effort, fate }) => [height, finder, effort, fate]),
  ).toEqual([
    [7, 'submit_block', null, 'pending'],
    [6, 'attic', 2.5, 'unlocked'],
    [5, 'attic', 0.5, 'orphaned'],
  ]);
  // 2000 hashes were to be expected for the two, and 3000 were made.
  expect(facts).toMatchObject({ total: 3, orphaned: 1, luck: 0.667 });
});

test('lists are bounded, and all are counted', () => {
  const entries = Array.from({ length: 300 }, (_, i) => entry(i));
  const rigs = Array.from({ length: 100 }, (_, i) => rig(`rig${i}`, 1, 1));
  const { found, total, rigs: shown, connected } = section(entries, rigs);
  expect([found.length, found[0]?.height, total, shown.length, connected]).toEqual([
    ...[20, 299, 300, 64, 100],
  ]);
});

test('blocks of the list that the node has found are named, but for orphaned ones', () => {
  const ids = ['11', '22', '33', '44'].map((byte) => byte.repeat(32));
  const [old = '', first = '', last = '', lost = ''] = ids;
  const entries = [
    entry(969, { id: old }),
    entry(970, { id: first }),
    entry(999, { id: last }),
    entry(999, { id: lost }, 'orphaned'),
  ];
  expect(section(entries).own).toEqual([first, last]);
});
