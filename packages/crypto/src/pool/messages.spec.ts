import type { CryptoCheck } from '../checks.ts';
import { recordedTransactions } from '../testing/fixtures.ts';
import { packCheck } from './messages.ts';

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

describe('packCheck', () => {
  test.each(checks.map((check) => [check.kind, check] as const))(
    '%s is copied whole',
    (_, check) => {
      expect(packCheck(check).message.check).toEqual(check);
    },
  );

  test('copies the fields but not the buffers behind them', () => {
    const message = new Uint8Array(1_000_000);
    const points = [message.subarray(10, 42), message.subarray(500_000, 500_032)];
    message[12] = 7;
    const {
      message: { check },
      transfer: [buffer],
    } = packCheck({ kind: 'points', points });
    expect(buffer.byteLength).toBe(64);
    expect(check).toEqual({ kind: 'points', points });
    expect(structuredClone(check, { transfer: [buffer] })).toEqual({ kind: 'points', points });
    expect(message.byteLength).toBe(1_000_000);
  });
});
