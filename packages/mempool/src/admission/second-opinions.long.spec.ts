import { silentLogger } from '@monero-node/base';
import { openBlockchain } from '@monero-node/blockchain';
import { bundleOf, FixedPow, NOW, SpendableChain } from '@monero-node/blockchain/testing';
import { toHex, type ParsedTransaction } from '@monero-node/codec';
import { NETWORKS, withOverrides } from '@monero-node/consensus';
import {
  createBackend,
  createInlineVerificationPool,
  VerificationPoolError,
  type VerificationPool,
} from '@monero-node/crypto';
import { createMemoryStore } from '@monero-node/storage';
import { key, LENGTH } from '../testing/test-pool.ts';
import { TxPool } from '../tx-pool.ts';

// The engine of these tests takes every ring signature for wrong, and strangers get no second opinion of it.

const network = withOverrides(NETWORKS.regtest, {
  fixedDifficulty: 1n,
  hardForks: [
    { version: 1, height: 0, time: 0 },
    { version: 15, height: 1, time: 1 },
    { version: 16, height: LENGTH + 2, time: 2 },
  ],
});
const chain = new SpendableChain(network, 'second opinions');
chain.mineMany(LENGTH);
const tx = chain.spend([3], { fee: 3_000_000_000n });

/** What strangers' signatures meet, until it is changed. */
type Fate = 'busy' | 'waits' | 'valid';

async function start(fate: Fate) {
  const backend = createBackend();
  const inline = createInlineVerificationPool(backend);
  const state = { fate, asked: 0 };
  const forStrangers: VerificationPool = {
    threads: 1,
    backendName: 'test',
    check: (check, left) => {
      if (check.kind !== 'clsag') return inline.check(check);
      state.asked++;
      if (state.fate === 'valid') return inline.check(check);
      if (state.fate === 'busy') throw new VerificationPoolError('busy', 'told to');
      return new Promise((_, reject) => {
        left?.addEventListener('abort', () => reject(left.reason as Error));
      });
    },
    close: () => Promise.resolve(),
  };
  const verifier: VerificationPool = {
    threads: 1,
    backendName: 'test',
    forStrangers,
    check: (check) => inline.check(check),
    close: () => inline.close(),
  };
  const store = createMemoryStore();
  const blockchain = await openBlockchain(
    { network, now: () => NOW },
    { store, pow: new FixedPow(), backend, verifier },
  );
  await blockchain.addSpan(chain.blocks.map(bundleOf));
  const pool = new TxPool({ now: () => NOW }, { blockchain, store, logger: silentLogger });
  await pool.start();
  return { pool, blockchain, state };
}

const message = ({ blob }: ParsedTransaction) => ({
  txs: [blob],
  fluff: true,
  connectionId: 'ab',
});
const anyIsOffense = () => true;

test('one that gets no second opinion is not added, not held against its peer and not remembered', async () => {
  const { pool, blockchain, state } = await start('busy');
  expect(await pool.receive(message(tx), anyIsOffense)).toBe(true);
  expect(await pool.add(tx.blob, { source: 'local' })).toEqual({ status: 'busy' });
  expect([pool.size, state.asked]).toEqual([0, 2]);
  state.fate = 'valid';
  expect(await pool.receive(message(tx), anyIsOffense)).toBe(true);
  expect(pool.size).toBe(1);
  await pool.stop();
  await blockchain.stop();
});

test('a peer that leaves ends the second opinion, unless another has sent the same', async () => {
  const { pool, blockchain, state } = await start('waits');
  const [one, other] = [new AbortController(), new AbortController()];
  let answered = 0;
  const both = [one, other].map(async ({ signal }) => {
    const isGood = await pool.receive({ ...message(tx), left: signal }, anyIsOffense);
    answered++;
    return isGood;
  });
  while (state.asked === 0) await new Promise((resolve) => setImmediate(resolve));
  one.abort(new Error('left'));
  for (let i = 0; i < 10; i++) await new Promise((resolve) => setImmediate(resolve));
  expect([answered, state.asked]).toEqual([0, 1]);
  other.abort(new Error('left'));
  expect(await Promise.all(both)).toEqual([true, true]);
  expect(pool.size).toBe(0);
  await pool.stop();
  await blockchain.stop();
});

test('what blocks bring and what the pool has is verified however many strangers wait', async () => {
  const { pool, blockchain, state } = await start('valid');
  expect(await pool.add(tx.blob, { source: 'peer', relay: 'fluff' })).toMatchObject({
    status: 'added',
  });
  state.fate = 'busy';
  // The fork changes: the pool verifies all again.
  const fork = chain.fork(LENGTH, 'fork');
  await blockchain.addBlock(bundleOf(fork.mine()));
  await pool.idle();
  expect(blockchain.nextVersion()).toBe(16);
  expect((await pool.selectForBlock()).transactions.map(key)).toEqual([key(tx)]);
  // A transaction that this node has not seen comes with a block, which a reorganization removes.
  const other = chain.spend([4], { fee: 3_000_000_000n });
  expect(await blockchain.addBlock(bundleOf(fork.mine([other])))).toMatchObject({
    status: 'added',
  });
  await blockchain.popBlocks(1);
  await pool.idle();
  const { transactions } = await pool.selectForBlock();
  expect(transactions.map(({ id }) => toHex(id)).sort()).toEqual([key(tx), key(other)].sort());
  await pool.stop();
  await blockchain.stop();
});
