import { ONE } from '../keys/points.ts';
import { OutputSet, type PlacedOutput } from './output-set.ts';
import { isOutputUnlocked } from './unlock.ts';

const key = new Uint8Array(32).fill(1);

function output(amount: bigint, height: number, oneTimeKey = key): PlacedOutput {
  return {
    amount,
    height,
    key: oneTimeKey,
    index: 0,
    publicKey: 0,
    mask: ONE,
    isRct: true,
    subaddress: { account: 0, index: 0 },
    derivation: ONE,
    txId: new Uint8Array(32).fill(height),
  };
}

describe('outputs with the same key', () => {
  test('count once, with the larger amount', () => {
    const set = new OutputSet();
    expect(set.add(output(5n, 1))).toBe(5n);
    expect(set.add(output(3n, 2))).toBe(0n);
    expect(set.add(output(5n, 3))).toBe(0n);
    expect(set.add(output(9n, 4))).toBe(4n);
    expect(set.outputs).toEqual([output(9n, 4)]);
  });

  test('do not replace one that is spent', () => {
    const set = new OutputSet();
    set.add(output(5n, 1));
    expect([set.isSpent(key), set.spend(key), set.isSpent(key)]).toEqual([false, true, true]);
    expect(set.add(output(9n, 2))).toBe(0n);
    expect(set.outputs).toEqual([output(5n, 1)]);
    expect(set.spend(new Uint8Array(32))).toBe(false);
  });
});

describe('unlocking', () => {
  const unlocked = (options: Partial<Parameters<typeof isOutputUnlocked>[0]>) =>
    isOutputUnlocked({
      unlockTime: 0n,
      height: 100,
      chainHeight: 110,
      time: 1_700_000_000,
      network: 'mainnet',
      ...options,
    });

  test('takes ten blocks', () => {
    expect(unlocked({})).toBe(true);
    expect(unlocked({ chainHeight: 109 })).toBe(false);
  });

  test('waits for a height', () => {
    expect(unlocked({ unlockTime: 110n })).toBe(true);
    expect(unlocked({ unlockTime: 111n })).toBe(false);
    expect(unlocked({ unlockTime: 499_999_999n })).toBe(false);
  });

  test('waits for a time, with an allowance that hard fork 2 doubled', () => {
    const late = { height: 2_000_000, chainHeight: 2_000_100 };
    expect(unlocked({ unlockTime: 500_000_000n })).toBe(true);
    expect(unlocked({ unlockTime: 1_700_000_060n })).toBe(true);
    expect(unlocked({ unlockTime: 1_700_000_061n })).toBe(false);
    expect(unlocked({ ...late, unlockTime: 1_700_000_120n })).toBe(true);
    expect(unlocked({ ...late, unlockTime: 1_700_000_121n })).toBe(false);
    expect(unlocked({ unlockTime: 2n ** 64n - 1n })).toBe(false);
    const stagenet = { network: 'stagenet', height: 32_000, chainHeight: 40_000 } as const;
    expect(unlocked({ ...stagenet, unlockTime: 1_700_000_120n })).toBe(true);
  });
});
