import { type ChainLookup, RingSlot } from '@monero-node/consensus';
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
  interface Member {
    readonly key: number;
    /** Absent for an output of a clear amount. */
    readonly commitment?: number;
    readonly height?: number;
    readonly unlockTime?: bigint;
  }

  const digest = (members: readonly Member[], amount = 0n, revision?: number): string => {
    const chain = {
      readRingMember: (slot: RingSlot, _: bigint, index: bigint) => {
        const found = members[Number(index)];
        if (found === undefined) return false;
        const { key, commitment, height = 1, unlockTime = 0n } = found;
        slot.bytes.set(bytes(key), slot.keyAt);
        if (commitment !== undefined) slot.bytes.set(bytes(commitment), slot.commitmentAt);
        Object.assign(slot, { hasCommitment: commitment !== undefined, height, unlockTime });
        return true;
      },
      commitToAmount: (clear: bigint) => bytes(Number(clear)),
    };
    const recorder = new RingRecorder(chain as unknown as ChainLookup, revision);
    const slot = new RingSlot({ bytes: new Uint8Array(64), at: 0, size: 1 });
    const found = members.map((_, index) => recorder.readRingMember(slot, amount, BigInt(index)));
    expect(found).toEqual(members.map(() => true));
    expect(recorder.readRingMember(slot, amount, BigInt(members.length))).toBe(false);
    return Buffer.from(recorder.digest()).toString('hex');
  };
  const member = (key: number, commitment: number, more: Partial<Member> = {}): Member => ({
    key,
    commitment,
    ...more,
  });

  test('names the revision of the rules', () => {
    const members = [member(1, 2)];
    expect(digest(members)).toBe(digest(members, 0n, RULES_REVISION));
    expect(digest(members)).not.toBe(digest(members, 0n, RULES_REVISION + 1));
  });

  test('depends only on keys, commitments and their order', () => {
    const base = digest([member(1, 2), member(3, 4)]);
    expect(digest([member(1, 2, { height: 7, unlockTime: 9n }), member(3, 4)])).toBe(base);
    expect(digest([member(1, 2), member(3, 5)])).not.toBe(base);
    expect(digest([member(9, 2), member(3, 4)])).not.toBe(base);
    expect(digest([member(3, 4), member(1, 2)])).not.toBe(base);
    expect(digest([member(1, 2)])).not.toBe(base);
  });

  test('has the commitment to its amount for an output of a clear amount', () => {
    expect(digest([{ key: 1 }, { key: 3 }], 7n)).toBe(digest([member(1, 7), member(3, 7)]));
  });
});
