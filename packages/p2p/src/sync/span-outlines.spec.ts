import { jest } from '@jest/globals';
import { EASY, SpendableChain, startTestChain } from '@monero-node/blockchain/testing';
import type { AddBlockResult } from '@monero-node/blockchain';
import {
  OutlinedTransactions,
  outlineTransactions,
  parseTransaction,
  type ParsedTransaction,
  type TransactionBytes,
  type TransactionOutliner,
} from '@monero-node/codec';
import { addReceived } from './add-received.ts';
import { MOST_WAIT_MS, withOutlines } from './span-outlines.ts';
import type { ReceivedBlock } from './span-queue.ts';

const made = new SpendableChain(EASY);
made.mineMany(90);
const FIRST = made.blocks.length;
for (let i = 0; i < 4; i++) made.mine([0, 1, 2, 3, 4, 5].map((at) => made.spend([3 + 6 * i + at])));
const spending = made.blocks.slice(FIRST);
const span: ReceivedBlock[] = spending.map(({ parsed, txs }) => ({
  block: parsed,
  txs: txs.map(({ blob }) => blob),
}));

/** Outlines at once, on this thread. */
class TestOutliner implements TransactionOutliner {
  readonly outlined: number[] = [];
  failure: Error | undefined;

  async outline(txs: readonly TransactionBytes[]): Promise<OutlinedTransactions> {
    this.outlined.push(txs.length);
    if (this.failure !== undefined) throw this.failure;
    return new OutlinedTransactions(outlineTransactions(txs));
  }

  outlinePackages(): Promise<never> {
    return Promise.reject(new Error('no package was expected'));
  }
}

const ready = () => new Promise((resolve) => setImmediate(resolve));

async function chainBelow(): Promise<Awaited<ReturnType<typeof startTestChain>>> {
  const test = await startTestChain();
  const below = made.blocks.slice(0, FIRST).map(({ parsed }) => ({ block: parsed, txs: [] }));
  await test.chain.addSpan(below, { trust: true });
  return test;
}

/** Returns the span with a damaged transaction in the block at a position. */
function damaged(position: number, change: (blob: Uint8Array) => Uint8Array): ReceivedBlock[] {
  return span.map((block, i) =>
    i === position
      ? { ...block, txs: block.txs.map((tx, j) => (j === 2 ? change(tx) : tx)) }
      : block,
  );
}

test('a span of very many short transactions is left to the thread that verifies it', async () => {
  const outliner = new TestOutliner();
  const [block] = spending.map(({ parsed }) => parsed);
  if (block === undefined) throw new Error('no block');
  const spanOf = (count: number): ReceivedBlock[] => [
    { block, txs: Array.from({ length: count }, () => new Uint8Array(40)) },
  ];
  expect(withOutlines(spanOf(20_000), outliner)[0]?.outlined).toBeDefined();
  expect(withOutlines(spanOf(20_001), outliner)[0]?.outlined).toBeUndefined();
  await ready();
  expect(outliner.outlined).toEqual([20_000]);
});

test('blocks of a span are added with the outlines of their transactions as without', async () => {
  const outliner = new TestOutliner();
  const blocks = withOutlines(span, outliner);
  await ready();
  expect(outliner.outlined).toEqual([24]);
  const [outlined, plain] = [await chainBelow(), await chainBelow()];
  const results = await addReceived(outlined.chain, blocks);
  expect(results).toEqual(await addReceived(plain.chain, span));
  expect(results.map(({ status }) => status)).toEqual(span.map(() => 'added'));
  for (let height = FIRST + 1; height < outlined.chain.height; height++)
    expect(outlined.store.blockTxs(height)).toEqual(plain.store.blockTxs(height));
});

const DAMAGES: readonly [string, (blob: Uint8Array) => Uint8Array][] = [
  ['is cut off', (blob) => blob.subarray(0, blob.length - 1)],
  ['has a byte more', (blob) => Uint8Array.of(...blob, 0)],
  ['does not decode', (blob) => blob.map((byte, i) => (i === 0 ? 9 : byte))],
  ['has another key image', (blob) => blob.map((byte, i) => (i === 60 ? byte ^ 1 : byte))],
  [
    'has another signature',
    (blob) => blob.map((byte, i) => (i === blob.length - 100 ? byte ^ 1 : byte)),
  ],
  ['is too large', () => new Uint8Array(1_000_001)],
];

describe.each(DAMAGES)('when a transaction %s', (_, change) => {
  test('its block is refused for the same reason, and those before it are stored', async () => {
    for (const position of span.keys()) {
      const bad = damaged(position, change);
      const blocks = withOutlines(bad, new TestOutliner());
      await ready();
      const [outlined, plain] = [await chainBelow(), await chainBelow()];
      const results: AddBlockResult[] = await addReceived(outlined.chain, blocks);
      expect(results).toEqual(await addReceived(plain.chain, bad));
      expect(results).toHaveLength(position + 1);
      expect(results.at(-1)?.status).not.toBe('added');
      expect(outlined.chain.height).toBe(FIRST + 1 + position);
    }
  });
});

test('a block with a wrong signature is refused with the outlines of its span, and those before it are stored', async () => {
  const other = new SpendableChain(EASY);
  other.mineMany(FIRST);
  const spends = (i: number) => [0, 1, 2, 3, 4, 5, 6, 7].map((at) => other.spend([3 + 8 * i + at]));
  other.mine(spends(0));
  other.mine(spends(1));
  const wrong = spends(2);
  const blob = (wrong[3] as ParsedTransaction).blob.slice();
  blob[blob.length - 200] = (blob[blob.length - 200] as number) ^ 1;
  wrong[3] = parseTransaction(blob);
  other.mine(wrong);
  other.mine();
  const blocks = withOutlines(
    other.blocks.map(({ parsed, txs }) => ({ block: parsed, txs: txs.map((tx) => tx.blob) })),
    new TestOutliner(),
  );
  await ready();
  const { chain } = await startTestChain();
  const results = await addReceived(chain, blocks);
  expect(results).toHaveLength(FIRST + 3);
  expect(results.at(-1)).toMatchObject({
    status: 'invalid',
    error: { code: 'bad-ring-signature' },
  });
  expect(chain.height).toBe(FIRST + 3);
});

test('blocks are parsed without outlines that are not ready, which nobody makes any more', async () => {
  const signals: (AbortSignal | undefined)[] = [];
  const outline = (_: unknown, signal?: AbortSignal): Promise<never> => {
    signals.push(signal);
    return new Promise(() => undefined);
  };
  const blocks = withOutlines(span, { outline, outlinePackages: outline });
  expect(signals[0]?.aborted).toBe(false);
  const { chain } = await chainBelow();
  const results = await addReceived(chain, blocks);
  expect(results.map(({ status }) => status)).toEqual(span.map(() => 'added'));
  expect(signals.map((signal) => signal?.aborted)).toEqual([true]);
});

test('whoever asks whether outlines are being made leaves them, and they can be taken again', async () => {
  const outliner = new TestOutliner();
  const [block] = withOutlines(span, outliner);
  expect(block?.isOutlining?.()).toBe(true);
  await ready();
  expect(block?.isOutlining?.()).toBe(false);
  const outlined = block?.outlined?.();
  expect(outlined).toBeDefined();
  expect(block?.outlined?.()).toEqual(outlined);
  outliner.failure = new Error('the thread has ended');
  const [other] = withOutlines(span, outliner);
  await ready();
  expect(other?.isOutlining?.()).toBe(false);
});

describe('whoever waits for outlines', () => {
  test.each([
    ['are ready', undefined],
    ['will not come', new Error('the thread has ended')],
  ])('goes on when they %s', async (_, failure) => {
    const outliner = new TestOutliner();
    outliner.failure = failure;
    const [block] = withOutlines(span, outliner);
    expect(block?.isOutlining?.()).toBe(true);
    await block?.whenOutlined?.();
    expect(block?.isOutlining?.()).toBe(false);
    expect(block?.outlined?.() === undefined).toBe(failure !== undefined);
  });

  test('goes on without those of a thread that is stuck', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick'] });
    try {
      const never = () => new Promise<never>(() => undefined);
      const [block] = withOutlines(span, { outline: never, outlinePackages: never });
      let goesOn = false;
      const waiting = block?.whenOutlined?.().then(() => (goesOn = true));
      await jest.advanceTimersByTimeAsync(MOST_WAIT_MS - 1);
      expect(goesOn).toBe(false);
      await jest.advanceTimersByTimeAsync(1);
      await waiting;
      expect(goesOn).toBe(true);
      expect(jest.getTimerCount()).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });
});

test('blocks are parsed without outlines when the thread fails', async () => {
  const outliner = new TestOutliner();
  outliner.failure = new Error('the thread has ended');
  const blocks = withOutlines(span, outliner);
  await ready();
  const { chain } = await chainBelow();
  expect((await addReceived(chain, blocks)).map(({ status }) => status)).toEqual(
    span.map(() => 'added'),
  );
});

test('few transactions are not handed to a thread', () => {
  const outliner = new TestOutliner();
  const few = span.slice(0, 1).map((block) => ({ ...block, txs: block.txs.slice(0, 3) }));
  expect(withOutlines(few, outliner)).toBe(few);
  expect(withOutlines(span, undefined)).toBe(span);
  expect(outliner.outlined).toEqual([]);
});

test('outlines of pruned transactions are those of their base forms', async () => {
  const [{ txs } = { txs: [] }] = spending;
  const pruned = span.map((block, i) => ({
    ...block,
    txs: (spending[i]?.txs ?? []).map((tx) => tx.blob.subarray(0, tx.unprunedSize)),
    prunableHashes: (spending[i]?.txs ?? []).map((tx) => tx.prunableHash),
  }));
  const big = Array.from({ length: 12 }, () => pruned).flat();
  const blocks = withOutlines(big, new TestOutliner());
  await ready();
  const outlined = blocks[0]?.outlined?.();
  const found = pruned[0]?.txs.map((blob, i) =>
    outlined?.of.at(i, { blob, prunableHash: pruned[0]?.prunableHashes[i] }),
  );
  expect(found?.map((tx) => tx?.id)).toEqual(txs.map(({ id }: ParsedTransaction) => id));
});
