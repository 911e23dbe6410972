import { countItems, type CryptoCheck, joinChecks, sliceCheck } from '../checks.ts';
import { recordedTransactions } from '../testing/fixtures.ts';
import { packCheck, type WorkerRequest } from './messages.ts';

const [tx] = recordedTransactions();
if (!tx) throw new Error('no fixture');

const checks: CryptoCheck[] = [
  { kind: 'points', points: tx.outputKeys },
  { kind: 'key-images', keyImages: tx.clsags.map((clsag) => clsag.keyImage) },
  { kind: 'balance', statements: [tx.balance] },
  { kind: 'clsag', proofs: tx.clsags },
  { kind: 'bulletproof-plus', proofs: [tx.rangeProof] },
  { kind: 'points', points: [new Uint8Array(0), new Uint8Array(33), new Uint8Array(1)] },
  { kind: 'points', points: [] },
];

const requestsOf = (check: CryptoCheck): WorkerRequest[] =>
  [...packCheck(check)].map(({ message }) => message as WorkerRequest);

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
    const whole = joinChecks(requests.map(({ check }) => check));
    expect(whole).toEqual({ kind: 'bulletproof-plus', proofs });
  });

  test.each(checks.map((check) => [check.kind, check] as const))(
    'joins parts of %s',
    (_, check) => {
      const count = countItems(check);
      const halves = [sliceCheck(check, 0, count >> 1), sliceCheck(check, count >> 1, count)];
      expect(joinChecks(halves)).toEqual(check);
    },
  );

  test('copies the fields but not the buffers behind them', () => {
    const message = new Uint8Array(1_000_000);
    const points = [message.subarray(10, 42), message.subarray(500_000, 500_032)];
    message[12] = 7;
    const [packed] = [...packCheck({ kind: 'points', points })];
    const { check } = packed?.message as WorkerRequest;
    const [buffer] = packed?.transfer as [ArrayBuffer];
    expect(buffer.byteLength).toBe(64);
    expect(check).toEqual({ kind: 'points', points });
    expect(structuredClone(check, { transfer: [buffer] })).toEqual({ kind: 'points', points });
    expect(message.byteLength).toBe(1_000_000);
  });
});
