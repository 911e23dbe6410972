import { longVarint, varint } from '../chain/bytes.ts';
import { keccak as keccakOf } from '../chain/block.ts';
import { encodeLoose, prefixBytes, type LooseTransaction } from '../chain/transaction.ts';
import { accepted, refused, type MutationCase } from './mutation-case.ts';
import { FEE, twoOutputs, type Bundle, type ChainBuilder } from './chain-builder.ts';
import { IDENTITY, LONG_IDENTITY, NOT_A_POINT, ORDER_8, withTorsion } from './points.ts';
import { randomBytes, type Draft } from './spend.ts';

/** Returns a block with one transaction that is changed before it is signed. */
const signed =
  (
    change: (tx: LooseTransaction, builder: ChainBuilder, draft: Draft) => void,
    options: { inputCount?: number } = {},
  ) =>
  (builder: ChainBuilder): Bundle =>
    builder.blockWith(builder.signed((tx, draft) => change(tx, builder, draft), options));

/** Returns a block with changed bytes of its transaction. The block lists the id of the unchanged transaction. */
const rewritten =
  (change: (blob: Buffer, tx: LooseTransaction) => Buffer) =>
  (builder: ChainBuilder): Bundle => {
    const tx = builder.signed();
    const { block, txs } = builder.block({ txs: [tx] });
    return { block, txs: txs.map((blob) => change(blob, tx)) };
  };

function eachOutput(
  tx: LooseTransaction,
  change: (output: LooseTransaction['outputs'][0]) => void,
) {
  for (const output of tx.outputs) change(output);
}

function firstKeyInput(tx: LooseTransaction) {
  const input = tx.inputs[0];
  if (input?.kind !== 'key') throw new Error('no key input');
  return input;
}

/** Weight limit of a transaction: half of the smallest median, less room for the coinbase. */
const WEIGHT_LIMIT = 149_400;

const ofSize = (size: number) => (builder: ChainBuilder) => {
  const extraFor = (length: number): LooseTransaction =>
    builder.signed((tx) => {
      tx.extra = Buffer.alloc(length, 0xee);
    });
  const probe = encodeLoose(extraFor(size - 3_000)).length;
  return builder.blockWith(extraFor(size - 3_000 + (size - probe)));
};

/** Cases about a transaction on its own: encoding, outputs, key images. */
export const TRANSACTION_CASES: readonly MutationCase[] = [
  // forbidden by no rule
  accepted(
    'an extra field with unknown content',
    signed((tx) => (tx.extra = Buffer.from('ff01ff', 'hex'))),
  ),
  accepted(
    'an extra field that is too large for relay',
    signed((tx) => (tx.extra = Buffer.alloc(2_000, 9))),
  ),
  accepted(
    'an empty extra field',
    signed((tx) => (tx.extra = Buffer.alloc(0))),
  ),
  accepted(
    'an unlock time',
    signed((tx) => (tx.unlockTime = 123_456n)),
  ),
  accepted(
    'an output key with torsion',
    signed((tx) => eachOutput(tx, (output) => (output.key = withTorsion(output.key)))),
  ),
  accepted(
    'the neutral element as output key',
    signed((tx) => eachOutput(tx, (output) => (output.key = IDENTITY))),
  ),
  accepted('the largest weight', ofSize(WEIGHT_LIMIT)),
  accepted(
    'random encrypted amounts',
    signed((tx) => (tx.ringct?.encryptedAmounts ?? []).forEach((amount) => amount.fill(0xff))),
  ),
  // encoding
  refused(
    'an additional byte',
    'bad-tx-blob',
    rewritten((blob) => Buffer.concat([blob, Buffer.from([0])])),
  ),
  refused(
    'a missing byte',
    'bad-tx-blob',
    rewritten((blob) => Buffer.from(blob.subarray(0, -1))),
  ),
  refused(
    'no bytes',
    'bad-tx-blob',
    rewritten(() => Buffer.alloc(0)),
  ),
  refused(
    'a version with a superfluous zero group',
    'bad-tx-blob',
    rewritten((blob) => Buffer.concat([longVarint(2), blob.subarray(1)])),
  ),
  refused(
    'a fee with a superfluous zero group',
    'bad-tx-blob',
    rewritten((blob, tx) => {
      const at = prefixBytes(tx).length + 1;
      const width = varint(FEE).length;
      return Buffer.concat([blob.subarray(0, at), longVarint(FEE), blob.subarray(at + width)]);
    }),
  ),
  refused(
    'version 3',
    'bad-tx-blob',
    signed((tx) => (tx.version = 3n)),
  ),
  refused(
    'version 0',
    'bad-tx-blob',
    signed((tx) => (tx.version = 0n)),
  ),
  refused(
    'an unknown RingCT type',
    'bad-tx-blob',
    signed((tx) => setType(tx, 7)),
  ),
  refused(
    'no range proof',
    'bad-tx-blob',
    signed((tx) => tx.ringct && (tx.ringct.rangeProofs = [])),
  ),
  refused(
    'two range proofs',
    'bad-tx-blob',
    signed((tx) => tx.ringct?.rangeProofs.push(...tx.ringct.rangeProofs)),
  ),
  refused(
    'a range proof for fewer outputs',
    'bad-tx-blob',
    signed((tx) => tx.ringct?.rangeProofs.forEach((p) => [p.L.pop(), p.R.pop()])),
  ),
  refused(
    'a range proof with unequal halves',
    'bad-tx-blob',
    signed((tx) => tx.ringct?.rangeProofs.forEach((p) => p.L.pop())),
  ),
  refused(
    'a range proof for more outputs',
    ['proof-layout', 'bad-range-proof'],
    signed((tx) =>
      tx.ringct?.rangeProofs.forEach((p) => [
        p.L.push(...p.L.slice(0, 1)),
        p.R.push(...p.R.slice(0, 1)),
      ]),
    ),
  ),
  {
    ...refused(
      'a commitment that is not a point',
      ['bad-tx-blob', 'bad-range-proof', 'bad-balance'],
      signed((tx) => tx.ringct && (tx.ringct.commitments[0] = NOT_A_POINT)),
    ),
    monerodKeepsPeer: 'it throws while it decodes the transaction',
  },
  refused('a weight one above the largest', 'tx-too-big', ofSize(WEIGHT_LIMIT + 1)),
  refused(
    'over a million bytes',
    ['tx-too-big', 'bad-tx-blob'],
    signed((tx) => (tx.extra = Buffer.alloc(1_000_000))),
  ),
  // versions and types
  refused('version 1 with RingCT inputs', 'overspend', (builder) => versionOne(builder, 0n)),
  refused(
    'version 1 with inputs of an amount that no output has',
    ['ring-member-missing', 'ring-size', 'tx-version'],
    (builder) => versionOne(builder, 3_000_000_000_000n),
  ),
  refused(
    'RingCT type null',
    ['out-pk-count', 'rct-type'],
    signed((tx) => setType(tx, 0)),
  ),
  refused('the RingCT type before the fork', 'rct-type', olderType),
  // inputs and outputs
  refused('no inputs', ['no-inputs', 'bad-tx-blob'], (builder) =>
    builder.blockWith(
      builder.broken((tx) => {
        tx.inputs = [];
        delete tx.ringct;
      }),
    ),
  ),
  refused('a miner input', 'input-type', (builder) =>
    builder.blockWith(
      builder.broken((tx) => {
        tx.inputs = [{ kind: 'gen', height: BigInt(builder.height) }];
        // The first input, which has no ring, determines the layout of the signatures.
        tx.ringct?.signatures.forEach((signature) => signature.s.splice(1));
      }),
    ),
  ),
  refused(
    'a miner input next to a key input',
    'bad-tx-blob',
    signed((tx, builder) => (tx.inputs[1] = { kind: 'gen', height: BigInt(builder.height) }), {
      inputCount: 2,
    }),
  ),
  refused(
    'an output key that is not a point',
    'output-key',
    signed((tx) => eachOutput(tx, (output) => (output.key = NOT_A_POINT))),
  ),
  refused(
    'an output key in a longer encoding',
    'output-key',
    signed((tx) => eachOutput(tx, (output) => (output.key = LONG_IDENTITY))),
  ),
  refused(
    'an output with an open amount',
    'output-amount',
    signed((tx) => eachOutput(tx, (output) => (output.amount = 1n))),
  ),
  refused(
    'outputs without view tag',
    'output-type',
    signed((tx) => eachOutput(tx, (output) => delete output.viewTag)),
  ),
  refused(
    'one output of two without view tag',
    'output-type',
    signed((tx) => delete tx.outputs[1]?.viewTag),
  ),
  refused('a single output', 'too-few-outputs', (builder) => {
    const spent = builder.owned[0];
    if (spent === undefined) throw new Error('nothing to spend');
    const [only] = twoOutputs(2n * (spent.amount - FEE));
    return builder.blockWith(
      builder.signed(undefined, only === undefined ? {} : { outputs: [only] }),
    );
  }),
  // key images
  refused(
    'the same input twice',
    'duplicate-key-image',
    signed(
      (tx) => {
        const [first] = tx.inputs;
        if (first !== undefined) tx.inputs[1] = first;
      },
      { inputCount: 2 },
    ),
  ),
  ...(
    [
      ['not a point', NOT_A_POINT, 'key-image-encoding'],
      ['the neutral element', IDENTITY, 'bad-key-image'],
      ['the neutral element in a longer encoding', LONG_IDENTITY, 'key-image-encoding'],
      ['of order 8', ORDER_8, 'bad-key-image'],
    ] as const
  ).map(([what, keyImage, code]) =>
    refused(
      `a key image: ${what}`,
      code,
      signed((tx) => (firstKeyInput(tx).keyImage = keyImage)),
    ),
  ),
  refused(
    'a key image with torsion',
    'bad-key-image',
    signed((tx) => (firstKeyInput(tx).keyImage = withTorsion(firstKeyInput(tx).keyImage))),
  ),
  refused(
    'a ring member twice in a row',
    'duplicate-ring-member',
    signed((tx) => (firstKeyInput(tx).offsets[5] = 0n)),
  ),
];

function setType(tx: LooseTransaction, type: number): void {
  if (tx.ringct !== undefined) tx.ringct.type = type;
}

/** Returns a version 1 transaction, which has open amounts and a signature of 64 bytes per ring member. */
function versionOne(builder: ChainBuilder, amount: bigint): Bundle {
  const tx = builder.signed();
  tx.version = 1n;
  const input = firstKeyInput(tx);
  input.amount = amount;
  tx.outputs = tx.outputs.slice(0, 1).map((output) => ({ ...output, amount: 2_000_000_000_000n }));
  delete tx.ringct;
  const signatures = input.offsets.flatMap(() => [randomBytes(), randomBytes()]);
  return listed(builder, Buffer.concat([encodeLoose(tx), ...signatures]));
}

/** Returns the transaction with RingCT type 5, whose Bulletproof has other fields in another order. */
function olderType(builder: ChainBuilder): Bundle {
  const tx = builder.signed((draft) => setType(draft, 5));
  const rct = tx.ringct;
  const proof = rct?.rangeProofs[0];
  if (rct === undefined || proof === undefined) throw new Error('no proof');
  const { A, A1, B, r1, s1, d1, L, R } = proof;
  const keys = (list: Buffer[]): Buffer => Buffer.concat([varint(list.length), ...list]);
  const bulletproof = Buffer.concat([...[A, A1, B, A, r1, s1], keys(L), keys(R), ...[r1, s1, d1]]);
  const base = Buffer.concat([
    Buffer.from([5]),
    varint(rct.fee),
    ...rct.encryptedAmounts,
    ...rct.commitments,
  ]);
  const signatures = rct.signatures.flatMap((each) => [...each.s, each.c1, each.D]);
  const prunable = Buffer.concat([varint(1), bulletproof, ...signatures, ...rct.pseudoOuts]);
  return listedParts(builder, tx, base, prunable);
}

/** Returns a block with a version 1 transaction, whose id is the hash of all its bytes. */
function listed(builder: ChainBuilder, blob: Buffer): Bundle {
  const { block } = builder.block({ edit: (made) => (made.txHashes = [keccakOf(blob)]) });
  return { block, txs: [blob] };
}

function listedParts(
  builder: ChainBuilder,
  tx: LooseTransaction,
  base: Buffer,
  prunable: Buffer,
): Bundle {
  const prefix = prefixBytes(tx);
  const id = keccakOf(keccakOf(prefix), keccakOf(base), keccakOf(prunable));
  const { block } = builder.block({ fees: FEE, edit: (made) => (made.txHashes = [id]) });
  return { block, txs: [Buffer.concat([prefix, base, prunable])] };
}
