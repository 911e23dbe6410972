import type { RctType, Transaction, TxInput } from '@monero-node/codec';
import { parseTransaction, toHex } from '@monero-node/codec';
import { createBackend, runCheck } from '@monero-node/crypto';
import type { BulletproofPlusProof, CryptoCheck } from '@monero-node/crypto';
import { rulesFor } from '../forks/fork-table.ts';
import { readFixture } from '../testing/fixtures.ts';
import type { RecordedTransaction } from '../testing/fixtures.ts';
import {
  bytes32,
  codeOf,
  keyInput,
  output,
  parsed,
  plain,
  ringCt,
  ringSigned,
  tagged,
} from '../testing/transactions.ts';
import { checkTransaction } from './transaction.ts';

const check = (version: number, tx: Transaction, size?: number, txId?: string) =>
  codeOf(() => checkTransaction(rulesFor(version), parsed(tx, size), txId));

const accepted = (version: number, tx: Transaction, size?: number, txId?: string) =>
  check(version, tx, size, txId) === undefined;

const toKeys = (count = 2) => Array.from({ length: count }, (_, i) => output(plain(i)));
const v1 = (amount = 100n, ...outputs: bigint[]) =>
  ringSigned(
    [keyInput(1, 3, amount)],
    outputs.map((each) => output(plain(), each)),
  );
const huge = (1n << 64n) - 1n;

describe('recorded transactions', () => {
  const recorded = readFixture<RecordedTransaction[]>('transactions.json.gz');

  const backend = createBackend();

  test.each(recorded)('$shape: verifies its own proofs at its fork', async ({ version, blob }) => {
    const p = parseTransaction(Buffer.from(blob, 'base64'));
    const { rangeProofs, balance, points, keyImages } = checkTransaction(rulesFor(version), p);
    expect(points).toHaveLength(p.tx.outputs.length);
    expect(keyImages.every((image) => backend.isValidKeyImage(image))).toBe(true);
    if (p.tx.version === 1) return expect([rangeProofs, balance]).toEqual([undefined, undefined]);
    const type = p.tx.rct?.type ?? 0;
    const kind = type <= 2 ? 'borromean' : type === 6 ? 'bulletproof-plus' : 'bulletproof';
    expect(rangeProofs?.kind).toBe(kind);
    expect(rangeProofs?.proofs).toHaveLength(type <= 2 ? p.tx.outputs.length : 1);
    expect(runCheck(backend, rangeProofs as CryptoCheck)).not.toContain(false);
    // A ring signature of type 1 is over the difference of inputs and outputs.
    expect(balance === undefined).toBe(type === 1);
    if (balance !== undefined) expect(backend.verifyBalance(balance)).toBe(true);
  });

  test('returns the proofs that remain to be verified', () => {
    const entry = recorded.find(({ shape }) => shape === 'v2 t6 2/4') as RecordedTransaction;
    const p = parseTransaction(Buffer.from(entry.blob, 'base64'));
    const pending = checkTransaction(rulesFor(16), p);
    expect(pending.points).toHaveLength(4);
    expect(pending.keyImages).toHaveLength(2);
    expect(pending.keyImages.map(toHex)).toEqual(
      p.tx.inputs.map((input) => (input.kind === 'key' ? toHex(input.keyImage) : '')),
    );
    expect(pending.balance?.inputs).toBe(p.tx.prunable?.pseudoOuts);
    expect(pending.balance?.outputs).toBe(p.tx.rct?.outPk);
    expect(pending.balance?.fee).toBe(p.tx.rct?.fee);
    const [proof] = (pending.rangeProofs?.proofs ?? []) as BulletproofPlusProof[];
    expect(proof?.commitments).toBe(p.tx.rct?.outPk);
    expect(proof?.L).toHaveLength(8);
  });
});

describe('size and version', () => {
  test('rejects a pruned transaction', () => {
    const pruned = { ...parsed(ringCt()), pruned: true };
    expect(codeOf(() => checkTransaction(rulesFor(16), pruned))).toBe('bad-tx-blob');
  });

  test('accepts up to 1,000,000 bytes', () => {
    expect(check(1, v1(100n, 50n), 1_000_000)).toBeUndefined();
    expect(check(1, v1(100n, 50n), 1_000_001)).toBe('tx-too-big');
  });

  test('accepts a weight of up to 149,400 from fork 8 on, including clawback', () => {
    expect(accepted(7, v1(100n, 50n), 149_401)).toBe(true);
    expect(check(8, v1(100n, 50n), 149_401)).toBe('tx-too-big');
    expect(check(8, v1(100n, 50n), 149_400)).toBeUndefined();
    const four = ringCt({ outputs: [output(), output(), output(), output()] });
    expect(check(16, four, 149_400 - 460)).toBeUndefined();
    expect(check(16, four, 149_401 - 460)).toBe('tx-too-big');
  });

  test('accepts version 2 from fork 4 on', () => {
    const tx = ringCt({ type: 2, outputs: toKeys() });
    expect(check(3, tx)).toBe('tx-version');
    expect(accepted(4, tx)).toBe(true);
  });
});

describe('inputs and outputs', () => {
  test('rejects a transaction without inputs', () => {
    expect(check(16, ringCt({ inputs: [] }))).toBe('no-inputs');
  });

  test.each<TxInput>([
    { kind: 'gen', height: 5 },
    { kind: 'script', prev: bytes32(0), prevout: 0n, sigset: new Uint8Array() },
  ])('rejects an input of type $kind', (input) => {
    expect(check(16, ringCt({ inputs: [keyInput(8), input] }))).toBe('input-type');
  });

  test('rejects outputs without a key', () => {
    const script = output({ kind: 'script', keys: [], script: new Uint8Array() });
    expect(check(16, ringCt({ outputs: [output(), script] }))).toBe('output-key');
    const hash = output({ kind: 'scripthash', hash: bytes32(1) });
    expect(check(1, ringSigned([keyInput(1, 3, 100n)], [hash]))).toBe('output-key');
  });

  test('version 1: requires amounts above 0, with one non-zero digit from fork 2 on', () => {
    expect(check(1, v1(100n, 50n, 0n))).toBe('output-amount');
    expect(check(1, v1(100n, 55n))).toBeUndefined();
    expect(check(2, v1(100n, 55n))).toBe('output-decomposition');
    expect(check(2, v1(100n, 50n, 5n))).toBeUndefined();
    expect(check(16, v1(100n, 55n))).toBe('output-type');
  });

  test('version 1: accepts no outputs', () => {
    expect(check(1, v1(100n))).toBeUndefined();
  });

  test('version 2: rejects plain amounts', () => {
    expect(check(16, ringCt({ outputs: [output(), output(tagged(), 1n)] }))).toBe('output-amount');
  });

  test('requires one commitment per output', () => {
    const tx = ringCt();
    tx.rct?.outPk.pop();
    expect(check(16, tx)).toBe('out-pk-count');
    expect(check(16, ringCt({ type: 0 }))).toBe('out-pk-count');
  });

  test('rejects amounts that overflow', () => {
    const rich = [keyInput(8, 16, huge), keyInput(7, 16, 1n)];
    expect(check(16, ringCt({ inputs: rich }))).toBe('amount-overflow');
    expect(
      check(1, ringSigned([keyInput(1, 3, huge)], [output(plain(), huge), output(plain(), 1n)])),
    ).toBe('amount-overflow');
  });

  test('version 1: requires a fee', () => {
    expect(check(1, v1(100n, 100n))).toBe('overspend');
    expect(check(1, v1(100n, 99n, 2n))).toBe('overspend');
    expect(check(1, v1(100n, 99n))).toBeUndefined();
  });
});

describe('key images and offsets', () => {
  test('rejects the same key image twice', () => {
    expect(check(16, ringCt({ inputs: [keyInput(8), keyInput(8)] }))).toBe('duplicate-key-image');
  });

  test('rejects a zero offset after the first, from fork 6 on', () => {
    const twice = keyInput(1, 3, 100n);
    twice.keyOffsets[2] = 0n;
    const tx = ringSigned([twice], [output(plain(), 50n)]);
    expect(check(5, tx)).toBeUndefined();
    expect(check(6, tx)).toBe('duplicate-ring-member');
    const first = keyInput(1, 3, 100n);
    first.keyOffsets[0] = 0n;
    expect(check(6, ringSigned([first], [output(plain(), 50n)]))).toBeUndefined();
    first.keyOffsets[2] = 0n;
    expect(check(6, ringSigned([first], [output(plain(), 50n)]))).toBe('duplicate-ring-member');
  });
});

describe('output types', () => {
  const sending = (...outputs: ReturnType<typeof output>[]) => ringCt({ type: 5, outputs });

  test('must be plain before fork 15, tagged after it, and all of one type in it', () => {
    expect(accepted(14, sending(output(plain()), output(plain())))).toBe(true);
    expect(check(14, sending(output(tagged()), output(tagged())))).toBe('output-type');
    expect(accepted(15, sending(output(plain()), output(plain())))).toBe(true);
    expect(accepted(15, sending(output(tagged()), output(tagged())))).toBe(true);
    expect(check(15, sending(output(tagged()), output(plain())))).toBe('output-type');
    expect(check(16, ringCt({ outputs: toKeys() }))).toBe('output-type');
  });
});

describe('RingCT types', () => {
  const WINDOWS: [RctType, number, number][] = [
    [1, 4, 8],
    [2, 4, 8],
    [3, 8, 10],
    [4, 10, 13],
    [5, 13, 15],
    [6, 15, 16],
  ];

  test.each(WINDOWS)('accepts type %i from fork %i to fork %i', (type, first, last) => {
    for (let version = 4; version <= 16; version++) {
      const outputs = version >= 16 ? [output(), output()] : toKeys();
      const expected = version < first || version > last ? 'rct-type' : undefined;
      const code = check(version, ringCt({ type, outputs }));
      expect([version, code]).toEqual([version, expected]);
    }
  });

  test('accepts two exempt transactions of type 4 in forks 14 and 15', () => {
    const tx = ringCt({ type: 4, outputs: toKeys() });
    const id = 'c5151944f0583097ba0c88cd0f43e7fabb3881278aa2f73b3b0a007c5d34e910';
    expect(accepted(14, tx, 3000, id)).toBe(true);
    expect(accepted(15, tx, 3000, id)).toBe(true);
    expect(check(14, tx, 3000, 'c6'.repeat(32))).toBe('rct-type');
    const later = ringCt({ type: 4 });
    expect(check(16, later, 3000, id)).toBe('rct-type');
  });

  test('rejects type 0 outside coinbases', () => {
    expect(check(16, ringCt({ type: 0, outputs: [] }))).toBe('rct-type');
    expect(check(8, ringCt({ type: 0, outputs: [] }))).toBe('rct-type');
  });
});

describe('counts of proofs', () => {
  const broken = (type: RctType, change: (tx: Transaction) => void) => {
    const tx = ringCt({ type, outputs: type === 6 ? [output(), output()] : toKeys() });
    change(tx);
    return tx;
  };

  test('rejects a missing amount, pseudo output, signature or range proof', () => {
    expect(
      check(
        16,
        broken(6, (tx) => tx.rct?.ecdhInfo.pop()),
      ),
    ).toBe('proof-layout');
    expect(
      check(
        16,
        broken(6, (tx) => tx.prunable?.pseudoOuts.pop()),
      ),
    ).toBe('proof-layout');
    expect(
      check(
        16,
        broken(6, (tx) => tx.prunable?.clsags.pop()),
      ),
    ).toBe('proof-layout');
    expect(
      check(
        4,
        broken(1, (tx) => tx.prunable?.mlsags.pop()),
      ),
    ).toBe('proof-layout');
    expect(
      check(
        4,
        broken(2, (tx) => tx.rct?.pseudoOuts.pop()),
      ),
    ).toBe('proof-layout');
    expect(
      check(
        4,
        broken(2, (tx) => tx.prunable?.rangeSigs.pop()),
      ),
    ).toBe('proof-layout');
    expect(
      check(
        16,
        broken(6, (tx) => delete tx.prunable),
      ),
    ).toBe('proof-layout');
  });

  test('requires range proofs padded to the next power of two and no further', () => {
    const sending = (count: number, rounds: number) =>
      check(16, ringCt({ outputs: Array.from({ length: count }, () => output()), rounds }));
    expect(sending(2, 7)).toBeUndefined();
    expect(sending(2, 8)).toBe('proof-layout');
    expect(sending(2, 6)).toBe('proof-layout');
    expect(sending(3, 8)).toBeUndefined();
    expect(sending(16, 10)).toBeUndefined();
    expect(sending(17, 10)).toBe('proof-layout');
    expect(sending(1, 6)).toBeUndefined();
    expect(sending(0, 6)).toBe('proof-layout');
    expect(
      check(
        16,
        broken(6, (tx) => tx.prunable?.bulletproofsPlus[0]?.R.pop()),
      ),
    ).toBe('proof-layout');
  });
});

test('names the transaction in the error', () => {
  const id = 'ab'.repeat(32);
  expect(() => checkTransaction(rulesFor(16), parsed(ringCt({ inputs: [] })), id)).toThrow(
    expect.objectContaining({ code: 'no-inputs', txId: id }) as Error,
  );
});
