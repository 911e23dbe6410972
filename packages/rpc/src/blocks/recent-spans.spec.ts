import { Yielder } from '@monero-node/base';
import { concatBytes } from '@monero-node/codec';
import { CountedList, RenderedList } from '@monero-node/codec/portable-storage';
import type { RpcChain } from '../dependencies.ts';
import { RecentEntries } from './recent-entries.ts';
import { RecentSpans, type RenderedSpan, type SpanRequest } from './recent-spans.ts';

const PARTS = { prune: true, withoutMinerTx: false };
const LIMITS = { blocks: 1000, transactions: 20_000, bytes: 100 * 1024 * 1024 };
const requestFrom = (from: number, other: Partial<SpanRequest> = {}): SpanRequest => ({
  from,
  limits: LIMITS,
  parts: PARTS,
  ...other,
});

interface ChainOptions {
  readonly height?: number;
  /** Bytes of each block. */
  readonly size?: number;
}

/** A chain of which the blocks repeat one byte; `replaceTop` makes it another one. */
class TestChain {
  height: number;
  topId = Uint8Array.of(1);
  reads = 0;
  /** Called before each block is read. */
  onRead: () => void = () => undefined;
  #content = 1;
  readonly #size: number;
  readonly #idOf = (height: number) => Uint8Array.of(this.#content, height & 255, height >> 8);

  constructor({ height = 3000, size = 5 }: ChainOptions = {}) {
    this.height = height;
    this.#size = size;
  }

  readonly store = {
    blockMeta: (height: number) => ({ id: this.#idOf(height) }),
    blockMetas: (from: number, to: number) =>
      Array.from({ length: Math.min(to, this.height) - from }, (_, i) => ({
        id: this.#idOf(from + i),
      })),
    blockBlob: () => {
      this.reads++;
      this.onRead();
      return new Uint8Array(this.#size).fill(this.#content);
    },
    blockTxs: () => [
      { id: new Uint8Array(32), pruned: Uint8Array.of(9), prunable: new Uint8Array(0) },
    ],
    outputIndices: () => [5, 6],
  };

  replaceTop(): void {
    this.#content++;
    this.topId = Uint8Array.of(this.#content);
  }

  get rpc(): RpcChain {
    return this as unknown as RpcChain;
  }
}

/** Returns what the span must have, block by block. */
function expected(chain: TestChain, { from, parts }: SpanRequest, count: number) {
  const entries = new RecentEntries(chain.rpc);
  const blocks = Array.from({ length: count }, (_, i) => {
    const block = entries.read(from + i, chain.store.blockMeta(from + i).id, parts);
    if (block === undefined) throw new Error('no block');
    return block;
  });
  return {
    blocks: new RenderedList(count, concatBytes(...blocks.map(({ entry }) => entry.bytes))),
    indices: new RenderedList(count, concatBytes(...blocks.map(({ indices }) => indices.bytes))),
  };
}

/** Returns how many blocks a span has, and their bytes and those of their indices. */
function bytesOf({ blocks, indices }: Pick<RenderedSpan, 'blocks' | 'indices'>) {
  return [blocks, indices].map((list) => {
    if (list instanceof RenderedList) return [list.length, Buffer.from(list.bytes)];
    if (list instanceof CountedList) throw new Error('a short span has all its blocks ready');
    return [list.length, Buffer.concat(list.map(({ bytes }) => bytes))];
  });
}

test('a short span at the top is read once and returned in one piece until the chain changes', async () => {
  const chain = new TestChain();
  const spans = new RecentSpans(chain.rpc);
  const read = () => spans.read(requestFrom(2990), new Yielder());
  const first = await read();
  expect(chain.reads).toBe(10);
  expect(first).toMatchObject(expected(chain, requestFrom(2990), 10));
  const { blocks, indices } = first as Record<'blocks' | 'indices', RenderedList>;
  expect(first.keptBytes).toBe(blocks.bytes.length + indices.bytes.length);
  expect(await read()).toEqual(first);
  expect((await read()).blocks).toBe(blocks);
  chain.replaceTop();
  const now = await read();
  expect(now).not.toEqual(first);
  expect(now).toMatchObject(expected(chain, requestFrom(2990), 10));
});

test('spans that differ in where they begin, how long they may be or what is wanted are apart', async () => {
  const chain = new TestChain();
  const spans = new RecentSpans(chain.rpc);
  const requests = [
    requestFrom(2990),
    requestFrom(2991),
    requestFrom(2990, { limits: { ...LIMITS, blocks: 3 } }),
    requestFrom(2990, { limits: { ...LIMITS, bytes: 20 } }),
    requestFrom(2990, { limits: { ...LIMITS, transactions: 5 } }),
    requestFrom(2990, { parts: { ...PARTS, withoutMinerTx: true } }),
    requestFrom(2990, { parts: { ...PARTS, prune: false } }),
  ];
  for (const request of [...requests, ...requests]) {
    const { blocks, bytes, transactions } = request.limits;
    // Each block has five bytes and one transaction.
    const count = Math.min(blocks, bytes / 5, transactions, chain.height - request.from);
    const span = await spans.read(request, new Yielder());
    expect(bytesOf(span)).toEqual(bytesOf(expected(chain, request, count)));
  }
});

test('a span is not kept when the chain changed while it was read', async () => {
  const chain = new TestChain();
  const spans = new RecentSpans(chain.rpc);
  chain.onRead = () => {
    chain.onRead = () => undefined;
    chain.topId = Uint8Array.of(77);
  };
  const span = await spans.read(requestFrom(2990), new Yielder());
  expect(span.blocks).toHaveLength(10);
  expect(span.blocks).not.toBeInstanceOf(RenderedList);
  expect((await spans.read(requestFrom(2990), new Yielder())).blocks).toBeInstanceOf(RenderedList);
});

test('a span that ended early, because the chain was another one for a while, is not kept', async () => {
  const chain = new TestChain();
  const spans = new RecentSpans(chain.rpc);
  const { blockBlob } = chain.store;
  // As `readSpan` sees a block that is not there any more.
  const store = {
    ...chain.store,
    blockBlob: () => (chain.reads === 4 ? undefined : blockBlob()),
  };
  Object.assign(chain, { store });
  expect((await spans.read(requestFrom(2990), new Yielder())).blocks).toHaveLength(4);
  store.blockBlob = blockBlob;
  expect((await spans.read(requestFrom(2990), new Yielder())).blocks).toHaveLength(10);
});

test('old and long spans are not kept; what they keep until they are sent is counted', async () => {
  const old = new TestChain();
  const spans = new RecentSpans(old.rpc);
  const request = requestFrom(500, { limits: { ...LIMITS, blocks: 7 } });
  const { blocks, indices, keptBytes } = await spans.read(request, new Yielder());
  expect(blocks).not.toBeInstanceOf(RenderedList);
  expect(indices).not.toBeInstanceOf(RenderedList);
  const each = expected(old, request, 7);
  expect(blocks).toHaveLength(7);
  expect(keptBytes).toBe(7 * 5 + each.indices.bytes.length);
  const long = new TestChain({ size: 300_000 });
  const four = await new RecentSpans(long.rpc).read(requestFrom(2996), new Yielder());
  expect(four.blocks).not.toBeInstanceOf(RenderedList);
});
