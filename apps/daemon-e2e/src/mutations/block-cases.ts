import { longVarint, varint } from '../chain/bytes.ts';
import { transactionId } from '../chain/block.ts';
import { parseLoose, type LooseTransaction } from '../chain/transaction.ts';
import { accepted, refused, type MutationCase } from './mutation-case.ts';
import { FEE, type Bundle, type ChainBuilder } from './chain-builder.ts';

const TWO_HOURS = 7200;
const WINDOW = 60;

const seconds = (): bigint => BigInt(Math.floor(Date.now() / 1000));

/** Returns the median of the timestamps with which a new block is compared. */
function medianTimestamp(builder: ChainBuilder): bigint {
  const sorted = builder.timestamps.slice(-WINDOW).toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const [low = 0n, high = 0n] = sorted.slice(WINDOW / 2 - 1, WINDOW / 2 + 1);
  return (low + high) / 2n;
}

const bytes = (builder: ChainBuilder, change: (block: Buffer) => Buffer): Bundle => {
  const bundle = builder.block();
  return { ...bundle, block: change(bundle.block) };
};

/** Cases about the header and encoding of a block. */
export const BLOCK_CASES: readonly MutationCase[] = [
  accepted('the unchanged block', (builder) => builder.block()),
  accepted('any nonce, at difficulty 1', (builder) =>
    builder.block({ edit: (block) => (block.nonce = 0xdeadbeef) }),
  ),
  accepted('a vote for a later version', (builder) =>
    builder.block({ edit: (block) => (block.minor = 17n) }),
  ),
  accepted('a timestamp equal to the median', (builder) =>
    builder.block({ edit: (block) => (block.timestamp = medianTimestamp(builder)) }),
  ),
  refused('major version below the fork', 'wrong-version', (builder) =>
    builder.block({ edit: (block) => (block.major = 15n) }),
  ),
  refused('major version above the fork', 'wrong-version', (builder) =>
    builder.block({ edit: (block) => (block.major = 17n) }),
  ),
  refused('a vote below the version', 'wrong-version', (builder) =>
    builder.block({ edit: (block) => (block.minor = 15n) }),
  ),
  refused('a vote of 0', 'wrong-version', (builder) =>
    builder.block({ edit: (block) => (block.minor = 0n) }),
  ),
  refused('a timestamp over two hours ahead', 'timestamp-too-new', (builder) =>
    builder.block({ edit: (block) => (block.timestamp = seconds() + BigInt(TWO_HOURS + 60)) }),
  ),
  refused('a timestamp below the median', 'timestamp-too-old', (builder) =>
    builder.block({ edit: (block) => (block.timestamp = medianTimestamp(builder) - 1n) }),
  ),
  {
    name: 'an unknown parent',
    verdict: 'orphan',
    make: (builder) => builder.block({ edit: (block) => (block.prevId = Buffer.alloc(32, 0xab)) }),
  },
  refused('an additional byte', 'bad-block-blob', (builder) =>
    bytes(builder, (block) => Buffer.concat([block, Buffer.from([0])])),
  ),
  accepted(
    'a transaction count whose last byte announces another one: a quirk of upstream varints',
    (builder) =>
      bytes(builder, (block) => Buffer.concat([block.subarray(0, -1), Buffer.from([0x80])])),
  ),
  refused(
    'no transaction count',
    'bad-block-blob',
    (builder) => bytes(builder, (block) => Buffer.from(block.subarray(0, -1))),
    'monerod 0.18.0 reads an absent count as 0; later versions reject it',
  ),
  refused('cut off in the miner transaction', 'bad-block-blob', (builder) =>
    bytes(builder, (block) => Buffer.from(block.subarray(0, -20))),
  ),
  refused('nothing', 'bad-block-blob', (builder) => bytes(builder, () => Buffer.alloc(0))),
  refused('a version number with a superfluous zero group', 'bad-block-blob', (builder) =>
    bytes(builder, (block) => Buffer.concat([longVarint(16), block.subarray(1)])),
  ),
  refused('a transaction count with a superfluous zero group', 'bad-block-blob', (builder) =>
    bytes(builder, (block) => Buffer.concat([block.subarray(0, -1), longVarint(0)])),
  ),
  refused('a transaction count without the hashes', 'bad-block-blob', (builder) =>
    bytes(builder, (block) => Buffer.concat([block.subarray(0, -1), varint(0x10000000)])),
  ),
  refused('bytes beyond twice the median', 'block-blob-too-big', (builder) =>
    builder.block({ edit: (block) => (block.minerTx.extra = Buffer.alloc(600_200)) }),
  ),
  refused('weight beyond twice the median, bytes within the leeway', 'block-too-big', (builder) => {
    const spare =
      600_090 -
      builder.block({ edit: (block) => (block.minerTx.extra = Buffer.alloc(100_000)) }).block
        .length;
    return builder.block({
      edit: (block) => (block.minerTx.extra = Buffer.alloc(100_000 + spare)),
    });
  }),
];

/** Cases about the transactions that a block lists. */
export const CONTENT_CASES: readonly MutationCase[] = [
  accepted('one transaction', (builder) => builder.blockWith(builder.signed())),
  accepted('a fee of 0: no rule of blocks asks for one', (builder) =>
    builder.blockWith(builder.signed(undefined, { fee: 0n })),
  ),
  {
    name: 'a listed transaction that does not exist',
    verdict: 'missing-txs',
    make: (builder) =>
      builder.block({ edit: (block) => block.txHashes.push(Buffer.alloc(32, 0xcd)) }),
    notAsked: 'monerod asks for the transaction instead of judging the block',
  },
  {
    name: 'a listed transaction that is not sent with the block',
    verdict: 'missing-txs',
    make: (builder) => ({ ...builder.blockWith(builder.signed()), txs: [] }),
    notAsked: 'monerod asks for the transaction instead of judging the block',
  },
  {
    ...refused('a transaction listed twice', 'duplicate-tx', (builder) => {
      const { txs } = builder.blockWith(builder.signed());
      const ids = txs.map((blob) => transactionId(parseLoose(blob)));
      const { block } = builder.block({
        fees: 2n * FEE,
        edit: (made) => (made.txHashes = [...ids, ...ids]),
      });
      return { block, txs };
    }),
    monerodKeepsPeer: 'it takes the second one for missing and asks for it',
  },
  refused('a transaction that is in the chain already', 'duplicate-tx', (builder) =>
    builder.blockWith(builder.plain.tx),
  ),
  refused('two transactions that spend the same output', 'double-spend', (builder) =>
    builder.block({ txs: [builder.signed(), builder.signed(undefined, { fee: 2n * FEE })] }),
  ),
  refused('an output spent in an earlier block', 'double-spend', (builder) =>
    builder.blockWith(builder.signed(undefined, { inputs: [builder.input(builder.spent)] })),
  ),
  refused('fees that the miner does not take', 'miner-tx-amount', (builder) =>
    builder.block({ txs: [builder.signed()], fees: 0n }),
  ),
  refused('fees that nobody paid', 'miner-tx-amount', (builder) => builder.block({ fees: 1n })),
  accepted('a block beyond the median with the smaller reward', (builder) =>
    builder.block({ txs: heavy(builder, 3) }),
  ),
  refused('a block beyond the median with the full reward', 'miner-tx-amount', (builder) =>
    builder.block({
      txs: heavy(builder, 3),
      edit: (block) => {
        const output = block.minerTx.outputs[0];
        if (output !== undefined) output.amount = builder.reward() + 3n * FEE;
      },
    }),
  ),
  refused('a block of over twice the median', 'block-too-big', (builder) =>
    builder.block({ txs: heavy(builder, 5) }),
  ),
  {
    ...accepted('a transaction sent along that the block does not list', (builder) => {
      const bundle = builder.block();
      return { ...bundle, txs: builder.blockWith(builder.signed()).txs };
    }),
    notAsked: 'monerod drops the peer for it; the block itself is right',
  },
];

/** Returns transactions of nearly the largest weight, each spending a different output. */
function heavy(builder: ChainBuilder, count: number): LooseTransaction[] {
  return builder.owned.slice(0, count).map((owned) =>
    builder.signed(
      (tx) => {
        tx.extra = Buffer.alloc(146_000, 0xee);
      },
      { inputs: [builder.input(owned)] },
    ),
  );
}
