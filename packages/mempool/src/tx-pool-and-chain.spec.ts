import { jest } from '@jest/globals';
import { toHex } from '@monero-node/codec';
import { NETWORKS, withOverrides } from '@monero-node/consensus';
import { bundleOf, SpendableChain } from '@monero-node/blockchain/testing';
import type { PoolTransaction } from './store/pool-entry.ts';
import { ids, key, keys, LENGTH, made, spend, startTestPool } from './testing/test-pool.ts';

const PUBLIC_FIELDS = [
  'id blob weight fee receiveTime lastRelayedTime relayed doNotRelay keptByBlock doubleSpendSeen',
  'maxUsedBlockHeight maxUsedBlockId broadcast lastFailedHeight lastFailedId keyImages relay',
].flatMap((names) => names.split(' ')) as (keyof PoolTransaction)[];

/** Returns the public fields of a transaction. */
function shown(tx: PoolTransaction) {
  return Object.fromEntries(PUBLIC_FIELDS.map((name) => [name, tx[name]])) as { id: Uint8Array };
}

describe('following the chain', () => {
  test('removes mined transactions and marks those that spend the same outputs as failing', async () => {
    const test = await startTestPool();
    const { pool, chain } = test;
    const [tx, loser] = [spend(2), spend(3)];
    for (const { blob } of [tx, loser]) await pool.add(blob, { source: 'peer', relay: 'fluff' });
    const block = made.fork(LENGTH, 'mined').mine([tx, spend(3, 9_000_000_000n)]);
    expect(await chain.addBlock(bundleOf(block))).toMatchObject({ status: 'added' });
    expect(test.removed).toEqual([[key(tx), 'mined']]);
    expect(pool.transaction(loser.id)).toMatchObject({
      lastFailedHeight: block.height,
      lastFailedId: block.parsed.id,
    });
    expect((await pool.stats(0)).failing).toBe(1);
    expect((await pool.selectForBlock()).transactions).toEqual([]);
    expect(await pool.templateBacklog()).toEqual([]);
    expect(await pool.add(tx.blob, { source: 'local' })).toMatchObject({
      status: 'known',
      where: 'chain',
    });
    await pool.idle();
    expect([...test.store.poolTxs()].map(key)).toEqual([key(loser)]);
    // When that block is removed, both may be mined again, though not together.
    await chain.popBlocks(1);
    await pool.idle();
    expect(pool.size).toBe(3);
    expect(pool.transaction(tx.id)?.keptByBlock).toBe(true);
    const { transactions } = await pool.selectForBlock();
    expect(transactions.map(key)).toHaveLength(2);
    expect(transactions.map(key)).not.toContain(key(loser));
  });

  test('transactions of removed blocks are candidates for the next block at once, and no news', async () => {
    const { pool, chain } = await startTestPool();
    const news: [string, boolean][] = [];
    pool.on('published', (txs, { isNews }) => {
      for (const tx of txs) news.push([key(tx), isNews]);
    });
    const [mined, replaced, pooled] = [spend(2), spend(3), spend(4)];
    await pool.add(pooled.blob, { source: 'peer', relay: 'fluff' });
    const fork = made.fork(LENGTH, 'popped');
    await chain.addSpan([fork.mine([mined]), fork.mine([replaced])].map(bundleOf));
    await chain.popBlocks(1);
    expect((await pool.templateBacklog()).map(key).sort()).toEqual(keys(replaced, pooled));
    const other = made.fork(LENGTH, 'other');
    for (let i = 0; i < 2; i++) await chain.addBlock(bundleOf(other.mine()));
    const { transactions } = await pool.selectForBlock();
    expect(transactions.map(key).sort()).toEqual(keys(mined, replaced, pooled));
    expect(news.sort()).toEqual(
      [
        [key(pooled), true],
        [key(replaced), false],
        [key(mined), false],
      ].sort(),
    );
    await pool.stop();
  });

  test('a block of a side chain makes private transactions public, and changes no others', async () => {
    const weight = spend(2).blob.length;
    const test = await startTestPool({ maxWeight: 4 * weight });
    const { pool, chain, clock } = test;
    const [known, withheld, stem, local] = [spend(2), spend(3), spend(4), spend(5)];
    await pool.add(known.blob, { source: 'peer', relay: 'fluff' });
    await pool.add(withheld.blob, { source: 'local', doNotRelay: true });
    await pool.add(stem.blob, { source: 'peer', relay: 'stem' });
    await pool.add(local.blob, { source: 'local' });
    await chain.addBlock(bundleOf(made.fork(LENGTH, 'main').mine()));
    clock.now += 50;
    const side = made.fork(LENGTH, 'side').mine([known, withheld, stem, local]);
    expect(await chain.addBlock(bundleOf(side))).toMatchObject({ status: 'alternative' });
    await pool.idle();
    const relays = [known, withheld, stem, local].map(({ id }) => pool.transaction(id));
    expect(relays).toMatchObject([
      { relay: 'fluff', keptByBlock: false },
      { relay: 'none', doNotRelay: true, broadcast: false },
      // Their time in the pool starts again.
      { relay: 'block', keptByBlock: true, receiveTime: clock.now },
      { relay: 'block', keptByBlock: true, receiveTime: clock.now },
    ]);
    expect([...test.published].sort()).toEqual([known, stem, local].map(key).sort());
    // Only what a block brought first cannot be evicted.
    for (const height of [6, 7]) {
      await pool.add(spend(height, 9_000_000_000n).blob, { source: 'peer', relay: 'fluff' });
    }
    expect(test.removed.map(([id]) => id).sort()).toEqual([known, withheld].map(key).sort());
  });

  test('takes back the transactions of a reorganization, even those that can no longer be mined', async () => {
    const test = await startTestPool();
    const { pool, chain } = test;
    const [stays, again] = [spend(2), spend(4)];
    const main = made.fork(LENGTH, 'main');
    await chain.addBlock(bundleOf(main.mine([stays, again])));
    expect(pool.size).toBe(0);
    const side = made.fork(LENGTH, 'side');
    await chain.addBlock(bundleOf(side.mine([again])));
    await pool.idle();
    // The transactions are on the side chain only: the pool does not change.
    expect(pool.size).toBe(0);
    expect(pool.returning).toBeUndefined();
    await chain.addBlock(bundleOf(side.mine([])));
    expect(chain.height).toBe(LENGTH + 3);
    // The chain is the new one already: who asks for both waits for this.
    expect(pool.size).toBe(0);
    await pool.returning;
    expect(ids(test)).toEqual(keys(stays));
    expect(pool.returning).toBeUndefined();
    await pool.idle();
    expect(ids(test)).toEqual(keys(stays));
    expect(pool.transaction(stays.id)).toMatchObject({ keptByBlock: true, maxUsedBlockHeight: 16 });
    // Now a chain that has other outputs at the indices it uses.
    const deep = made.fork(10, 'deep');
    deep.mineMany(LENGTH - 7);
    await chain.addSpan(deep.blocks.slice(10).map(bundleOf));
    expect(toHex(chain.topId)).toBe(toHex(deep.top.parsed.id));
    await pool.idle();
    expect(ids(test)).toEqual(keys(stays, again));
    expect((await pool.selectForBlock()).transactions).toEqual([]);
    expect(pool.transaction(again.id)).toMatchObject({ maxUsedBlockHeight: 0, keptByBlock: true });
  });

  test('checks all transactions by the new rules at a fork', async () => {
    const network = withOverrides(NETWORKS.regtest, {
      fixedDifficulty: 1n,
      hardForks: [
        { version: 1, height: 0, time: 0 },
        { version: 15, height: 1, time: 1 },
        { version: 16, height: LENGTH + 2, time: 2 },
      ],
    });
    const chain = new SpendableChain(network, 'fork');
    chain.mineMany(LENGTH);
    const test = await startTestPool({ network, chain });
    const { pool } = test;
    const fee = 3_000_000_000n;
    const [small, usual] = [chain.spend([2], { fee, ringSize: 11 }), chain.spend([3], { fee })];
    for (const { blob } of [small, usual]) {
      const result = await pool.add(blob, { source: 'peer', relay: 'fluff' });
      expect(result).toMatchObject({ status: 'added' });
    }
    await test.chain.addBlock(bundleOf(chain.mine()));
    await pool.idle();
    expect(test.chain.nextVersion()).toBe(16);
    expect(test.removed).toEqual([[key(small), 'invalid']]);
    expect((await pool.selectForBlock()).transactions.map(key)).toEqual([key(usual)]);
    const mined = chain.mine([usual]);
    expect(await test.chain.addBlock(bundleOf(mined))).toMatchObject({ status: 'added' });
    expect(test.chain.counters).toMatchObject({ cached: 1, transactions: 0 });
  });
});

describe('a restart', () => {
  test('evicts what is above a limit that is lower than before', async () => {
    const before = await startTestPool();
    const [low, mid, high] = [spend(2), spend(3, 4_000_000_000n), spend(4, 5_000_000_000n)];
    for (const { blob } of [high, low, mid]) await before.pool.add(blob, { source: 'local' });
    await before.pool.stop();
    const after = await startTestPool({ store: before.store, maxWeight: high.blob.length });
    expect(ids(after)).toEqual(keys(high));
    await after.pool.idle();
    expect([...after.store.poolTxs()]).toHaveLength(1);
  });

  test('keeps valid transactions without verifying them again', async () => {
    const before = await startTestPool();
    const [a, b, mined] = [spend(2), spend(3), spend(4)];
    await before.pool.add(a.blob, { source: 'local', doNotRelay: true });
    await before.pool.add(b.blob, { source: 'peer', relay: 'fluff' });
    await before.pool.add(mined.blob, { source: 'peer', relay: 'fluff' });
    await before.pool.add(spend(3, 9_000_000_000n).blob, { source: 'peer', relay: 'fluff' });
    const records = before.pool.transactions().map(shown);
    await before.pool.stop();
    // One transaction was mined while the pool was closed; another does not decode.
    await before.chain.addBlock(bundleOf(made.fork(LENGTH, 'meanwhile').mine([mined])));
    const [record] = before.store.poolTxs();
    if (record === undefined) throw new Error('nothing was stored');
    await before.store.commit({
      putPool: [{ ...record, id: new Uint8Array(32).fill(7), blob: Uint8Array.of(1) }],
    });
    const after = await startTestPool({ store: before.store });
    const asked = jest.spyOn(after.verifier, 'check');
    expect(ids(after)).toEqual(keys(a, b));
    expect(after.pool.transactions().map(shown)).toEqual(
      records.filter((tx) => key(tx) !== key(mined)),
    );
    expect(after.pool.transaction(b.id)?.doubleSpendSeen).toBe(true);
    expect([...after.store.poolTxs()].map(key).sort()).toEqual(keys(a, b));
    expect((await after.pool.selectForBlock()).transactions.map(key).sort()).toEqual(keys(a, b));
    expect(asked).not.toHaveBeenCalled();
    expect(await after.pool.flush()).toBe(2);
    expect([...after.store.poolTxs()]).toEqual([]);
  });

  test('verifies again what was verified with other ring members', async () => {
    const before = await startTestPool();
    const tx = spend(2);
    await before.pool.add(tx.blob, { source: 'peer', relay: 'fluff' });
    await before.pool.stop();
    // The same blocks below 11, different ones above: the ring members differ.
    const deep = made.fork(10, 'deeper');
    deep.mineMany(LENGTH - 9);
    await before.chain.addSpan(deep.blocks.slice(10).map(bundleOf));
    const after = await startTestPool({ store: before.store });
    expect(after.pool.size).toBe(1);
    expect((await after.pool.selectForBlock()).transactions).toEqual([]);
    expect(after.pool.transaction(tx.id)?.lastFailedHeight).toBe(LENGTH + 1);
  });
});
