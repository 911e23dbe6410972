import { NEWEST_VERSION, rulesFor } from './fork-table.ts';
import type { ForkRules } from './fork-table.ts';

const VERSIONS = Array.from({ length: 18 }, (_, i) => i + 1);

/** One line per rule: the value from each listed fork on, until the next one listed. */
function expectFrom<T>(read: (rules: ForkRules) => T, steps: Record<number, T>): void {
  let expected: T | undefined;
  for (const version of VERSIONS) {
    if (version in steps) expected = steps[version];
    expect([version, read(rulesFor(version))]).toEqual([version, expected]);
  }
}

test('knows versions 1 to 18 and rejects others', () => {
  expect(NEWEST_VERSION).toBe(18);
  for (const version of VERSIONS) expect(rulesFor(version).version).toBe(version);
  for (const version of [0, 19, -1, 1.5, NaN]) {
    expect(() => rulesFor(version)).toThrow(RangeError);
  }
});

test('has the rules of blocks', () => {
  expectFrom((r) => r.difficultyTarget, { 1: 60, 2: 120 });
  expectFrom((r) => r.powAlgorithm, {
    1: 'cryptonight-0',
    7: 'cryptonight-1',
    8: 'cryptonight-2',
    10: 'cryptonight-r',
    12: 'randomx',
  });
  expectFrom((r) => r.minBlockWeight, { 1: 20_000, 2: 60_000, 5: 300_000, 17: 625_000 });
  expectFrom((r) => r.longTermZone, { 1: 300_000, 17: 625_000 });
  expectFrom((r) => r.surgeFactor, { 1: 50, 17: 8 });
  expectFrom((r) => r.curveTree, { 1: false, 17: true });
  expectFrom((r) => r.rewardMedian, { 1: 'short-term', 12: 'effective' });
  expectFrom((r) => r.effectiveMedianFloor, { 1: 'none', 10: 'min-zone', 15: 'long-term-median' });
  expectFrom((r) => r.longTermWeight?.growth.numerator, { 1: undefined, 10: 2, 15: 7, 17: 1 });
  expectFrom((r) => r.longTermWeight?.floor?.denominator, { 1: undefined, 15: 17, 17: 6 });
  expectFrom((r) => r.emissionShift, { 1: 20n, 2: 19n });
  expectFrom((r) => r.tailReward, { 1: 3n * 10n ** 11n, 2: 6n * 10n ** 11n });
  expectFrom((r) => r.cumulativeRctOutputs, { 1: false, 4: true });
});

test('has the rules of miner transactions', () => {
  expectFrom((r) => r.minerTxMinVersion, { 1: 1, 12: 2 });
  expectFrom((r) => r.minerTxNullRct, { 1: false, 12: true });
  expectFrom((r) => r.minerTxDecomposed, { 1: false, 3: true, 4: false });
  expectFrom((r) => r.minerTxExactReward, { 1: true, 2: false, 13: true });
  expectFrom((r) => r.minerTxOutputTargets?.[0], { 1: undefined, 17: 'carrot' });
  expectFrom((r) => r.minerTxMaxOutputs, { 1: undefined, 17: 10_000 });
  expectFrom((r) => r.minerTxExtraBound, { 1: undefined, 17: 1060 });
});

test('has the rules of transactions', () => {
  expectFrom((r) => r.maxTxVersion, { 1: 1, 4: 2 });
  expectFrom((r) => r.minTxVersion, { 1: 1, 6: 2 });
  expectFrom((r) => r.minTxVersionUnmixable, { 1: 1, 17: 2 });
  expectFrom((r) => r.zeroUnlockTime, { 1: false, 17: true });
  expectFrom((r) => r.maxExtra, { 1: undefined, 17: 1060 });
  expectFrom((r) => r.maxTxWeight, { 1: undefined, 8: 149_400, 17: 178_063 });
  expectFrom((r) => r.sortedOutputs, { 1: 'none', 17: 'carrot', 18: 'all' });
  expectFrom((r) => r.decomposedOutputs, { 1: false, 2: true });
  expectFrom((r) => r.zeroOutputAmounts, { 1: false, 3: true });
  expectFrom((r) => r.minOutputs, { 1: 0, 12: 2 });
  expectFrom((r) => r.outputTargets, {
    1: ['key'],
    15: ['key', 'tagged-key'],
    16: ['tagged-key'],
    17: ['tagged-key', 'carrot'],
    18: ['carrot'],
  });
});

test('has the range of forks of every RingCT type', () => {
  const allows = (type: number) => (rules: ForkRules) => rules.rctTypes.includes(type);
  expectFrom(allows(0), { 1: false });
  expectFrom(allows(1), { 1: false, 4: true, 9: false });
  expectFrom(allows(2), { 1: false, 4: true, 9: false });
  expectFrom(allows(3), { 1: false, 8: true, 11: false });
  expectFrom(allows(4), { 1: false, 10: true, 14: false });
  expectFrom(allows(5), { 1: false, 13: true, 16: false });
  expectFrom(allows(6), { 1: false, 15: true, 18: false });
  expectFrom(allows(7), { 1: false, 17: true });
  expectFrom((r) => r.rctTypeExemptions.length, { 1: 0, 14: 2, 16: 0 });
});

test('has the rules of rings', () => {
  expectFrom((r) => r.emptyRings, { 1: 'forbidden', 17: 'allowed', 18: 'required' });
  expectFrom((r) => r.minRingSize, { 1: 1, 2: 3, 6: 5, 7: 7, 8: 11, 15: 16 });
  expectFrom((r) => r.exactDecoys, { 1: undefined, 8: [10], 15: [10, 15], 16: [15] });
  expectFrom((r) => r.equalRings, { 1: false, 12: true });
  expectFrom((r) => r.distinctRingMembers, { 1: false, 6: true });
  expectFrom((r) => r.sortedInputs, { 1: false, 7: true });
  expectFrom((r) => r.minRingMemberAge, { 1: 0, 12: 10 });
  expectFrom((r) => r.timeLockClock, { 1: 'wall', 13: 'chain' });
  expectFrom((r) => r.timeLockLeeway, { 1: 60, 2: 120 });
});

test('has the rules of relaying and templates', () => {
  expectFrom((r) => r.fee.kind, {
    1: 'per-kb',
    4: 'per-kb-scaled',
    8: 'per-byte',
    15: 'per-byte-squared',
  });
  expectFrom((r) => r.coinbaseVersion, { 1: 1, 4: 2 });
  const squared = ({ fee }: ForkRules) => (fee.kind === 'per-byte-squared' ? fee : undefined);
  expectFrom((r) => squared(r)?.referenceWeight, { 1: undefined, 15: 3000n, 17: 12_500n });
  expectFrom((r) => squared(r)?.isDiscounted, { 1: undefined, 15: true, 17: false });
  expectFrom((r) => squared(r)?.scaling, { 1: undefined, 15: '2021', 17: '2026' });
  expectFrom((r) => r.coinbaseTarget, { 1: 'key', 15: 'tagged-key', 17: 'carrot' });
});

test('is frozen', () => {
  const rules = rulesFor(16) as { minRingSize: number };
  expect(() => (rules.minRingSize = 1)).toThrow(TypeError);
});
