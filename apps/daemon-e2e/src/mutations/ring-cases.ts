import { accepted, refused, type MutationCase } from './mutation-case.ts';
import type { Bundle, ChainBuilder } from './chain-builder.ts';
import type { ChainOutput } from './output-table.ts';
import type { OwnedOutput } from './owned-outputs.ts';
import { relativeOffsets, RING_SIZE, type InputPlan } from './spend.ts';

function spendable(builder: ChainBuilder, which = 0): OwnedOutput {
  const owned = builder.owned[which];
  if (owned === undefined) throw new Error('nothing to spend');
  return owned;
}

/** Returns a correctly signed spend of a coinbase. `ring` changes a valid ring. */
const withRing =
  (ring: (good: number[], builder: ChainBuilder, real: number) => number[]) =>
  (builder: ChainBuilder): Bundle => {
    const good = builder.input(spendable(builder));
    const plan: InputPlan = { ...good, ring: ring(good.ring, builder, good.spent.output.index) };
    return builder.blockWith(builder.signed(undefined, { inputs: [plan] }));
  };

/** Returns a ring of the right size, in ascending order, with `output` and the real member. */
function holding(good: number[], output: ChainOutput, real: number): number[] {
  const decoys = good.filter((index) => index !== real && index !== output.index);
  return [...decoys.slice(0, RING_SIZE - 2), real, output.index].sort((a, b) => a - b);
}

/** The output of the newest coinbase, locked for 60 blocks. */
function newestCoinbase(builder: ChainBuilder): ChainOutput {
  const output = builder.table.outputs.findLast((each) => each.coinbase);
  if (output === undefined) throw new Error('no coinbase');
  return output;
}

function first(outputs: readonly OwnedOutput[]): ChainOutput {
  const output = outputs[0]?.output;
  if (output === undefined) throw new Error('no output');
  return output;
}

/** Cases about the members, size and order of rings. */
export const RING_CASES: readonly MutationCase[] = [
  accepted('two inputs', (builder) =>
    builder.blockWith(builder.signed(undefined, { inputCount: 2 })),
  ),
  accepted(
    'a ring member of ten blocks ago, the youngest that may be',
    withRing((good, builder, real) => holding(good, first(builder.plain.outputs), real)),
  ),
  accepted(
    'ring members in descending order, offsets wrapping around',
    withRing((good) => good.toReversed()),
  ),
  accepted(
    'a young ring member that is not the last of its ring',
    withRing((good, builder, real) => {
      const ring = holding(good, first(builder.young.outputs), real);
      return [...ring.slice(-1), ...ring.slice(0, -1)];
    }),
  ),
  accepted(
    'the same ring member twice, not in a row',
    withRing((good, _lab, real) => {
      const decoys = good.filter((index) => index !== real);
      return [real, ...decoys.slice(0, RING_SIZE - 2), decoys[0] ?? 0];
    }),
  ),
  refused('a ring of 15', 'ring-size', (builder) => sized(builder, RING_SIZE - 1)),
  refused('a ring of 17', 'ring-size', (builder) => sized(builder, RING_SIZE + 1)),
  refused('a ring of 11, the size before', 'ring-size', (builder) => sized(builder, 11)),
  refused('a ring of one', 'ring-size', (builder) => sized(builder, 1)),
  refused('rings of 16 and 17', 'ring-size', (builder) =>
    builder.blockWith(
      builder.broken(
        (tx) => {
          const input = tx.inputs[1];
          if (input?.kind === 'key') input.offsets.push(1n);
        },
        { inputCount: 2 },
      ),
    ),
  ),
  refused('no ring', ['ring-size', 'empty-ring', 'bad-tx-blob'], (builder) =>
    builder.blockWith(
      builder.broken((tx) => {
        const input = tx.inputs[0];
        if (input?.kind === 'key') input.offsets = [];
        tx.ringct?.signatures.forEach((signature) => (signature.s = []));
      }),
    ),
  ),
  refused('inputs in the wrong order', 'unsorted-inputs', (builder) =>
    builder.blockWith(
      builder.signed(
        (tx, draft) => {
          tx.inputs.reverse();
          draft.inputs.reverse();
          draft.pseudoMasks.reverse();
          tx.ringct?.pseudoOuts.reverse();
        },
        { inputCount: 2 },
      ),
    ),
  ),
  refused('a ring member that does not exist yet', 'ring-member-missing', (builder) =>
    builder.blockWith(
      builder.signed((tx, draft) => {
        const ring = draft.inputs[0]?.ring.slice(0, -1) ?? [];
        const input = tx.inputs[0];
        if (input?.kind === 'key') input.offsets = relativeOffsets([...ring, builder.table.length]);
      }),
    ),
  ),
  refused(
    'a ring member with an amount that no output has',
    ['ring-member-missing', 'ring-size'],
    (builder) =>
      builder.blockWith(
        builder.signed((tx) => {
          const input = tx.inputs[0];
          if (input?.kind === 'key') input.amount = 1_000_000n;
        }),
      ),
  ),
  refused(
    'a coinbase that is still locked',
    'ring-member-locked',
    withRing((good, builder, real) => holding(good, newestCoinbase(builder), real)),
  ),
  refused(
    'a ring member locked until a height',
    'ring-member-locked',
    withRing((good, builder, real) => holding(good, first(builder.lockedByHeight.outputs), real)),
  ),
  refused(
    'a ring member locked until a time',
    'ring-member-locked',
    withRing((good, builder, real) => holding(good, first(builder.lockedByTime.outputs), real)),
  ),
  refused('a locked output as the real one', 'ring-member-locked', (builder) => {
    const spent = builder.lockedByHeight.outputs[0];
    if (spent === undefined) throw new Error('nothing locked');
    return builder.blockWith(builder.signed(undefined, { inputs: [builder.input(spent)] }));
  }),
  refused(
    'a ring member of the block before',
    'ring-member-too-young',
    withRing((good, builder, real) => holding(good, first(builder.young.outputs), real)),
  ),
  refused('a young output as the real one', 'ring-member-too-young', (builder) => {
    const spent = builder.young.outputs[0];
    if (spent === undefined) throw new Error('nothing young');
    return builder.blockWith(builder.signed(undefined, { inputs: [builder.input(spent)] }));
  }),
  refused('an output made in the same block', 'ring-member-missing', (builder) => {
    const maker = builder.signed();
    const spender = builder.signed(
      (tx, draft) => {
        const ring = draft.inputs[0]?.ring.slice(0, -1) ?? [];
        const input = tx.inputs[0];
        // The block's coinbase takes the next index; the outputs of the first transaction follow.
        if (input?.kind === 'key')
          input.offsets = relativeOffsets([...ring, builder.table.length + 1]);
      },
      { inputs: [builder.input(spendable(builder, 1))] },
    );
    return builder.block({ txs: [maker, spender] });
  }),
];

function sized(builder: ChainBuilder, size: number): Bundle {
  return builder.blockWith(
    builder.signed(undefined, { inputs: [builder.input(spendable(builder), { size })] }),
  );
}
