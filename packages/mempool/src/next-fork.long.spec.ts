import { silentLogger } from '@monero-node/base';
import { openBlockchain, parseBundle } from '@monero-node/blockchain';
import { FixedPow, NOW } from '@monero-node/blockchain/testing';
import { fromHex, parseTransaction, toHex } from '@monero-node/codec';
import { readNextFork } from '@monero-node/codec/testing';
import { NETWORKS, withOverrides } from '@monero-node/consensus';
import {
  createBackend,
  createInlineVerificationPool,
  type FcmpVerifier,
} from '@monero-node/crypto';
import { createFcmpVerifier } from '@monero-node/fcmp';
import { createMemoryStore } from '@monero-node/storage';
import { MAX_PENDING_INPUTS } from './limits.ts';
import { TxPool } from './tx-pool.ts';

// The pool of upstream's node above its chain `long`, which was recorded with it.

const { chains, pool: recorded } = readNextFork();
const [long] = chains.filter(({ name }) => name === 'long');
if (long === undefined) throw new Error('no fixture');
const proven = recorded
  .map(({ blob }) => parseTransaction(fromHex(blob)))
  .filter(({ tx }) => tx.rct?.type === 7);

async function poolOfLong(fcmp: FcmpVerifier) {
  if (long === undefined) throw new Error('no fixture');
  const { forks, blocks, transactions } = long;
  const hardForks = forks.map((fork) => ({ ...fork, time: fork.height }));
  const network = withOverrides(NETWORKS.regtest, {
    fixedDifficulty: 1n,
    hardForks: [{ version: 1, height: 0, time: 0 }, ...hardForks],
  });
  const backend = createBackend();
  const verifier = createInlineVerificationPool(backend, (proofs) => fcmp(proofs));
  const store = createMemoryStore();
  const blockchain = await openBlockchain(
    { network, now: () => NOW },
    { store, pow: new FixedPow(), backend, verifier },
  );
  const bundles = blocks.slice(1).map(({ blob }, i) => {
    const txs = transactions.filter(({ height }) => height === i + 1);
    return parseBundle({ block: fromHex(blob), txs: txs.map((tx) => fromHex(tx.blob)) });
  });
  const pool = new TxPool({ now: () => NOW }, { blockchain, store, logger: silentLogger });
  await blockchain.addSpan(bundles);
  expect(blockchain.height).toBe(blocks.length);
  await pool.start();
  return { pool, blockchain };
}

test('takes proofs against the tree of their reference block, and a block has them verified', async () => {
  const verify = createFcmpVerifier();
  let asked = 0;
  let isBroken = false;
  const { pool, blockchain } = await poolOfLong((proofs) => {
    if (isBroken) throw new Error('the engine failed');
    asked += proofs.length;
    return verify(proofs);
  });
  const before = asked;
  const [first, ...others] = proven;
  if (first === undefined) throw new Error('no fixture');
  // A failure of the engine is no verdict.
  isBroken = true;
  await expect(pool.add(first, { source: 'peer', relay: 'fluff' })).rejects.toThrow(
    'the engine failed',
  );
  isBroken = false;
  for (const tx of proven)
    expect(await pool.add(tx, { source: 'peer', relay: 'fluff' })).toMatchObject({
      status: 'added',
    });
  expect(others.length).toBeGreaterThan(1);
  expect(asked).toBe(before + proven.length);
  for (const { id, tx } of proven) {
    const { referenceBlock = 0n } = tx.prunable?.fcmp ?? {};
    expect(pool.transaction(id)).toMatchObject({ maxUsedBlockHeight: Number(referenceBlock) });
  }
  const { transactions } = await pool.selectForBlock();
  const chosen = transactions.map(({ id }) => toHex(id));
  for (const { id } of proven) expect(chosen).toContain(toHex(id));
  expect(asked).toBe(before + proven.length);
  await pool.stop();
  await blockchain.stop();
});

test('inputs that wait for their proofs are bounded', async () => {
  const verify = createFcmpVerifier();
  const { pool, blockchain } = await poolOfLong(verify);
  const [tx] = [...proven].sort((a, b) => b.tx.inputs.length - a.tx.inputs.length);
  if (tx === undefined) throw new Error('no fixture');
  const fits = Math.floor(MAX_PENDING_INPUTS / tx.tx.inputs.length);
  const results = await Promise.all(
    Array.from({ length: fits + 5 }, () => pool.add(tx, { source: 'peer', relay: 'fluff' })),
  );
  expect(results.filter(({ status }) => status === 'busy')).toHaveLength(5);
  expect(results.filter(({ status }) => status === 'added')).toHaveLength(1);
  await pool.stop();
  await blockchain.stop();
});
