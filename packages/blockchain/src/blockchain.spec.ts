import { encodeBlock, parseBlock, toHex } from '@monero-node/codec';
import { NETWORKS, withOverrides } from '@monero-node/consensus';
import { parseBundle, parseTransactions } from './verify/parse-bundle.ts';
import { genesisOf, makeBlock, makeBranch, type MadeBlock } from './testing/block-factory.ts';
import { bundleOf, EASY, startTestChain } from './testing/test-chain.ts';
import type { AddedBlock } from './types.ts';

const genesis = genesisOf(EASY);
const ids = (blocks: readonly MadeBlock[]) => blocks.map((block) => toHex(block.parsed.id));

describe('a new chain', () => {
  test('starts with genesis', async () => {
    const { chain } = await startTestChain();
    expect(chain.height).toBe(1);
    expect(toHex(chain.topId)).toBe(toHex(EASY.genesisId));
    expect(chain.top.generatedCoins).toBe(17592186044415n);
    expect(chain.top.cumulativeDifficulty).toBe(1n);
  });

  test('rejects the chain of another network', async () => {
    const { store } = await startTestChain();
    await expect(startTestChain(NETWORKS.stagenet, store)).rejects.toThrow('another chain');
  });
});

describe('the main chain', () => {
  test('adds a span and emits it once stored', async () => {
    const { chain, pow } = await startTestChain();
    const seen: number[] = [];
    chain.on('blocks-added', (blocks: AddedBlock[]) => {
      expect(chain.height).toBe(21);
      seen.push(...blocks.map((block) => block.height));
    });
    const blocks = makeBranch(EASY, genesis, 20);
    const { results } = await chain.addSpan(blocks.map(bundleOf));
    expect(results.map((result) => result.status)).toEqual(Array(20).fill('added'));
    expect(seen).toEqual(blocks.map((block) => block.height));
    expect(pow.requests).toBe(20);
    expect(chain.counters).toMatchObject({ blocks: 20, minerTxs: 20, pow: 20 });
    expect(toHex(chain.topId)).toBe(ids(blocks).at(-1));
  });

  test('reports a block that comes again as known', async () => {
    const { chain } = await startTestChain();
    const [block] = makeBranch(EASY, genesis, 1) as [MadeBlock];
    expect((await chain.addBlock(bundleOf(block))).status).toBe('added');
    expect((await chain.addBlock(bundleOf(block))).status).toBe('known');
    expect(chain.height).toBe(2);
  });

  test('keeps the valid blocks before an invalid one', async () => {
    const { chain } = await startTestChain();
    const good = makeBranch(EASY, genesis, 3);
    const bad = makeBlock(EASY, good[2] as MadeBlock, { surplus: 1n });
    const above = makeBlock(EASY, bad);
    const { results } = await chain.addSpan([...good, bad, above].map(bundleOf));
    expect(results.map((result) => result.status)).toEqual(['added', 'added', 'added', 'invalid']);
    expect(results[3]).toMatchObject({ error: { code: 'miner-tx-amount', height: 4 } });
    expect(chain.height).toBe(4);
    expect(chain.has(bad.parsed.id)).toBe('invalid');
    // Rejected at once when it comes again.
    expect(await chain.addBlock(bundleOf(bad))).toMatchObject({ status: 'invalid' });
    expect(chain.counters.blocks).toBe(3);
  });

  test('rejects bytes that do not decode, and keeps no orphans', async () => {
    const { chain } = await startTestChain();
    expect(() => parseBundle({ block: Uint8Array.of(1, 2, 3), txs: [] })).toThrow(
      expect.objectContaining({ code: 'bad-block-blob' }),
    );
    const [, second] = makeBranch(EASY, genesis, 2) as [MadeBlock, MadeBlock];
    expect((await chain.addBlock(bundleOf(second))).status).toBe('orphan');
    expect(chain.has(second.parsed.id)).toBeUndefined();
  });

  test('does not decode a transaction of more than 1,000,000 bytes', () => {
    expect(() => parseTransactions({ txs: [new Uint8Array(1_000_000)] })).not.toThrow(
      'the limit is',
    );
    expect(() => parseTransactions({ txs: [new Uint8Array(1_000_001)] })).toThrow(
      'the limit is 1000000',
    );
  });

  test('rejects bad proof of work in a span', async () => {
    const network = withOverrides(NETWORKS.regtest, { fixedDifficulty: 2n });
    const { chain, pow } = await startTestChain(network);
    const blocks = makeBranch(network, genesis, 3);
    pow.hashed = new Uint8Array(32).fill(0xff);
    const { results } = await chain.addSpan(blocks.map(bundleOf));
    expect(results).toMatchObject([{ status: 'invalid', error: { code: 'bad-proof-of-work' } }]);
    expect(chain.height).toBe(1);
    expect(chain.counters.pow).toBe(0);
  });

  test('requests missing transactions only when the proof of work is valid', async () => {
    const network = withOverrides(NETWORKS.regtest, { fixedDifficulty: 2n });
    const { chain, pow } = await startTestChain(network);
    const [block] = makeBranch(network, genesis, 1) as [MadeBlock];
    const { block: header } = block.parsed;
    const wanting = parseBlock(encodeBlock({ ...header, txHashes: [new Uint8Array(32).fill(9)] }));
    expect(await chain.addBlock({ block: wanting, txs: [] })).toMatchObject({
      status: 'missing-txs',
      missing: [0],
    });
    pow.hashed = new Uint8Array(32).fill(0xff);
    const other = parseBlock(
      encodeBlock({ ...header, nonce: 5, txHashes: [new Uint8Array(32).fill(9)] }),
    );
    expect(await chain.addBlock({ block: other, txs: [] })).toMatchObject({
      status: 'invalid',
      error: { code: 'bad-proof-of-work' },
    });
    expect(chain.height).toBe(1);
  });

  test('transactions of a block are decoded and looked up after its proof of work', async () => {
    const network = withOverrides(NETWORKS.regtest, { fixedDifficulty: 2n });
    const { chain, pow } = await startTestChain(network);
    const blocks = makeBranch(network, genesis, 3) as [MadeBlock, MadeBlock, MadeBlock];
    await chain.addSpan(blocks.slice(0, 2).map(bundleOf));
    pow.hashed = new Uint8Array(32).fill(0xff);
    const asked: string[] = [];
    const options = {
      decodeSent: () => {
        asked.push('decoded');
        return Promise.resolve([]);
      },
      findTransaction: () => void asked.push('looked up'),
    };
    // One extends the main chain, the other would be on a side chain.
    for (const [parent, nonce] of [
      [blocks[2], 7],
      [blocks[1], 8],
    ] as const) {
      const txHashes = [new Uint8Array(32).fill(9)];
      const block = parseBlock(encodeBlock({ ...parent.parsed.block, nonce, txHashes }));
      expect(await chain.addBlock({ block, txs: [] }, options)).toMatchObject({
        error: { code: 'bad-proof-of-work' },
      });
    }
    expect(asked).toEqual([]);
  });

  test('the proof of work of a new block is computed once', async () => {
    const { chain, pow } = await startTestChain();
    const [block] = makeBranch(EASY, genesis, 1) as [MadeBlock];
    const before = pow.requests;
    expect((await chain.addBlock(bundleOf(block))).status).toBe('added');
    expect(pow.requests - before).toBe(1);
    expect(chain.counters.pow).toBe(1);
  });

  test('pops down to genesis and no further', async () => {
    const { chain } = await startTestChain();
    const blocks = makeBranch(EASY, genesis, 8);
    await chain.addSpan(blocks.map(bundleOf));
    const popped: number[] = [];
    chain.on('popped', ({ removed }) => popped.push(removed.length));
    expect(await chain.popBlocks(3)).toBe(6);
    expect(toHex(chain.topId)).toBe(ids(blocks)[4]);
    expect(await chain.popBlocks(100)).toBe(1);
    expect(await chain.popBlocks(1)).toBe(1);
    expect(popped).toEqual([3, 5]);
    // The same blocks can be added again.
    const { results } = await chain.addSpan(blocks.map(bundleOf));
    expect(results.every((result) => result.status === 'added')).toBe(true);
    expect(chain.height).toBe(9);
  });

  test('makes changes one at a time, and none after stop', async () => {
    const { chain } = await startTestChain();
    const blocks = makeBranch(EASY, genesis, 6);
    const first = chain.addSpan(blocks.slice(0, 3).map(bundleOf));
    const second = chain.addSpan(blocks.slice(3).map(bundleOf));
    expect(chain.busy).toBe(true);
    await Promise.all([first, second]);
    expect(chain.height).toBe(7);
    await chain.stop();
    await expect(chain.addBlock(bundleOf(blocks[0] as MadeBlock))).rejects.toThrow('stopping');
  });
});

test('lists eleven ids, then ids with doubling gaps, genesis last', async () => {
  const { chain } = await startTestChain();
  const blocks = makeBranch(EASY, genesis, 40);
  await chain.addSpan(blocks.map(bundleOf));
  const heights = chain.shortHistory().map((id) => chain.store.heightOf(id));
  expect(heights).toEqual([40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 28, 24, 16, 0]);
  expect(chain.findCommonHeight(chain.shortHistory().slice(12))).toBe(24);
  expect(chain.findCommonHeight([blocks[3]!.parsed.id])).toBeUndefined();
  expect(chain.findCommonHeight([])).toBeUndefined();
});
