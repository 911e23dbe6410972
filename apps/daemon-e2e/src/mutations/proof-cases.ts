import { Fn } from '@monero-node/crypto/testing';
import { bytesToNumberLE } from '@noble/curves/utils.js';
import type {
  LooseRangeProof,
  LooseRingct,
  LooseSignature,
  LooseTransaction,
} from '../chain/transaction.ts';
import { refused, type MutationCase } from './mutation-case.ts';
import { FEE, type Bundle, type ChainBuilder } from './chain-builder.ts';
import { scalarBytes, unreduced } from './owned-outputs.ts';
import { doubled, IDENTITY, inflated, NOT_A_POINT, ORDER_8, withTorsion } from './points.ts';

function ringct(tx: LooseTransaction): LooseRingct {
  if (tx.ringct === undefined) throw new Error('no RingCT part');
  return tx.ringct;
}

/** Returns a different scalar with a valid encoding. */
const nextScalar = (scalar: Uint8Array): Buffer => scalarBytes(bytesToNumberLE(scalar) + 1n);

/** Signs after changing the proof, so that only the proof is wrong. */
const proof =
  (change: (proof: LooseRangeProof) => void) =>
  (builder: ChainBuilder): Bundle =>
    builder.blockWith(builder.signed((tx) => ringct(tx).rangeProofs.forEach(change)));

/** Changes the transaction before it is signed. */
const part =
  (change: (rct: LooseRingct) => void, inputCount = 1) =>
  (builder: ChainBuilder): Bundle =>
    builder.blockWith(builder.signed((tx) => change(ringct(tx)), { inputCount }));

/** Changes the transaction after it is signed. */
const signature =
  (change: (signature: LooseSignature) => void) =>
  (builder: ChainBuilder): Bundle =>
    builder.blockWith(builder.broken((tx) => ringct(tx).signatures.forEach(change)));

const POINTS = ['A', 'A1', 'B'] as const;
const SCALARS = ['r1', 's1', 'd1'] as const;

const rangeProofCases: MutationCase[] = [
  ...POINTS.map((name) =>
    refused(
      `range proof: another ${name}`,
      'bad-range-proof',
      proof((p) => (p[name] = doubled(p[name]))),
    ),
  ),
  ...SCALARS.map((name) =>
    refused(
      `range proof: another ${name}`,
      'bad-range-proof',
      proof((p) => (p[name] = nextScalar(p[name]))),
    ),
  ),
  ...SCALARS.map((name) =>
    refused(
      `range proof: ${name} not reduced`,
      'bad-range-proof',
      proof((p) => (p[name] = unreduced(p[name]))),
    ),
  ),
  ...(['L', 'R'] as const).map((name) =>
    refused(
      `range proof: another ${name}`,
      'bad-range-proof',
      proof((p) => (p[name][3] = doubled(p[name][3] ?? IDENTITY))),
    ),
  ),
  refused(
    'range proof: A not a point',
    'bad-range-proof',
    proof((p) => (p.A = NOT_A_POINT)),
  ),
  refused(
    'range proof: L and R exchanged',
    'bad-range-proof',
    proof((p) => ([p.L, p.R] = [p.R, p.L])),
  ),
];

const balanceCases: MutationCase[] = [
  refused(
    'an output commitment inflated',
    ['bad-balance', 'bad-range-proof'],
    part((rct) => {
      rct.commitments[0] = inflated(rct.commitments[0] ?? IDENTITY);
    }),
  ),
  refused(
    'a pseudo output inflated',
    'bad-balance',
    part((rct) => {
      rct.pseudoOuts[0] = inflated(rct.pseudoOuts[0] ?? IDENTITY);
    }),
  ),
  refused(
    'a fee above the difference of inputs and outputs',
    'bad-balance',
    part((rct) => (rct.fee += 1n)),
  ),
  refused(
    'a fee below the difference of inputs and outputs',
    'bad-balance',
    part((rct) => (rct.fee -= 1n)),
  ),
  refused('a pseudo output that is not a point', 'bad-balance', (builder) =>
    builder.blockWith(builder.broken((tx) => (ringct(tx).pseudoOuts[0] = NOT_A_POINT))),
  ),
  refused(
    'a pseudo output with torsion',
    'bad-balance',
    part((rct) => {
      rct.pseudoOuts[0] = withTorsion(rct.pseudoOuts[0] ?? IDENTITY);
    }),
  ),
  refused(
    'both sides inflated: balanced, but the range proof is for less',
    'bad-range-proof',
    part((rct) => {
      rct.commitments[0] = inflated(rct.commitments[0] ?? IDENTITY);
      rct.pseudoOuts[0] = inflated(rct.pseudoOuts[0] ?? IDENTITY);
    }),
  ),
  refused('an output below zero that makes another larger', 'bad-range-proof', (builder) => {
    const spent = builder.owned[0];
    if (spent === undefined) throw new Error('nothing to spend');
    const left = spent.amount - FEE;
    return builder.blockWith(
      builder.signed(undefined, {
        outputs: [
          { key: 11n, amount: -1_000_000n, mask: Fn.create(5n ** 90n) },
          { key: 12n, amount: left + 1_000_000n, mask: Fn.create(7n ** 90n) },
        ],
      }),
    );
  }),
];

const signatureCases: MutationCase[] = [
  refused(
    'ring signature: another s',
    'bad-ring-signature',
    signature((each) => {
      each.s[0] = nextScalar(each.s[0] ?? IDENTITY);
    }),
  ),
  refused(
    'ring signature: s not reduced',
    'bad-ring-signature',
    signature((each) => {
      each.s[0] = unreduced(each.s[0] ?? IDENTITY);
    }),
  ),
  refused(
    'ring signature: another c1',
    'bad-ring-signature',
    signature((each) => (each.c1 = nextScalar(each.c1))),
  ),
  refused(
    'ring signature: c1 not reduced',
    'bad-ring-signature',
    signature((each) => (each.c1 = unreduced(each.c1))),
  ),
  refused(
    'ring signature: another D',
    'bad-ring-signature',
    signature((each) => (each.D = doubled(each.D))),
  ),
  refused(
    'ring signature: D not a point',
    'bad-ring-signature',
    signature((each) => (each.D = NOT_A_POINT)),
  ),
  refused(
    'ring signature: D of order 8',
    'bad-ring-signature',
    signature((each) => (each.D = ORDER_8)),
  ),
  refused(
    'ring signature: D with torsion',
    'bad-ring-signature',
    signature((each) => (each.D = withTorsion(each.D))),
  ),
  refused('ring signatures of the inputs exchanged', 'bad-ring-signature', (builder) =>
    builder.blockWith(builder.broken((tx) => ringct(tx).signatures.reverse(), { inputCount: 2 })),
  ),
  refused(
    'pseudo outputs of the inputs exchanged',
    'bad-ring-signature',
    part((rct) => rct.pseudoOuts.reverse(), 2),
  ),
  refused('extra changed after signing', 'bad-ring-signature', (builder) =>
    builder.blockWith(builder.broken((tx) => (tx.extra = Buffer.from([0])))),
  ),
  refused('unlock time changed after signing', 'bad-ring-signature', (builder) =>
    builder.blockWith(builder.broken((tx) => (tx.unlockTime = 5n))),
  ),
  refused('an output key exchanged after signing', 'bad-ring-signature', (builder) =>
    builder.blockWith(builder.broken((tx) => tx.outputs.reverse())),
  ),
  refused('somebody else\u2019s output', 'bad-ring-signature', (builder) => {
    const input = builder.draft().inputs[0];
    if (input === undefined) throw new Error('no input');
    const stranger = { ...input.spent, key: Fn.add(input.spent.key, 1n) };
    return builder.blockWith(
      builder.signed(undefined, { inputs: [{ ...input, spent: stranger }] }),
    );
  }),
  refused(
    'a key image that is not the output\u2019s: a second spend',
    'bad-ring-signature',
    (builder) => {
      const other = builder.owned[5];
      if (other === undefined) throw new Error('nothing to spend');
      return builder.blockWith(
        builder.signed((tx) => {
          const input = tx.inputs[0];
          if (input?.kind === 'key') input.keyImage = other.keyImage;
        }),
      );
    },
  ),
];

/** Cases about range proofs, balance and ring signatures. */
export const PROOF_CASES: readonly MutationCase[] = [
  ...rangeProofCases,
  ...balanceCases,
  ...signatureCases,
];
