import type { Transaction } from '@monero-node/codec';
import { checkMinerTxAmount, checkMinerTxShape } from './miner-tx.ts';
import { rulesFor } from '../forks/fork-table.ts';
import { codeOf, keyInput, minerTx, parsed, plain, tagged } from '../testing/transactions.ts';

const HEIGHT = 5000;
const MAX = (1n << 64n) - 1n;

const shape = (version: number, tx: Transaction, height = HEIGHT) =>
  codeOf(() => checkMinerTxShape(rulesFor(version), height, parsed(tx)));
const amount = (version: number, tx: Transaction, baseReward: bigint, fees: bigint) =>
  checkMinerTxAmount(rulesFor(version), parsed(tx), baseReward, fees);

describe('shape', () => {
  const good = () => minerTx(HEIGHT, [100n]);
  const old = (version: 1 | 2 = 1) => minerTx(HEIGHT, [100n], { version, target: plain() });

  test('accepts a valid one at its fork', () => {
    expect(shape(16, good())).toBeUndefined();
    for (const version of [1, 4, 11]) expect(shape(version, old())).toBeUndefined();
    for (const version of [1, 4, 11, 12, 14]) expect(shape(version, old(2))).toBeUndefined();
  });

  test('requires exactly one input, of type gen', () => {
    expect(shape(16, { ...good(), inputs: [] })).toBe('miner-tx-inputs');
    expect(shape(16, { ...good(), inputs: [keyInput(1)] })).toBe('miner-tx-inputs');
    const gen = { kind: 'gen', height: HEIGHT } as const;
    expect(shape(16, { ...good(), inputs: [gen, gen] })).toBe('miner-tx-inputs');
  });

  test('requires version 2 from fork 12 on', () => {
    expect(shape(12, old())).toBe('miner-tx-version');
    expect(shape(16, minerTx(HEIGHT, [1n], { version: 1 }))).toBe('miner-tx-version');
  });

  test('requires RingCT type 0 from fork 12 on', () => {
    const withProofs = minerTx(HEIGHT, [1n], { rctType: 6 });
    expect(shape(16, withProofs)).toBe('miner-tx-rct');
    const before = minerTx(HEIGHT, [1n], { rctType: 1, target: plain() });
    expect(shape(11, before)).toBeUndefined();
  });

  test('requires the height of the block', () => {
    expect(shape(16, good(), HEIGHT + 1)).toBe('miner-tx-height');
  });

  test('requires an unlock time of height + 60', () => {
    expect(shape(16, { ...good(), unlockTime: BigInt(HEIGHT + 59) })).toBe('miner-tx-unlock');
    expect(shape(16, { ...good(), unlockTime: BigInt(HEIGHT + 61) })).toBe('miner-tx-unlock');
    expect(shape(16, { ...good(), unlockTime: 0n })).toBe('miner-tx-unlock');
  });

  test('rejects amounts whose sum exceeds 64 bits', () => {
    expect(shape(16, minerTx(HEIGHT, [MAX, 1n]))).toBe('miner-tx-overflow');
    expect(shape(16, minerTx(HEIGHT, [MAX - 1n, 1n]))).toBeUndefined();
  });

  test('requires the output types of the fork', () => {
    const to = (target = plain()) => minerTx(HEIGHT, [1n], { target });
    expect(shape(14, to(tagged()))).toBe('miner-tx-output-type');
    expect(shape(15, to(tagged()))).toBeUndefined();
    expect(shape(15, to(plain()))).toBeUndefined();
    expect(shape(16, to(plain()))).toBe('miner-tx-output-type');
    expect(shape(1, to({ kind: 'script', keys: [], script: new Uint8Array() }))).toBe(
      'miner-tx-output-type',
    );
    const mixed = minerTx(HEIGHT, [1n, 2n]);
    mixed.outputs[0] = { amount: 1n, target: plain() };
    expect(shape(15, mixed)).toBe('miner-tx-output-type');
  });
});

describe('amount', () => {
  const taking = (...amounts: bigint[]) => minerTx(HEIGHT, amounts);

  test('must be exactly reward plus fees in fork 1 and from fork 13 on', () => {
    for (const version of [1, 13, 16]) {
      expect(amount(version, taking(600n, 50n), 600n, 50n)).toBe(600n);
      for (const taken of [649n, 651n, 0n]) {
        expect(codeOf(() => amount(version, taking(taken), 600n, 50n))).toBe('miner-tx-amount');
      }
    }
  });

  test('may be less in forks 2 to 12, down to the fees', () => {
    for (const version of [2, 4, 12]) {
      expect(amount(version, taking(650n), 600n, 50n)).toBe(600n);
      expect(amount(version, taking(649n), 600n, 50n)).toBe(599n);
      expect(amount(version, taking(50n), 600n, 50n)).toBe(0n);
      for (const taken of [651n, 49n, 0n]) {
        expect(codeOf(() => amount(version, taking(taken), 600n, 50n))).toBe('miner-tx-amount');
      }
    }
  });

  test('wraps sums at 64 bits', () => {
    // reward + fees wraps to 549, so that even taking the fees alone is too much
    const fees = MAX - 50n;
    expect(codeOf(() => amount(4, taking(fees), 600n, fees))).toBe('miner-tx-amount');
    expect(codeOf(() => amount(4, taking(549n), 600n, fees))).toBeUndefined();
    expect(amount(16, taking(549n), 600n, fees)).toBe(600n);
  });

  test('must be decomposed in fork 3 only', () => {
    expect(amount(3, taking(600n, 50n), 600n, 50n)).toBe(600n);
    expect(codeOf(() => amount(3, taking(650n), 600n, 50n))).toBe('miner-tx-decomposition');
    expect(codeOf(() => amount(3, taking(600n, 0n, 50n), 600n, 50n))).toBe(
      'miner-tx-decomposition',
    );
    for (const version of [1, 2, 4]) expect(amount(version, taking(650n), 600n, 50n)).toBe(600n);
  });

  test('rejects version 1 outputs of amount 0, which cannot be stored', () => {
    const old = (...amounts: bigint[]) => minerTx(HEIGHT, amounts, { version: 1 });
    expect(codeOf(() => amount(1, old(600n, 0n), 600n, 0n))).toBe('miner-tx-zero-output');
    expect(amount(1, taking(600n, 0n), 600n, 0n)).toBe(600n);
  });
});
