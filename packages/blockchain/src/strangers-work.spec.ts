import { settle } from '@monero-node/base/testing';
import { encodeBlock, parseBlock, toHex, type ParsedBlock } from '@monero-node/codec';
import { NETWORKS, withOverrides } from '@monero-node/consensus';
import type { PowHasher, PowRequest } from '@monero-node/pow';
import { seedHeight } from '@monero-node/pow';
import { createMemoryStore } from '@monero-node/storage';
import { openBlockchain } from './open.ts';
import { genesisOf, makeBlock, makeBranch, type MadeBlock } from './testing/block-factory.ts';
import { bundleOf, EASY, NOW, startTestChain } from './testing/test-chain.ts';
import { SpendableChain } from './testing/spendable-chain.ts';
import type { WorkClient } from './types.ts';

/** High enough that the hash of the tests, all ones, does not meet it. */
const NETWORK = withOverrides(NETWORKS.regtest, { fixedDifficulty: 2n });
const GOOD = new Uint8Array(32);
const BAD = new Uint8Array(32).fill(0xff);
/** Nonce of blocks with bad work. */
const BAD_NONCE = 0xbad;

/** A hasher by the nonce in the blob, whose hashes for other seeds than the current one wait until they are let go. */
class StepwisePow implements PowHasher {
  readonly name = 'stepwise';
  readonly asked: string[] = [];
  readonly #held: (() => void)[] = [];
  right = (request: PowRequest): Uint8Array => (isBad(request) ? BAD : GOOD);

  hash(request: PowRequest): Promise<Uint8Array> {
    this.asked.push('hash');
    return Promise.resolve(this.right(request));
  }

  hashAside(request: PowRequest): Promise<Uint8Array> {
    this.asked.push('aside');
    return new Promise((resolve) => this.#held.push(() => resolve(this.right(request))));
  }

  confirm(request: PowRequest): Promise<Uint8Array> {
    this.asked.push('confirm');
    return Promise.resolve(this.right(request));
  }

  async letGo(): Promise<void> {
    this.#held.shift()?.();
    await settle();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** The nonce follows two versions, a timestamp of five bytes and the id of the parent. */
function isBad({ blob }: PowRequest): boolean {
  return Buffer.from(blob).readUInt32LE(39) === BAD_NONCE;
}

const length = (): number => {
  let height = 2;
  while (seedHeight(height) === 0) height++;
  return height + 8;
};

describe('on a chain of two RandomX seeds', () => {
  const blocks = makeBranch(NETWORK, genesisOf(NETWORK), length());
  const top = blocks.at(-1) as MadeBlock;
  const old = blocks[5] as MadeBlock;
  const recent = blocks.at(-4) as MadeBlock;
  const nextBlock = makeBlock(NETWORK, top);

  async function open() {
    const pow = new StepwisePow();
    const store = createMemoryStore();
    const chain = await openBlockchain({ network: NETWORK, now: () => NOW }, { store, pow });
    await chain.addSpan(blocks.map(bundleOf), { trust: true });
    pow.asked.length = 0;
    const offer = (parent: MadeBlock, timestamp: number, client?: WorkClient, nonce = BAD_NONCE) =>
      chain.addBlock(
        bundleOf(makeBlock(NETWORK, parent, { nonce, timestamp: parent.timestamp + timestamp })),
        { client },
      );
    return { chain, pow, offer };
  }

  test('a block on top is added while hashes of old seeds are computed, one at a time', async () => {
    const { chain, pow, offer } = await open();
    const outcomes = Array.from({ length: 20 }, (_, i) => offer(old, i, { host: `${i}` }));
    await settle();
    expect(pow.asked).toEqual(['aside']);
    expect(await chain.addBlock(bundleOf(nextBlock), { client: { host: 'miner' } })).toMatchObject({
      status: 'added',
    });
    expect(pow.asked).toEqual(['aside', 'hash']);
    for (let i = 0; i < 20; i++) await pow.letGo();
    for (const { error } of (await Promise.all(outcomes)) as { error?: { code: string } }[])
      expect(error?.code).toBe('unconfirmed-proof-of-work');
    // No third cache is made for an opinion on an old seed.
    expect(pow.asked.filter((what) => what === 'aside')).toHaveLength(20);
    expect(pow.asked).not.toContain('confirm');
  });

  test('the work of callers who have left is not done', async () => {
    const { chain, pow, offer } = await open();
    let isGone = false;
    const outcomes = Array.from({ length: 60 }, (_, i) =>
      offer(old, i, { host: `${i}`, isGone: () => isGone }),
    );
    const ends = Promise.allSettled(outcomes);
    await settle();
    isGone = true;
    await pow.letGo();
    const gone = (await ends).filter(({ status }) => status === 'rejected');
    expect(gone).toHaveLength(59);
    expect(gone[0]).toMatchObject({ reason: { code: 'gone' } });
    expect(pow.asked).toEqual(['aside']);
    expect((await chain.addBlock(bundleOf(nextBlock))).status).toBe('added');
  });

  test('a host with bad work has its further alternative blocks refused without a hash', async () => {
    const { pow, offer } = await open();
    for (let i = 0; i < 3; i++) {
      const outcome = offer(old, i, { host: 'bad' });
      await settle();
      await pow.letGo();
      expect(await outcome).toMatchObject({ status: 'invalid' });
    }
    expect(await offer(old, 3, { host: 'bad' })).toMatchObject({
      error: { code: 'unconfirmed-proof-of-work' },
    });
    expect(pow.asked).toEqual(['aside', 'aside', 'aside']);
    // Another host is not concerned.
    const outcome = offer(old, 4, { host: 'good' }, 1);
    await settle();
    await pow.letGo();
    expect((await outcome).status).toBe('alternative');
  });

  test('a refusal is confirmed only for a client that loses by it, and counts for others too once it is', async () => {
    const { pow, offer } = await open();
    const caller = { host: 'caller', losesByRefusal: false };
    expect(await offer(recent, 1, caller)).toMatchObject({
      error: { code: 'unconfirmed-proof-of-work' },
    });
    expect(await offer(recent, 1, caller)).toMatchObject({ status: 'invalid' });
    expect(pow.asked).toEqual(['hash']);
    expect(await offer(recent, 1, { host: 'peer' })).toMatchObject({
      error: { code: 'bad-proof-of-work' },
    });
    expect(pow.asked).toEqual(['hash', 'hash', 'confirm']);
    // Known to be invalid, it fails at once.
    expect(await offer(recent, 1, { host: 'peer' })).toMatchObject({ status: 'invalid' });
    expect(pow.asked).toHaveLength(3);
  });

  test('a new block that many peers send at once is hashed once', async () => {
    const { chain, pow } = await open();
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        chain.addBlock(bundleOf(nextBlock), { client: { host: `${i}` } }),
      ),
    );
    expect(results.map(({ status }) => status).sort()).toEqual([
      'added',
      ...Array(7).fill('known'),
    ]);
    expect(pow.asked).toEqual(['hash']);
  });

  test('a span of alternative blocks of an old seed does not hold up a block on top', async () => {
    const { chain, pow } = await open();
    const side = makeBranch(NETWORK, old, 3, { nonce: 5 });
    const span = chain.addSpan(side.map(bundleOf));
    await settle();
    expect((await chain.addBlock(bundleOf(nextBlock))).status).toBe('added');
    for (let i = 0; i < 3; i++) await pow.letGo();
    expect((await span).results.map(({ status }) => status)).toEqual(Array(3).fill('alternative'));
    expect(pow.asked).toEqual(['aside', 'hash', 'aside', 'aside']);
  });

  test('a block that comes with its parent under way is added on top of it', async () => {
    const { chain } = await open();
    const above = makeBlock(NETWORK, nextBlock);
    const results = await Promise.all(
      [nextBlock, above].map((block) => chain.addBlock(bundleOf(block))),
    );
    expect(results.map(({ status }) => status)).toEqual(['added', 'added']);
  });
});

describe('transactions that a block only lists', () => {
  const source = new SpendableChain(EASY);
  source.mineMany(70);
  const txs = [1, 2, 3].map((height) => source.spend([height]));
  source.mine(txs);
  source.mineMany(2);

  /** Returns an empty block on `parent` that lists these ids. */
  function listing(parent: MadeBlock, ids: readonly Uint8Array[]): ParsedBlock {
    const { block } = makeBlock(EASY, parent).parsed;
    return parseBlock(encodeBlock({ ...block, nonce: 7, txHashes: [...ids] }));
  }

  async function open() {
    const test = await startTestChain();
    const { results } = await test.chain.addSpan(source.blocks.map(bundleOf), { trust: true });
    expect(results.at(-1)?.status).toBe('added');
    const loaded: number[] = [];
    const { store } = test;
    const tx = store.tx.bind(store);
    store.tx = (height, position) => {
      loaded.push(height);
      return tx(height, position);
    };
    return { ...test, loaded };
  }

  test('a stored transaction listed many times is not loaded', async () => {
    const { chain, loaded } = await open();
    const id = (txs[0] as { id: Uint8Array }).id;
    for (const parent of [source.top, source.blocks.at(-3) as MadeBlock]) {
      const block = listing(parent, Array<Uint8Array>(16_000).fill(id));
      expect(await chain.addBlock({ block, txs: [] })).toMatchObject({ status: 'invalid' });
    }
    expect(loaded).toEqual([]);
  });

  test('stored transactions are not loaded for a block on top, which cannot have them again', async () => {
    const { chain, loaded } = await open();
    const block = listing(
      source.top,
      txs.map(({ id }) => id),
    );
    expect(await chain.addBlock({ block, txs: [] })).toMatchObject({
      error: { code: 'duplicate-tx', txId: toHex((txs[0] as { id: Uint8Array }).id) },
    });
    expect(loaded).toEqual([]);
  });

  test('none is loaded for a block of a side chain that lacks another one', async () => {
    const { chain, loaded } = await open();
    const ids = [new Uint8Array(32).fill(9), ...txs.map(({ id }) => id)];
    const block = listing(source.blocks.at(-3) as MadeBlock, ids);
    expect(await chain.addBlock({ block, txs: [] })).toMatchObject({
      status: 'missing-txs',
      missing: [0],
    });
    expect(loaded).toEqual([]);
  });

  test('looking up ends once there are more bytes than a block can have', async () => {
    const { chain } = await open();
    const ids = Array.from({ length: 500 }, (_, i) => {
      const id = new Uint8Array(32);
      new DataView(id.buffer).setUint32(0, i);
      return id;
    });
    let found = 0;
    const block = listing(source.top, ids);
    const findTransaction = (): Uint8Array => {
      found++;
      return new Uint8Array(100_000);
    };
    expect(await chain.addBlock({ block, txs: [] }, { findTransaction })).toMatchObject({
      error: { code: 'block-too-big' },
    });
    // Twice the weight limit of 600,000.
    expect(found).toBe(13);
  });
});
