import { createTestRandom } from '@monero-node/crypto/testing';
import { varint } from '../chain/bytes.ts';
import { encodeLoose, type LooseTransaction } from '../chain/transaction.ts';
import { FEE, type ChainBuilder } from './chain-builder.ts';
import { NOT_A_POINT } from './points.ts';

/** A transaction or block to hand to a node, after the transactions that are to be in its pool. */
export interface Submission {
  readonly name: string;
  readonly before?: readonly Buffer[];
  readonly blob: Buffer;
}

/** A fee that is enough for any of the transactions, atomic units. */
const ENOUGH = 1_000n * FEE;

type Change = readonly [what: string, change: (tx: LooseTransaction) => void];

/** Faults of which two at a time show the order of the checks. */
const FAULTS: readonly Change[] = [
  ['an unlock time', (tx) => (tx.unlockTime = 7n)],
  ['a large extra', (tx) => (tx.extra = Buffer.alloc(1061))],
  ['a fee too low', (tx) => tx.ringct && (tx.ringct.fee = 1n)],
  ['a bad range proof', (tx) => tx.ringct?.rangeProofs[0]?.r1.fill(1)],
  ['an output key that is no point', (tx) => tx.outputs[0] && (tx.outputs[0].key = NOT_A_POINT)],
  ['a commitment that is no point', (tx) => tx.ringct && (tx.ringct.commitments[0] = NOT_A_POINT)],
  ['an older RingCT output', (tx) => delete tx.outputs[0]?.viewTag],
  [
    'a key image that is no point',
    (tx) => tx.inputs[0]?.kind === 'key' && (tx.inputs[0].keyImage = NOT_A_POINT),
  ],
  ['a ring of 15', (tx) => tx.inputs[0]?.kind === 'key' && tx.inputs[0].offsets.pop()],
  ['too large', (tx) => (tx.extra = Buffer.alloc(160_000))],
];

/** Returns transactions that break two rules each, alone and beside one in the pool that spends the same. */
export function severalFaults(builder: ChainBuilder): Submission[] {
  const rival = encodeLoose(builder.signed(undefined, { fee: ENOUGH }));
  return FAULTS.flatMap(([first, breakOne], i) => [
    {
      name: `${first}, beside a double spend in the pool`,
      before: [rival],
      blob: encodeLoose(builder.signed(breakOne, { fee: 2n * ENOUGH })),
    },
    ...FAULTS.slice(i + 1).map(([second, breakOther]): Submission => ({
      name: `${first} and ${second}`,
      blob: encodeLoose(
        builder.signed(
          (tx) => {
            breakOne(tx);
            breakOther(tx);
          },
          { fee: ENOUGH },
        ),
      ),
    })),
  ]);
}

const bytes = (...parts: (number | Buffer)[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'number' ? Buffer.from([part]) : part)));
const HASH = Buffer.alloc(32, 9);
const NO_SCRIPT = 0;
const INPUTS: readonly (readonly [name: string, bytes: Buffer, signature: Buffer])[] = [
  ['gen', bytes(0xff, 5), bytes()],
  ['script', bytes(0, HASH, 1, NO_SCRIPT), bytes()],
  ['scripthash', bytes(1, HASH, 1, NO_SCRIPT, NO_SCRIPT, NO_SCRIPT), bytes()],
  ['key', bytes(2, 0, 1, 3, HASH), Buffer.alloc(64)],
  ['key without ring', bytes(2, 0, 0, HASH), bytes()],
  ['gen of a huge height', bytes(0xff, varint(2n ** 63n)), bytes()],
];
const OUTPUTS: readonly (readonly [name: string, bytes: Buffer])[] = [
  ['script', bytes(1, 0, 0, NO_SCRIPT)],
  ['scripthash', bytes(1, 1, HASH)],
  ['key', bytes(1, 2, HASH)],
  ['tagged key', bytes(1, 3, HASH, 4)],
];

/** Returns small transactions of both versions with inputs and outputs of every type. */
export function oddInputs(): Submission[] {
  const [, , key] = OUTPUTS;
  if (key === undefined) throw new Error('no key output');
  const shapes = [
    ...INPUTS.flatMap((one) => [[one], ...INPUTS.map((other) => [one, other])]).map((inputs) => ({
      inputs,
      outputs: [key],
    })),
    ...OUTPUTS.flatMap((one) => [[one], ...OUTPUTS.map((other) => [one, other])]).map(
      (outputs) => ({ inputs: INPUTS.slice(0, 1), outputs }),
    ),
    { inputs: [], outputs: [key] },
    { inputs: INPUTS.slice(0, 1), outputs: [] },
  ];
  return [1, 2].flatMap((version) =>
    shapes.map(({ inputs, outputs }) => ({
      name: `version ${version}, inputs ${inputs.map(([name]) => name).join()}, outputs ${outputs.map(([name]) => name).join()}`,
      blob: bytes(
        ...[version, 0, inputs.length],
        ...inputs.map(([, each]) => each),
        outputs.length,
        ...outputs.map(([, each]) => each),
        0,
        ...(version === 1 ? inputs.map(([, , signature]) => signature) : [0]),
      ),
    })),
  );
}

/** Returns a valid transaction with one byte changed, again and again at other places. */
export function changedBytes(builder: ChainBuilder, count: number): Submission[] {
  const random = createTestRandom('changed bytes of submissions');
  const good = encodeLoose(builder.signed(undefined, { inputCount: 2, fee: ENOUGH }));
  return Array.from({ length: count }, () => {
    const [a = 0, b = 0, c = 0] = random.bytes();
    const blob = Buffer.from(good);
    // Half of the changes are in the prefix, where more rules apply.
    const at = ((a << 8) | b) % (c % 2 === 0 ? blob.length : 250);
    blob[at] = (blob[at] ?? 0) ^ (1 << (c >> 5));
    return { name: `byte ${at} with bit ${c >> 5} changed`, blob };
  });
}

/** Returns blocks with huge timestamps and heights, and blocks that the chain has. */
export function blocksWithOddNumbers(builder: ChainBuilder): Submission[] {
  const huge = [2n ** 31n, 2n ** 32n, 2n ** 53n, 2n ** 63n - 1n, 2n ** 63n, 2n ** 64n - 1n];
  const one = (name: string, edit: Parameters<ChainBuilder['block']>[0]): Submission => ({
    name,
    blob: builder.block(edit).block,
  });
  return [
    ...huge.flatMap((value) => [
      one(`a timestamp of ${value}`, { edit: (block) => (block.timestamp = value) }),
      one(`a height of ${value}`, {
        edit: (block) => (block.minerTx.inputs = [{ kind: 'gen', height: value }]),
      }),
    ]),
    ...[1, 100, builder.height - 1].map((height) => ({
      name: `block ${height} of the chain`,
      blob: builder.blocks[height]?.block ?? Buffer.alloc(0),
    })),
    one('an unknown parent', { edit: (block) => (block.prevId = Buffer.alloc(32, 3)) }),
    one('a listed transaction that nobody has', {
      edit: (block) => block.txHashes.push(Buffer.alloc(32, 5)),
    }),
    one('no inputs', { edit: (block) => (block.minerTx.inputs = []) }),
  ];
}
