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

  test.each([-1n, 2n ** 64n])('keeps a fee of %s from becoming an amount', (fee) => {
    const [request] = requestsOf({ kind: 'balance', statements: [{ ...tx.balance, fee }] });
    expect(request?.check).toEqual({
      kind: 'balance',
      statements: [{ ...tx.balance, fee: -1n }],
    });
  });
});
