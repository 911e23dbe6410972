import { type CryptoCheck, itemsOf } from '../checks.ts';
import { recordedTransactions } from '../testing/fixtures.ts';
import { oldProofs } from '../testing/old-fixtures.ts';
import {
  type AnyCheck,
  countItems,
  joinPacked,
  packed,
  sliceCheck,
  unpacked,
} from './any-check.ts';
import { CheckPacker, unpackItems } from './check-bytes.ts';
import { ringPoints } from './clsag-bytes.ts';
import { packCheck, type WorkerRequest } from './messages.ts';

const [tx] = recordedTransactions();
if (!tx) throw new Error('no fixture');

const { ringSignatures, mlsags, borromeans, bulletproofs } = oldProofs();

const checks: CryptoCheck[] = [
  { kind: 'points', points: tx.outputKeys },
  { kind: 'key-images', keyImages: tx.clsags.map((clsag) => clsag.keyImage) },
  { kind: 'balance', statements: [tx.balance] },
  { kind: 'clsag', proofs: tx.clsags },
  { kind: 'bulletproof-plus', proofs: [tx.rangeProof] },
  { kind: 'ring-signature', proofs: ringSignatures },
  { kind: 'mlsag', proofs: mlsags },
  { kind: 'borromean', proofs: borromeans },
  { kind: 'bulletproof', proofs: bulletproofs },
  {
    kind: 'fcmp-plus-plus',
    proofs: [
      {
        message: new Uint8Array(32).fill(1),
        layers: 7,
        root: new Uint8Array(32).fill(2),
        pseudoOuts: [new Uint8Array(32).fill(3), new Uint8Array(32).fill(4)],
        keyImages: [new Uint8Array(32).fill(5), new Uint8Array(32).fill(6)],
        proof: new Uint8Array(6688).fill(7),
      },
    ],
  },
  { kind: 'points', points: [new Uint8Array(0), new Uint8Array(33), new Uint8Array(1)] },
  { kind: 'points', points: [] },
];

/** Returns the parts of a check as a worker reads them, and whether each is the last. */
const requestsOf = (check: AnyCheck) =>
  [...packCheck(check, new CheckPacker())].map(({ message }) => {
    const { kind, bytes, isLast } = message as WorkerRequest;
    return { check: unpackItems(kind, bytes), isLast };
  });

describe('packCheck', () => {
  test.each(checks.map((check) => [check.kind, check] as const))(
    '%s is copied whole',
    (_, check) => {
      expect(requestsOf(check)).toEqual([{ check, isLast: true }]);
    },
  );

  test('makes several messages of a batch of range proofs', () => {
    const proofs = Array.from({ length: 150 }, () => tx.rangeProof);
    const requests = requestsOf({ kind: 'bulletproof-plus', proofs });
    expect(requests.map(({ isLast }) => isLast)).toEqual([false, false, true]);
    const whole = requests.flatMap(({ check }) => itemsOf(check));
    expect(whole).toEqual(proofs);
    // Those that are packed need only be copied.
    const many = Array.from({ length: 600 }, () => tx.rangeProof);
    const ofBytes = requestsOf(new CheckPacker().pack({ kind: 'bulletproof-plus', proofs: many }));
    expect(ofBytes.map(({ check }) => itemsOf(check).length)).toEqual([512, 88]);
    expect(ofBytes.map(({ isLast }) => isLast)).toEqual([false, true]);
  });

  test.each(checks.map((check) => [check.kind, check] as const))(
    'sends packed %s as it sends objects',
    async (kind, check) => {
      const packer = new CheckPacker();
      const whole = packed(check, packer);
      expect(unpacked(whole)).toEqual(check);
      expect(requestsOf(whole)).toEqual(requestsOf(check));
      const count = countItems(check);
      const halves = [sliceCheck(whole, 0, count >> 1), sliceCheck(whole, count >> 1, count)];
      const joined = await joinPacked(
        kind,
        halves.map((half) => packed(half, packer)),
      );
      expect(joined).toEqual(whole);
    },
  );

  test('copies the fields but not the buffers behind them', () => {
    const message = new Uint8Array(1_000_000);
    const points = [message.subarray(10, 42), message.subarray(500_000, 500_032)];
    message[12] = 7;
    const [request] = [...packCheck({ kind: 'points', points }, new CheckPacker())];
    const { bytes } = request?.message as WorkerRequest;
    expect(bytes.buffer.byteLength).toBe(2 * (4 + 32));
    expect(request?.transfer).toEqual([bytes.buffer]);
    expect(unpackItems('points', bytes)).toEqual({ kind: 'points', points });
    expect(message.byteLength).toBe(1_000_000);
  });

  test('leaves out what a thread has no use for', () => {
    const member = { key: new Uint8Array(32), commitment: new Uint8Array(32) };
    const [clsag] = tx.clsags;
    if (!clsag) throw new Error('no signature');
    const ofChain = { ...clsag, ring: [{ ...member, unlockTime: 7n, height: 8 }] };
    const [request] = requestsOf({ kind: 'clsag', proofs: [ofChain] });
    expect(request?.check).toEqual({ kind: 'clsag', proofs: [{ ...clsag, ring: [member] }] });
  });

  test('packs a ring that is bytes as one of objects', () => {
    const [clsag] = tx.clsags;
    if (!clsag) throw new Error('no signature');
    const { ring, ...others } = clsag;
    const size = ring.length;
    const at = 7;
    const bytes = new Uint8Array(at + 64 * size + 5).fill(9);
    for (const [i, { key, commitment }] of ring.entries()) {
      bytes.set(key, at + 32 * i);
      bytes.set(commitment, at + 32 * (size + i));
    }
    const ofBytes = { ...others, ring: { bytes, at, size } };
    const packer = new CheckPacker();
    const expected = packer.pack({ kind: 'clsag', proofs: [clsag, clsag] });
    const found = packer.pack({ kind: 'clsag', proofs: [ofBytes, ofBytes] });
    expect(found).toEqual(expected);
    expect(unpacked(found)).toEqual({ kind: 'clsag', proofs: [clsag, clsag] });
    expect(ringPoints(ofBytes.ring)).toEqual(ring);

    // What does not fit the ring stays as it is, too.
    for (const change of [{ s: clsag.s.slice(1) }, { D: new Uint8Array(31) }]) {
      const proofs = [{ ...ofBytes, ...change }, ofBytes];
      expect(unpacked(packer.pack({ kind: 'clsag', proofs }))).toEqual({
        kind: 'clsag',
        proofs: [{ ...clsag, ...change }, clsag],
      });
    }
  });

  test.each(['message', 'pseudoOut', 'keyImage', 'c1', 'D', 's', 'key', 'commitment', 'none'])(
    'sends a signature with a wrong %s as it is',
    (field) => {
      const [clsag] = tx.clsags;
      if (!clsag) throw new Error('no signature');
      for (const length of [0, 31, 33]) {
        const wrong = new Uint8Array(length).fill(1);
        const ring = clsag.ring.map((each, i) => (i === 3 ? { ...each, [field]: wrong } : each));
        const change: Record<string, unknown> =
          field === 's' ? { s: clsag.s.with(5, wrong) } : { [field]: wrong };
        const isOfRing = field === 'key' || field === 'commitment';
        const odd = field === 'none' ? { ...clsag, ring: [] } : { ...clsag, ...change };
        const proofs = [clsag, isOfRing ? { ...clsag, ring } : odd, clsag];
        const check: CryptoCheck = { kind: 'clsag', proofs };
        expect(requestsOf(check)).toEqual([{ check, isLast: true }]);
      }
    },
  );

  test('a check that is packed later does not change one that was packed before, however large', () => {
    const packer = new CheckPacker();
    const points = (count: number, first: number) =>
      Array.from({ length: count }, (_, i) => new Uint8Array(32).fill(first + i));
    const counts = [1, 100, 0, 300, 1000, 1, 5000, 2, 700, 700, 700, 700];
    const kept = counts.map((count, first): [CryptoCheck, AnyCheck] => {
      const check: CryptoCheck = { kind: 'points', points: points(count, first) };
      const [request] = [...packCheck({ kind: 'points', points: points(9, 200) }, packer)];
      expect((request?.message as WorkerRequest).bytes.buffer.byteLength).toBe(9 * 36);
      return [check, packer.pack(check)];
    });
    for (const [check, bytes] of kept) expect(unpacked(bytes)).toEqual(check);
  });

  test.each([-1n, 2n ** 64n])('keeps a fee of %s from becoming an amount', (fee) => {
    const [request] = requestsOf({ kind: 'balance', statements: [{ ...tx.balance, fee }] });
    expect(request?.check).toEqual({
      kind: 'balance',
      statements: [{ ...tx.balance, fee: -1n }],
    });
  });
});
