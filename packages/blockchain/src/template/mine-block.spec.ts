import { toHex } from '@monero-node/codec';
import { NETWORKS, withOverrides } from '@monero-node/consensus';
import { G } from '@monero-node/crypto/testing';
import type { NonceSearch } from '@monero-node/pow';
import { SpendableChain } from '../testing/spendable-chain.ts';
import { bundleOf, EASY, FixedPow, NOW, startTestChain } from '../testing/test-chain.ts';
import { mineBlock } from './mine-block.ts';

const KEY = G.toBytes();
const address = { spendKey: KEY, viewKey: KEY };
const options = { address, pow: new FixedPow(), now: () => NOW };

test('adds a block to the tip', async () => {
  const { chain } = await startTestChain();
  for (const expected of [1, 2, 3]) {
    const { height, block, status } = await mineBlock(chain, options);
    expect({ height, status }).toEqual({ height: expected, status: 'added' });
    expect(toHex(chain.top.id)).toBe(toHex(block.id));
  }
  expect(chain.height).toBe(4);
});

test('takes transactions and their fees', async () => {
  const made = new SpendableChain(EASY);
  made.mineMany(80);
  const { chain } = await startTestChain();
  await chain.addSpan(made.blocks.map(bundleOf));
  const before = chain.top.generatedCoins;
  const tx = made.spend([3], { fee: 3_000_000_000n });
  const { height, block } = await mineBlock(chain, { ...options, transactions: [tx] });
  expect(block.block.txHashes.map(toHex)).toEqual([toHex(tx.id)]);
  const paid = block.block.minerTx.outputs.reduce((sum, { amount }) => sum + amount, 0n);
  expect(paid - (chain.top.generatedCoins - before)).toBe(3_000_000_000n);
  expect(chain.store.txLocation(tx.id)?.height).toBe(height);
  // The same again spends what is spent.
  await expect(mineBlock(chain, { ...options, transactions: [tx] })).rejects.toMatchObject({
    name: 'ConsensusError',
    code: 'duplicate-tx',
  });
});

test('looks for a nonce that meets the difficulty', async () => {
  const { chain, pow: verifying } = await startTestChain(
    withOverrides(NETWORKS.regtest, { fixedDifficulty: 1n << 100n }),
  );
  let asked = 0;
  const pow = {
    hash: async () => {
      asked++;
      return asked < 5 ? new Uint8Array(32).fill(255) : verifying.hash();
    },
  };
  const { block } = await mineBlock(chain, { ...options, pow });
  expect(block.block.nonce).toBe(4);
});

test('goes on where a search has ended early', async () => {
  const { chain } = await startTestChain();
  const starts: number[] = [];
  const searcher = {
    search: async ({ startNonce, count }: NonceSearch) => {
      starts.push(startNonce);
      expect(startNonce + count).toBe(2 ** 32);
      return starts.length < 3 ? { hashes: 7 } : { nonce: startNonce + 1, hashes: 2 };
    },
  };
  const { block } = await mineBlock(chain, { ...options, searcher });
  expect(starts).toEqual([0, 7, 14]);
  expect(block.block.nonce).toBe(15);
});

test('ends with the reason of its signal', async () => {
  const { chain } = await startTestChain(
    withOverrides(NETWORKS.regtest, { fixedDifficulty: 1n << 100n }),
  );
  const stop = new AbortController();
  const pow = {
    hash: async () => {
      stop.abort(new Error('enough'));
      return new Uint8Array(32).fill(255);
    },
  };
  const mining = mineBlock(chain, { ...options, pow, signal: stop.signal });
  await expect(mining).rejects.toThrow('enough');
  expect(chain.height).toBe(1);
});

test('refuses an address that is no pair of points', async () => {
  const { chain } = await startTestChain();
  const bad = new Uint8Array(32).fill(2);
  const mining = mineBlock(chain, { ...options, address: { spendKey: bad, viewKey: bad } });
  await expect(mining).rejects.toMatchObject({ name: 'TemplateError', code: expect.any(String) });
});
