import type { ChainLookup, RingMember } from '@monero-node/consensus';
import { RingRecorder, RULES_REVISION, VerifiedTransactions } from './verified-transactions.ts';

const bytes = (value: number) => new Uint8Array(32).fill(value);

describe('the memory of verified transactions', () => {
  test('covers only the version and the ring that were verified', () => {
    const verified = new VerifiedTransactions();
    verified.add('aa', { version: 16, ring: bytes(1) });
    expect(verified.covers('aa', { version: 16, ring: bytes(1) })).toBe(true);
    expect(verified.covers('aa', { version: 17, ring: bytes(1) })).toBe(false);
    expect(verified.covers('aa', { version: 16, ring: bytes(2) })).toBe(false);
    expect(verified.covers('ab', { version: 16, ring: bytes(1) })).toBe(false);
    expect(verified.coversOwnProofs('aa', 16)).toBe(true);
    expect(verified.coversOwnProofs('aa', 15)).toBe(false);
    verified.delete('aa');
    expect(verified.covers('aa', { version: 16, ring: bytes(1) })).toBe(false);
  });

  test('trusts a verification of an earlier process only with its ring, which names the rules', () => {
    const verified = new VerifiedTransactions();
    verified.addEarlier('aa', { version: 16, ring: bytes(1) });
    expect(verified.coversOwnProofs('aa', 16)).toBe(false);
    expect(verified.covers('aa', { version: 16, ring: bytes(1) })).toBe(true);
    verified.add('aa', { version: 16, ring: bytes(1) });
    expect(verified.coversOwnProofs('aa', 16)).toBe(true);
  });

  test('forgets the oldest beyond its limit', () => {
    const verified = new VerifiedTransactions(2);
    for (const id of ['a', 'b', 'a', 'c']) verified.add(id, { version: 16, ring: bytes(1) });
    expect(['a', 'b', 'c'].map((id) => verified.has(id))).toEqual([true, false, true]);
    expect(verified.size).toBe(2);
  });
});

describe('the digest of ring members', () => {
  const digest = (members: readonly RingMember[], revision?: number): string => {
    const chain = { ringMember: (_: bigint, index: bigint) => members[Number(index)] };
    const recorder = new RingRecorder(chain as unknown as ChainLookup, revision);
    members.forEach((_, index) => recorder.ringMember(0n, BigInt(index)));
    return Buffer.from(recorder.digest()).toString('hex');
  };
  const member = (key: number, commitment: number, more: Partial<RingMember> = {}): RingMember => ({
    key: bytes(key),
    commitment: bytes(commitment),
    unlockTime: 0n,
    height: 1,
    ...more,
  });

  test('names the revision of the rules', () => {
    const members = [member(1, 2)];
    expect(digest(members)).toBe(digest(members, RULES_REVISION));
    expect(digest(members)).not.toBe(digest(members, RULES_REVISION + 1));
  });

  test('depends only on keys, commitments and their order', () => {
    const base = digest([member(1, 2), member(3, 4)]);
    expect(digest([member(1, 2, { height: 7, unlockTime: 9n }), member(3, 4)])).toBe(base);
    expect(digest([member(1, 2), member(3, 5)])).not.toBe(base);
    expect(digest([member(9, 2), member(3, 4)])).not.toBe(base);
    expect(digest([member(3, 4), member(1, 2)])).not.toBe(base);
    expect(digest([member(1, 2)])).not.toBe(base);
  });
});
