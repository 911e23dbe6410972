import { RpcAnswerError, RpcConnectionError } from '../errors.ts';
import type { BlockPlace, WatchedClient } from './chain-node.ts';
import { NodeSet } from './node-set.ts';
import type { PoolEvent } from './pool-follower.ts';
import { PoolPayments } from './pool-payments.ts';
import { followed, type WatchTrouble } from './watch-options.ts';

const idOf = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);
const placeOf = (height: number, byte = height): BlockPlace => ({
  height,
  id: byte.toString(16).padStart(2, '0').repeat(32),
});

/** A node with a chain of blocks whose ids repeat a byte, and with key images that the chain has spent. */
class FakeNode {
  /** The bytes of the ids, from height 0. */
  chain: number[];
  isAway = false;
  spent = false;
  /** Changes what is said of key images. */
  change = (states: number[]): number[] => states;
  /** The key images of each question. */
  readonly asked: (readonly string[])[] = [];

  constructor(chain: number[]) {
    this.chain = chain;
  }

  readonly client: WatchedClient = {
    rpc: (method: string, params?: unknown) =>
      this.#answer(
        method === 'get_info'
          ? {
              height: BigInt(this.chain.length),
              top_block_hash: idOf(this.chain.at(-1) ?? 0),
              wide_cumulative_difficulty: `0x${this.chain.length.toString(16)}`,
            }
          : idOf(this.chain[Number((params as bigint[])[0])] ?? 0),
      ),
    path: (_: string, request?: unknown) => {
      const { key_images: images } = request as { readonly key_images: readonly string[] };
      this.asked.push(images);
      return this.#answer({ spent_status: this.change(images.map(() => (this.spent ? 1 : 0))) });
    },
    binary: () => this.#answer({}),
  };

  #answer(answer: unknown): Promise<never> {
    if (this.isAway) return Promise.reject(new RpcConnectionError('away', { code: 'refused' }));
    return Promise.resolve(answer as never);
  }
}

/** Returns the event of a transaction that spends a key image. */
function paying(byte: number): PoolEvent {
  const transaction = {
    id: idOf(byte),
    tx: { unlockTime: 0n, inputs: [{ kind: 'key', keyImage: idOf(byte) }] },
  };
  return { kind: 'added', id: idOf(byte), transaction: transaction as never, receivedAt: 0 };
}

/** Returns a function that looks once, with a block as the last that was followed, at what came into the pool. */
function looking(...nodes: FakeNode[]) {
  const troubles: WatchTrouble[] = [];
  const options = followed({
    client: nodes.map(({ client }) => client),
    interval: 0.001,
    onTrouble: (trouble) => troubles.push(trouble),
  });
  const follower: { top: BlockPlace | undefined } = { top: undefined };
  let events: PoolEvent[] = [];
  const pool = {
    async *look() {
      yield await Promise.resolve(events);
    },
  };
  const scanner = {
    scanBlocks: () => [],
    scan: (transactions: readonly object[]) =>
      transactions.map((transaction) => ({
        transaction: transaction as never,
        isCoinbase: false,
        outputs: [{ index: 0, key: idOf(1), amount: 5n, subaddress: { account: 0, index: 0 } }],
      })),
  };
  const payments = new PoolPayments(options, new NodeSet(options), { scanner, pool, follower });
  const look = async (top: BlockPlace, ...added: PoolEvent[]): Promise<string[]> => {
    follower.top = top;
    events = added;
    const kinds: string[] = [];
    for await (const { kind } of payments.look()) kinds.push(kind);
    return kinds;
  };
  return { look, troubles };
}

test.each([
  ['lags', [1, 2]],
  ['is on a side chain', [1, 2, 9]],
])('a node that %s does not hide that coins are spent', async (_, chain) => {
  const [main, other] = [new FakeNode([1, 2]), new FakeNode(chain)];
  const { look, troubles } = looking(main, other);
  await expect(look(placeOf(1, 2), paying(7))).resolves.toEqual(['seen']);
  main.chain = [1, 2, 3];
  main.spent = true;
  await expect(look(placeOf(2, 3))).resolves.toEqual(['gone']);
  // Nor does it bring the payment back when it misses an answer and comes again.
  for (const isAway of [true, false, true]) {
    other.isAway = isAway;
    main.chain.push(main.chain.length + 1);
    await expect(look(placeOf(main.chain.length - 1, main.chain.length))).resolves.toEqual([]);
  }
  expect(troubles.every(({ node }) => node === 1)).toBe(true);
});

test('a node that is ahead has a say too, and spent is what all of them call so', async () => {
  const [main, ahead] = [new FakeNode([1, 2]), new FakeNode([1, 2, 3])];
  ahead.spent = true;
  const { look } = looking(main, ahead);
  await expect(look(placeOf(1, 2), paying(7))).resolves.toEqual(['seen']);
  main.chain = [1, 2, 3];
  main.spent = true;
  await expect(look(placeOf(2, 3))).resolves.toEqual(['gone']);
});

test('nothing is told as long as no node has the last block that was followed', async () => {
  const behind = new FakeNode([1, 2]);
  const { look, troubles } = looking(behind);
  await expect(look(placeOf(2, 3), paying(7))).resolves.toEqual([]);
  expect(behind.asked).toEqual([]);
  behind.chain = [1, 2, 3];
  await expect(look(placeOf(2, 3))).resolves.toEqual(['seen']);
  expect(troubles).toEqual([]);
});

test.each([
  ['none', () => []],
  ['too many', (states: number[]) => [...states, 0]],
])('a node that says of %s whether they are spent has no say', async (_, change) => {
  const [main, broken] = [new FakeNode([1, 2]), new FakeNode([1, 2])];
  main.spent = true;
  broken.change = change;
  const { look, troubles } = looking(main, broken);
  await expect(look(placeOf(1, 2), paying(7))).resolves.toEqual([]);
  expect(troubles).toEqual([{ node: 1, error: expect.any(RpcAnswerError) }]);
});

test('nodes are asked of a payment when it comes, and again only after a block', async () => {
  const node = new FakeNode([1, 2]);
  const { look } = looking(node);
  const [first, second] = [placeOf(0, 7).id, placeOf(0, 8).id];
  await expect(look(placeOf(1, 2), paying(7))).resolves.toEqual(['seen']);
  await expect(look(placeOf(1, 2))).resolves.toEqual([]);
  await expect(look(placeOf(1, 2), paying(8))).resolves.toEqual(['seen']);
  expect(node.asked).toEqual([[first], [second]]);
  node.chain = [1, 2, 3];
  await look(placeOf(2, 3));
  await look(placeOf(2, 3));
  expect(node.asked).toEqual([[first], [second], [first, second]]);
});
