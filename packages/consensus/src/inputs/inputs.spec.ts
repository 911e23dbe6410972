import type { Transaction } from '@monero-node/codec';
import { parseTransaction } from '@monero-node/codec';
import { createBackend } from '@monero-node/crypto';
import type { ClsagProof } from '@monero-node/crypto';
import { checkInputs } from './inputs.ts';
import type { ChainLookup } from './inputs.ts';
import { rulesFor } from '../forks/fork-table.ts';
import { readFixture } from '../testing/fixtures.ts';
import type { RecordedTransaction } from '../testing/fixtures.ts';
import {
  chain,
  codeOf,
  keyInput,
  output,
  parsed,
  plain,
  ringCt,
  ringMember,
  ringSigned,
  unpackedProofs,
} from '../testing/transactions.ts';
import type { TestChainOptions } from '../testing/transactions.ts';
import { isUnlocked } from './unlock.ts';

const check = (version: number, tx: Transaction, options: TestChainOptions = {}) =>
  codeOf(() => checkInputs(rulesFor(version), parsed(tx), chain({ version, ...options })));

describe('recorded transactions', () => {
  const recorded = readFixture<RecordedTransaction[]>('transactions.json.gz');
  const backend = createBackend();
  const bytes = (text: string) => Uint8Array.from(Buffer.from(text, 'base64'));

  const chainOf = (entry: RecordedTransaction): ChainLookup => {
    const members = new Map(entry.rings?.flat().map((member) => [BigInt(member.index), member]));
    return chain({
      height: entry.height,
      member: (index, amount) => {
        const found = members.get(index);
        if (found === undefined || amount !== 0n) return undefined;
        return {
          key: bytes(found.key),
          commitment: bytes(found.commitment),
          unlockTime: BigInt(found.unlockTime),
          height: found.height,
        };
      },
    });
  };

  test.each(recorded.filter((entry) => entry.rings !== undefined))(
    '$shape: the ring signatures that come back verify',
    (entry) => {
      const p = parseTransaction(bytes(entry.blob));
      const { kind, proofs } = unpackedProofs(checkInputs(rulesFor(16), p, chainOf(entry)));
      expect(kind).toBe('clsag');
      const signatures = proofs as readonly ClsagProof[];
      expect(signatures).toHaveLength(p.tx.inputs.length);
      expect(backend.verifyClsag(signatures)).toEqual(signatures.map(() => true));
      const first = signatures[0];
      if (first === undefined) throw new Error('no ring signature');
      const shuffled = { ...first, ring: [...first.ring].reverse() };
      expect(backend.verifyClsag([shuffled])).toEqual([false]);
    },
  );
});

describe('outputs', () => {
  test('must be at least two in version 2, from fork 12 on', () => {
    const one = (type: 4 | 6) => ringCt({ type, inputs: [keyInput(1, 11)], outputs: [output()] });
    expect(check(11, one(4))).toBeUndefined();
    expect(check(12, one(4))).toBe('too-few-outputs');
    expect(check(16, ringCt({ outputs: [output()] }))).toBe('too-few-outputs');
    const old = ringSigned([keyInput(1, 16, 50n)], [output(plain(), 40n)]);
    expect(check(16, old, { outputCount: 3 })).toBeUndefined();
  });
});

describe('ring sizes', () => {
  const rings = (version: number, sizes: number[], options: TestChainOptions = {}) =>
    check(version, ringCt({ inputs: sizes.map((size, i) => keyInput(99 - i, size)) }), options);

  test.each([
    [4, [2, 3, 4, 30], [3]],
    [5, [2, 3], [3]],
    [6, [4, 5, 40], [5]],
    [7, [6, 7, 40], [7]],
    [8, [10, 11, 12], [11]],
    [11, [10, 11, 12], [11]],
    [12, [10, 11, 12], [11]],
    [14, [10, 11, 12], [11]],
    [15, [10, 11, 12, 15, 16, 17], [11, 16]],
    [16, [1, 11, 15, 16, 17], [16]],
  ])('accepts only the ring sizes of fork %i', (version, sizes, exact) => {
    const upTo = version >= 8 ? 0 : Math.max(...exact);
    for (const size of sizes) {
      const allowed = exact.includes(size) || (upTo > 0 && size >= upTo);
      const code = rings(version, [size]);
      expect([version, size, code === 'ring-size']).toEqual([version, size, !allowed]);
    }
  });

  test('checks only the smallest ring in forks 8 to 11, and requires equal rings from fork 12 on', () => {
    expect(rings(11, [11, 20])).not.toBe('ring-size');
    expect(rings(11, [12, 20])).toBe('ring-size');
    expect(rings(12, [11, 20])).toBe('ring-size');
    expect(rings(16, [16, 17])).toBe('ring-size');
  });

  const old = (ring: number, amounts: bigint[]) =>
    ringSigned(
      amounts.map((amount, i) => keyInput(99 - i, ring, amount)),
      [output(plain(), 1n)],
    );

  test('accepts small rings only for outputs that cannot be mixed', () => {
    expect(check(16, old(1, [50n]), { outputCount: 15 })).toBeUndefined();
    expect(check(16, old(1, [50n]), { outputCount: 16 })).toBe('ring-size');
    expect(check(2, old(1, [50n]), { outputCount: 2 })).toBeUndefined();
    expect(check(2, old(1, [50n]), { outputCount: 3 })).toBe('ring-size');
  });

  test('counts inputs of amount 0 as mixable', () => {
    expect(check(16, old(1, [0n]), { outputCount: 0 })).toBe('ring-size');
  });

  test('accepts at most one mixable input beside unmixable ones', () => {
    expect(check(7, old(1, [50n, 0n]), { outputCount: 2 })).toBeUndefined();
    expect(check(7, old(1, [50n, 0n, 0n]), { outputCount: 2 })).toBe('mixable-inputs');
  });

  test('accepts rings of 11 with mixable inputs in fork 15', () => {
    expect(rings(15, [11, 11])).not.toBe('ring-size');
    expect(rings(15, [12, 12])).toBe('ring-size');
  });

  test('has no rule in fork 1', () => {
    expect(check(1, old(1, [50n]), { outputCount: 9 })).toBeUndefined();
  });

  test('requires an unmixable input of version 1 from fork 6 on', () => {
    expect(check(5, old(3, [50n]))).toBeUndefined();
    expect(check(6, old(5, [50n]))).toBe('not-ringct');
    expect(check(16, old(16, [50n]))).toBe('not-ringct');
    expect(check(16, old(16, [50n]), { outputCount: 15 })).toBeUndefined();
  });

  test('rejects version 2 before fork 4', () => {
    expect(check(3, ringCt({ type: 2, inputs: [keyInput(1, 3)] }))).toBe('tx-version');
  });
});

test('requires inputs in descending order of key images from fork 7 on', () => {
  const order = (version: number, ...images: number[]) =>
    check(version, ringCt({ inputs: images.map((image) => keyInput(image)) }));
  expect(order(6, 1, 2)).toBeUndefined();
  expect(order(7, 1, 2)).toBe('unsorted-inputs');
  expect(order(16, 2, 1)).toBeUndefined();
  expect(order(16, 1, 2)).toBe('unsorted-inputs');
  expect(order(16, 2, 2)).toBe('unsorted-inputs');
  expect(order(16, 200, 100, 150)).toBe('unsorted-inputs');
  expect(order(16, 0x80, 0x7f)).toBeUndefined(); // bytes are unsigned
});

describe('against the chain', () => {
  test('rejects inputs other than key inputs', () => {
    const gen = { kind: 'gen', height: 5 } as const;
    expect(check(16, ringCt({ inputs: [keyInput(8), gen] }))).toBe('input-type');
  });

  test('rejects an empty ring', () => {
    // It counts as an infinite ring, so forks with exact sizes reject its size.
    expect(check(16, ringCt({ inputs: [keyInput(8, 0)] }))).toBe('ring-size');
    expect(check(7, ringCt({ inputs: [keyInput(8, 0)] }))).toBe('empty-ring');
  });

  test('rejects a key image that is already spent', () => {
    expect(check(16, ringCt(), { spent: [7] })).toBe('double-spend');
    expect(check(16, ringCt(), { spent: [6] })).toBeUndefined();
  });

  test('rejects a ring member that does not exist', () => {
    const member = (index: bigint) => (index === 115n ? undefined : ringMember());
    expect(check(16, ringCt(), { member })).toBe('ring-member-missing');
  });

  test('looks up all members before it checks any lock', () => {
    const member = (index: bigint) =>
      index === 115n ? undefined : ringMember({ unlockTime: 100_000n });
    expect(check(16, ringCt(), { member })).toBe('ring-member-missing');
  });

  test('rejects a locked member', () => {
    const lockedUntil = (unlockTime: bigint, options: TestChainOptions = {}) =>
      check(16, ringCt(), { member: () => ringMember({ unlockTime }), ...options });
    expect(lockedUntil(1000n)).toBeUndefined();
    expect(lockedUntil(1001n)).toBe('ring-member-locked');
    expect(lockedUntil(1_700_000_120n)).toBeUndefined();
    expect(lockedUntil(1_700_000_121n)).toBe('ring-member-locked');
    expect(lockedUntil((1n << 64n) - 1n)).toBe('ring-member-locked');
  });

  test('rejects a ring whose last member is too young, from fork 12 on', () => {
    const young = (last: number, others: number, version = 16) =>
      check(
        version,
        ringCt({ type: version === 16 ? 6 : 5, inputs: [keyInput(8, version === 16 ? 16 : 11)] }),
        {
          member: (index) =>
            ringMember({ height: index === (version === 16 ? 115n : 110n) ? last : others }),
        },
      );
    expect(young(990, 5)).toBeUndefined();
    expect(young(991, 5)).toBe('ring-member-too-young');
    expect(young(990, 999)).toBeUndefined();
    expect(young(999, 5, 11)).toBeUndefined();
    expect(young(991, 5, 12)).toBe('ring-member-too-young');
  });

  test('checks the age of the last member even if an offset wraps', () => {
    const input = keyInput(8);
    input.keyOffsets[15] = (1n << 64n) - 50n;
    const asked: bigint[] = [];
    const code = check(16, ringCt({ inputs: [input] }), {
      member: (index) => {
        asked.push(index);
        return ringMember({ height: index === 114n ? 999 : 5 });
      },
    });
    expect(code).toBeUndefined();
    expect(asked.slice(-2)).toEqual([114n, 64n]);
  });

  test('rejects ring signatures of another size', () => {
    const tx = ringCt();
    tx.prunable?.clsags[1]?.s.pop();
    const missing = ringCt();
    missing.prunable?.clsags.pop();
    const pruned = ringCt();
    delete pruned.prunable;
    expect(check(16, pruned)).toBe('bad-ring-signature');
    expect(check(16, tx)).toBe('bad-ring-signature');
    expect(check(16, missing)).toBe('bad-ring-signature');
    const old = ringSigned([keyInput(1, 16, 50n)], [output(plain(), 40n)]);
    old.signatures?.[0]?.pop();
    expect(check(16, old, { outputCount: 3 })).toBe('bad-ring-signature');
  });

  test('rejects type 0, which has no signatures', () => {
    expect(check(16, ringCt({ type: 0 }))).toBe('rct-type');
  });

  test('verifies type 5 like type 6', () => {
    const tx = ringCt({ type: 5, inputs: [keyInput(8, 11)] });
    expect(checkInputs(rulesFor(14), parsed(tx), chain({ version: 14 }))).toMatchObject({
      kind: 'clsag',
      proofs: [{ ring: { size: 11 } }],
    });
  });
});

describe('unlocking', () => {
  test('compares values below 500,000,000 with the height', () => {
    const fail = () => {
      throw new Error('the clock must not be read');
    };
    expect(isUnlocked(rulesFor(16), 0n, 0, fail)).toBe(true);
    expect(isUnlocked(rulesFor(16), 70n, 70, fail)).toBe(true);
    expect(isUnlocked(rulesFor(16), 71n, 70, fail)).toBe(false);
    expect(isUnlocked(rulesFor(16), 499_999_999n, 70, fail)).toBe(false);
  });

  test('compares other values with the time, one block target early', () => {
    expect(isUnlocked(rulesFor(16), 500_000_000n, 70, 499_999_880)).toBe(true);
    expect(isUnlocked(rulesFor(16), 500_000_000n, 70, 499_999_879)).toBe(false);
    expect(isUnlocked(rulesFor(1), 500_000_000n, 70, 499_999_940)).toBe(true);
    expect(isUnlocked(rulesFor(1), 500_000_000n, 70, 499_999_939)).toBe(false);
  });
});
