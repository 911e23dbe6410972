import { encodeBlock, parseBlock, type ParsedBlock } from '@monero-node/codec';
import type { BlockMeta, BlockRecord } from '@monero-node/storage';
import { SpendableChain } from '../testing/spendable-chain.ts';
import { EASY } from '../testing/test-chain.ts';
import type { CompleteBlock } from '../types.ts';
import { blockRecordSteps } from './block-record.ts';
import { completeBlock } from './match-transactions.ts';

const made = new SpendableChain(EASY);
made.mineMany(80);
const [plain, spending] = [made.mine(), made.mine([made.spend([3]), made.spend([4, 5])])];
const META: BlockMeta = {
  ...{ height: 1, id: new Uint8Array(32), timestamp: 0, weight: 0, longTermWeight: 0 },
  ...{ cumulativeDifficulty: 1n, generatedCoins: 0n, cumulativeTxCount: 0 },
  ...{ cumulativeRctOutputs: 0, majorVersion: 16, minorVersion: 16 },
};

/** Takes the place of a commitment: 32 bytes that tell the amount. */
function commitmentOf(amount: bigint): Uint8Array {
  const bytes = new Uint8Array(32);
  new DataView(bytes.buffer).setBigUint64(0, amount);
  return bytes;
}

/** Returns the record, how often its making paused, and the most commitments that were computed between two pauses. */
function recordOf(bundle: CompleteBlock): { record: BlockRecord; pauses: number; most: number } {
  let [pauses, most, computed] = [0, 0, 0];
  const steps = blockRecordSteps(bundle, META, (amount) => {
    most = Math.max(most, ++computed);
    return commitmentOf(amount);
  });
  for (;;) {
    const step = steps.next();
    if (step.done === true) return { record: step.value, pauses, most };
    pauses++;
    computed = 0;
  }
}

/** Returns a block like another whose coinbase has so many outputs, of the amounts 1, 2, 3 and so on. */
function withOutputs({ block }: ParsedBlock, count: number): ParsedBlock {
  const [output] = block.minerTx.outputs;
  if (output === undefined) throw new Error('a coinbase without outputs');
  const outputs = Array.from({ length: count }, (_, i) => ({ ...output, amount: BigInt(i + 1) }));
  return parseBlock(encodeBlock({ ...block, minerTx: { ...block.minerTx, outputs } }));
}

test('a block with few parts is recorded without a pause, and has empty arrays of what it lacks', () => {
  const { record, pauses } = recordOf(completeBlock(plain.parsed, []));
  expect(pauses).toBe(0);
  expect(record.keyImages).toEqual(new Uint8Array());
  const [output] = plain.parsed.block.minerTx.outputs;
  expect(record.outputs.commitments).toEqual(commitmentOf(output?.amount ?? 0n));
});

test('outputs and key images are those of the transactions, in their order', () => {
  const { parsed, txs } = spending;
  const { record } = recordOf(completeBlock(parsed, txs));
  const all = [parsed.minerTx, ...txs];
  expect([...record.outputs.counts]).toEqual(all.map(({ tx }) => tx.outputs.length));
  const keys = all.flatMap(({ parts }) =>
    Array.from({ length: parts.outputCount }, (_, i) => Buffer.from(parts.outputKey(i) ?? [])),
  );
  expect(Buffer.from(record.outputs.keys)).toEqual(Buffer.concat(keys));
  const images = txs.flatMap(({ parts }) =>
    Array.from({ length: parts.keyImageCount }, (_, i) => Buffer.from(parts.keyImage(i))),
  );
  expect(images.length).toBe(3);
  expect(Buffer.from(record.keyImages)).toEqual(Buffer.concat(images));
});

test('few commitments of a large coinbase are computed between two pauses', () => {
  const block = withOutputs(plain.parsed, 1001);
  const { record, pauses, most } = recordOf(completeBlock(block, []));
  expect(most).toBeLessThanOrEqual(4);
  expect(pauses).toBeGreaterThanOrEqual(250);
  const expected = Array.from({ length: 1001 }, (_, i) => Buffer.from(commitmentOf(BigInt(i + 1))));
  expect(Buffer.from(record.outputs.commitments)).toEqual(Buffer.concat(expected));
  expect([...record.outputs.counts]).toEqual([1001]);
});
