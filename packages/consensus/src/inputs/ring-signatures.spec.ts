import type { MlsagProof, RingPoint, RingSignatureProof } from '@monero-node/crypto';
import { ringSignaturesOf } from './ring-signatures.ts';
import { bytes32, codeOf, keyInput, output, parsed, plain } from '../testing/transactions.ts';
import { ringBytes, ringCt, ringSigned, unpackedProofs } from '../testing/transactions.ts';

const fail = (code: string): never => {
  throw Object.assign(new Error(code), { code });
};
const ringOf = (size: number, first: number): RingPoint[] =>
  Array.from({ length: size }, (_, i) => ({
    key: bytes32(first + i),
    commitment: bytes32(100 + first + i),
  }));
const signaturesOf = (tx: Parameters<typeof parsed>[0], rings: RingPoint[][]) =>
  unpackedProofs(ringSignaturesOf(parsed(tx), rings.map(ringBytes), fail));
const codeFor = (tx: Parameters<typeof parsed>[0], rings: RingPoint[][]) =>
  codeOf(() => signaturesOf(tx, rings));

describe('version 1', () => {
  const tx = () => ringSigned([keyInput(9, 2, 50n), keyInput(8, 3, 50n)], [output(plain(), 40n)]);

  test('signs the prefix over keys alone, with rings of any sizes', () => {
    const { kind, proofs } = signaturesOf(tx(), [ringOf(2, 1), ringOf(3, 5)]);
    expect(kind).toBe('ring-signature');
    const [first, second] = proofs as readonly RingSignatureProof[];
    expect(first?.message).toEqual(parsed(tx()).prefixHash);
    expect(first?.ring).toEqual([bytes32(1), bytes32(2)]);
    expect(second?.ring).toEqual([bytes32(5), bytes32(6), bytes32(7)]);
    expect(second?.keyImage).toEqual(bytes32(8));
    expect(second?.signatures).toHaveLength(3);
  });

  test('requires an element for every ring member', () => {
    const short = tx();
    short.signatures?.[1]?.pop();
    expect(codeFor(short, [ringOf(2, 1), ringOf(3, 5)])).toBe('bad-ring-signature');
    const none = tx();
    none.signatures?.pop();
    expect(codeFor(none, [ringOf(2, 1), ringOf(3, 5)])).toBe('bad-ring-signature');
  });
});

describe('RingCT type 1', () => {
  const tx = (inputs = 2, ring = 3) => {
    const made = ringCt({
      type: 1,
      inputs: Array.from({ length: inputs }, (_, i) => keyInput(9 - i, ring)),
      fee: 77n,
    });
    for (const mlsag of made.prunable?.mlsags ?? []) {
      mlsag.ss = mlsag.ss.map(() => Array.from({ length: inputs + 1 }, () => bytes32(6)));
    }
    return made;
  };

  test('combines all rings in one signature and subtracts outputs and fee', () => {
    const { kind, proofs } = signaturesOf(tx(), [ringOf(3, 1), ringOf(3, 11)]);
    expect(kind).toBe('mlsag');
    expect(proofs).toHaveLength(1);
    const [proof] = proofs as readonly MlsagProof[];
    expect(proof?.ring.map((column) => column.map(({ key }) => key[0]))).toEqual([
      [1, 11],
      [2, 12],
      [3, 13],
    ]);
    expect(proof?.keyImages).toEqual([bytes32(9), bytes32(8)]);
    expect(proof?.offsets).toEqual(tx().rct?.outPk);
    expect(proof?.fee).toBe(77n);
  });

  test('requires rings of one size, and one scalar more than inputs', () => {
    expect(codeFor(tx(), [ringOf(3, 1), ringOf(2, 11)])).toBe('bad-ring-signature');
    expect(codeFor(tx(), [ringOf(3, 1), ringOf(4, 11)])).toBe('bad-ring-signature');
    expect(codeFor(tx(1), [ringOf(3, 1), ringOf(3, 11)])).toBe('bad-ring-signature');
    expect(codeFor(tx(2, 2), [ringOf(3, 1), ringOf(3, 11)])).toBe('bad-ring-signature');
    const unsigned = tx();
    unsigned.prunable?.mlsags.pop();
    expect(codeFor(unsigned, [ringOf(3, 1), ringOf(3, 11)])).toBe('bad-ring-signature');
  });
});

describe.each([2, 3, 4] as const)('RingCT type %i', (type) => {
  const tx = () => ringCt({ type, inputs: [keyInput(9, 3), keyInput(8, 3)] });

  test('has one signature per input, over the difference to its pseudo output', () => {
    const { kind, proofs } = signaturesOf(tx(), [ringOf(3, 1), ringOf(3, 11)]);
    expect(kind).toBe('mlsag');
    const [first, second] = proofs as readonly MlsagProof[];
    expect(first?.ring).toEqual(ringOf(3, 1).map((member) => [member]));
    expect(second?.keyImages).toEqual([bytes32(8)]);
    expect(second?.offsets).toEqual([bytes32(4)]);
    expect(second?.fee).toBe(0n);
  });

  test('requires signatures for rings of this size', () => {
    expect(codeFor(tx(), [ringOf(3, 1), ringOf(4, 11)])).toBe('bad-ring-signature');
    const wide = tx();
    wide.prunable?.mlsags[1]?.ss[2]?.push(bytes32(1));
    expect(codeFor(wide, [ringOf(3, 1), ringOf(3, 11)])).toBe('bad-ring-signature');
    const unsigned = tx();
    unsigned.prunable?.mlsags.pop();
    expect(codeFor(unsigned, [ringOf(3, 1), ringOf(3, 11)])).toBe('bad-ring-signature');
  });
});
