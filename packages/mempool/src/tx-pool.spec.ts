import { jest } from '@jest/globals';
import { encodeTransaction, parseTransaction, toHex } from '@monero-node/codec';
import { NETWORKS, withOverrides, type ConsensusErrorCode } from '@monero-node/consensus';
import { bundleOf, SpendableChain } from '@monero-node/blockchain/testing';
import { LIFETIME, LIFETIME_FROM_BLOCK, MAX_PENDING } from './limits.ts';
import type { PoolTransaction } from './pool-entry.ts';
import { key, LENGTH, made, spend, startTestPool, type TestPool } from './testing/test-pool.ts';

const ids = ({ pool }: TestPool) => pool.transactions().map(key).sort();
const keys = (...txs: { id: Uint8Array }[]) => txs.map(key).sort();

/** The public fields of a transaction. */
function shown(tx: PoolTransaction) {
  const { id, blob, weight, fee, receiveTime, lastRelayedTime, relayed, doNotRelay } = tx;
  const { keptByBlock, doubleSpendSeen, maxUsedBlockHeight, maxUsedBlockId, broadcast } = tx;
  const { lastFailedHeight, lastFailedId, keyImages, relay } = tx;
  return {
    ...{ id, blob, weight, fee, receiveTime, lastRelayedTime, relayed, doNotRelay },
    ...{ keptByBlock, doubleSpendSeen, maxUsedBlockHeight, maxUsedBlockId, broadcast },
    ...{ lastFailedHeight, lastFailedId, keyImages, relay },
  };
}

describe('admission', () => {
  test('verifies a transaction once when it arrives several times at once', async () => {
    const { pool, verifier } = await startTestPool();
    const asked = jest.spyOn(verifier, 'check');
    const tx = spend(2);
    const results = await Promise.all(
      [1, 2, 3].map(() => pool.add(tx.blob, { source: 'peer', relay: 'fluff' })),
    );
    expect(results.map(({ status }) => status)).toEqual(['added', 'known', 'known']);
    expect(asked.mock.calls.filter(([{ kind }]) => kind === 'clsag')).toHaveLength(1);
    expect(pool.size).toBe(1);
    expect(pool.weight).toBe(tx.blob.length);
    expect(toHex(pool.transaction(tx.id)?.blob ?? new Uint8Array())).toBe(toHex(tx.blob));
  });

  test('remembers a rejection until the tip moves', async () => {
    const { pool, chain, verifier } = await startTestPool();
    const bad = parseTransaction(spend(2).blob.slice());
    bad.tx.prunable?.clsags[0]?.s[3]?.fill(2);
    const blob = encodeTransaction(bad.tx);
    const asked = jest.spyOn(verifier, 'check');
    const attempt = async () => {
      const result = await pool.add(blob, { source: 'peer' });
      expect(result).toMatchObject({ status: 'refused', error: { code: 'bad-ring-signature' } });
    };
    await attempt();
    const work = asked.mock.calls.length;
    await attempt();
    expect(asked.mock.calls).toHaveLength(work);
    await chain.addBlock(bundleOf(made.fork(LENGTH, 'next').mine()));
    await attempt();
    expect(asked.mock.calls.length).toBeGreaterThan(work);
  });

  test('rejects a double spend and marks the transaction in the pool', async () => {
    const test = await startTestPool();
    const [tx, other] = [spend(2), spend(2, 9_000_000_000n)];
    await test.pool.add(tx.blob, { source: 'local' });
    const result = await test.pool.add(other.blob, { source: 'local' });
    expect(result).toMatchObject({ status: 'refused', error: { code: 'pool-double-spend' } });
    expect(test.pool.transaction(tx.id)?.doubleSpendSeen).toBe(true);
    expect(ids(test)).toEqual(keys(tx));
    // Of two that arrive at the same time, one is accepted.
    const both = await Promise.all(
      [spend(3), spend(3, 9_000_000_000n)].map(({ blob }) =>
        test.pool.add(blob, { source: 'peer' }),
      ),
    );
    expect(both.map(({ status }) => status).sort()).toEqual(['added', 'refused']);
    // Once the first has left, the other is accepted.
    await test.pool.remove(tx.id);
    expect(await test.pool.add(other.blob, { source: 'local' })).toMatchObject({ status: 'added' });
  });

  test('rejects a flood before it is stored', async () => {
    const { pool } = await startTestPool();
    const { blob } = spend(2);
    const results = await Promise.all(
      Array.from({ length: MAX_PENDING + 3 }, () => pool.add(blob, { source: 'peer' })),
    );
    expect(results.filter(({ status }) => status === 'busy')).toHaveLength(3);
    expect(await pool.add(blob, { source: 'peer' })).toMatchObject({ status: 'known' });
  });
});

describe('privacy and relaying', () => {
  test('makes a stem transaction public when it arrives again', async () => {
    const { pool, published } = await startTestPool();
    const { blob, id, tx } = spend(2);
    const [input] = tx.inputs;
    if (input?.kind !== 'key') throw new Error('not a spend');
    expect(await pool.add(blob, { source: 'peer', relay: 'stem' })).toMatchObject({
      status: 'added',
      relay: 'stem',
    });
    expect([
      pool.publicIds(),
      await pool.complement(new Uint8Array(0)),
      pool.templateBacklog(),
    ]).toEqual([[], [], []]);
    expect(pool.isSpent(input.keyImage)).toBe(false);
    expect(pool.transaction(id)).toMatchObject({ broadcast: false, lastRelayedTime: 0 });
    expect((await pool.selectForBlock()).transactions).toEqual([]);
    expect(await pool.add(blob, { source: 'peer', relay: 'stem' })).toMatchObject({
      status: 'known',
      relay: 'fluff',
    });
    expect(published).toEqual([toHex(id)]);
    expect(pool.publicIds().map(toHex)).toEqual([toHex(id)]);
    expect(await pool.complement(new Uint8Array(0))).toHaveLength(1);
    expect(await pool.complement(id)).toEqual([]);
    expect(pool.isSpent(input.keyImage)).toBe(true);
    expect((await pool.selectForBlock()).transactions.map(key)).toEqual([toHex(id)]);
    expect(await pool.add(blob, { source: 'peer', relay: 'fluff' })).toMatchObject({
      status: 'known',
      relay: 'none',
    });
  });

  test('relays a transaction of a client, in the stem phase first, and publicly after a delay', async () => {
    const { pool, clock, relayed, published } = await startTestPool();
    const { blob, id } = spend(2);
    await pool.add(blob, { source: 'local' });
    expect(relayed).toEqual([[[toHex(id)], 'local', undefined]]);
    pool.markRelayed([id], 'stem');
    expect(pool.transaction(id)).toMatchObject({ relay: 'stem', relayed: true });
    relayed.length = 0;
    clock.now += 5;
    pool.relayDue();
    expect(relayed).toEqual([]);
    clock.now += 120;
    pool.relayDue();
    expect(relayed).toEqual([[[toHex(id)], 'fluff', undefined]]);
    expect(published).toEqual([]);
    pool.markRelayed([id], 'fluff');
    expect(published).toEqual([toHex(id)]);
    expect(pool.transaction(id)?.lastRelayedTime).toBe(clock.now);
  });

  test('hides a transaction that must not be relayed, but may select it for a block', async () => {
    const { pool, relayed, clock, published } = await startTestPool();
    const { blob, id } = spend(2);
    const result = await pool.add(blob, { source: 'local', doNotRelay: true });
    expect(result).toMatchObject({ status: 'added', relay: 'none' });
    clock.now += 3600;
    pool.relayDue();
    expect([relayed, published, pool.publicIds(), pool.templateBacklog()]).toEqual([
      [],
      [],
      [],
      [],
    ]);
    expect((await pool.selectForBlock()).transactions.map(key)).toEqual([toHex(id)]);
  });

  test('relays the transactions of a peer and names the connection they came over', async () => {
    const { pool, relayed } = await startTestPool();
    const [a, b] = [spend(2), spend(3)];
    const cheap = spend(4, 1n);
    const message = { txs: [a.blob, cheap.blob, b.blob], fluff: true, connectionId: 'ab' };
    const judged: string[] = [];
    const isOffense = (code: ConsensusErrorCode) => {
      judged.push(code);
      return code !== 'fee-too-low';
    };
    expect(await pool.receive(message, isOffense)).toBe(true);
    expect(relayed).toEqual([[[key(a), key(b)], 'fluff', 'ab']]);
    expect(await pool.receive(message, isOffense)).toBe(true);
    expect(relayed).toHaveLength(1);
    const undecodable = { ...message, txs: [Uint8Array.of(1, 2, 3)] };
    expect(await pool.receive(undecodable, isOffense)).toBe(false);
    expect(judged).toEqual(['fee-too-low', 'fee-too-low', 'bad-tx-blob']);
  });

  test('treats a transaction that has timed out as an offense of its peer', async () => {
    const { pool, clock } = await startTestPool();
    const { blob } = spend(2);
    await pool.add(blob, { source: 'peer', relay: 'fluff' });
    clock.now += LIFETIME + 1;
    pool.expire();
    const message = { txs: [blob], fluff: true, connectionId: 'ab' };
    expect(await pool.receive(message, () => false)).toBe(false);
  });
});

describe('limits', () => {
  test('evicts the transactions with the lowest fee rate, but none from a block', async () => {
    const weight = spend(2).blob.length;
    const test = await startTestPool({ maxWeight: 3 * weight });
    const [low, mid, high] = [spend(2), spend(3, 4_000_000_000n), spend(4, 5_000_000_000n)];
    const kept = spend(5, 2_000_000_000n);
    await test.pool.add(kept.blob, { source: 'block' });
    for (const { blob } of [low, mid]) await test.pool.add(blob, { source: 'local' });
    expect(test.pool.transaction(kept.id)?.keptByBlock).toBe(true);
    expect(test.removed).toEqual([]);
    await test.pool.add(high.blob, { source: 'local' });
    expect(test.removed).toEqual([[key(low), 'evicted']]);
    expect(ids(test)).toEqual(keys(kept, mid, high));
    expect(test.store.poolTxs()).toHaveLength(3);
    // A transaction with the lowest fee rate is evicted at once.
    const result = await test.pool.add(low.blob, { source: 'local' });
    expect(result.status).toBe('added');
    expect(ids(test)).toEqual(keys(kept, mid, high));
  });

  test('expires transactions, those from blocks later, and does not accept them again', async () => {
    const test = await startTestPool();
    const { pool, clock } = test;
    const [tx, kept] = [spend(2), spend(3)];
    await pool.add(tx.blob, { source: 'peer', relay: 'fluff' });
    await pool.add(kept.blob, { source: 'block' });
    clock.now += LIFETIME;
    pool.expire();
    expect(pool.size).toBe(2);
    clock.now += 1;
    pool.expire();
    expect(test.removed).toEqual([[key(tx), 'expired']]);
    const result = await pool.add(tx.blob, { source: 'peer', relay: 'fluff' });
    expect(result).toMatchObject({ status: 'timed-out' });
    clock.now += LIFETIME_FROM_BLOCK - LIFETIME;
    pool.expire();
    expect(pool.size).toBe(0);
    expect(await pool.add(tx.blob, { source: 'block' })).toMatchObject({ status: 'added' });
  });

  test('returns the additions and removals since a time', async () => {
    const { pool, clock } = await startTestPool();
    const [a, b, secret] = [spend(2), spend(3), spend(4)];
    const since = (time: number, includePrivate = false) => {
      const { incremental, added, removed } = pool.changesSince(time, includePrivate);
      return [incremental, added.map(key).sort(), removed.map(toHex)];
    };
    await pool.add(a.blob, { source: 'peer', relay: 'fluff' });
    await pool.add(secret.blob, { source: 'peer', relay: 'stem' });
    expect(since(0)).toEqual([false, keys(a), []]);
    clock.now += 10;
    expect(since(clock.now - 1)).toEqual([false, keys(a), []]);
    await pool.add(b.blob, { source: 'peer', relay: 'fluff' });
    await pool.remove(a.id);
    clock.now += 10;
    expect(since(clock.now - 5)).toEqual([true, [], []]);
    await pool.remove(b.id);
    pool.markRelayed([secret.id], 'fluff');
    expect(since(clock.now - 5)).toEqual([true, keys(secret), keys(b)]);
  });
});

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
    expect(pool.stats(0).failing).toBe(1);
    expect((await pool.selectForBlock()).transactions).toEqual([]);
    expect(pool.templateBacklog()).toEqual([]);
    expect(await pool.add(tx.blob, { source: 'local' })).toMatchObject({
      status: 'known',
      where: 'chain',
    });
    await pool.idle();
    expect(test.store.poolTxs().map(key)).toEqual([key(loser)]);
    // When that block is removed, both may be mined again, though not together.
    await chain.popBlocks(1);
    await pool.idle();
    expect(pool.size).toBe(3);
    expect(pool.transaction(tx.id)?.keptByBlock).toBe(true);
    const { transactions } = await pool.selectForBlock();
    expect(transactions.map(key)).toHaveLength(2);
    expect(transactions.map(key)).not.toContain(key(loser));
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

  test('takes back the transactions of a reorganisation, even those that can no longer be mined', async () => {
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
    await chain.addBlock(bundleOf(side.mine([])));
    expect(chain.height).toBe(LENGTH + 3);
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
    expect(after.store.poolTxs().map(key).sort()).toEqual(keys(a, b));
    expect((await after.pool.selectForBlock()).transactions.map(key).sort()).toEqual(keys(a, b));
    expect(asked).not.toHaveBeenCalled();
    expect(await after.pool.flush()).toBe(2);
    expect(after.store.poolTxs()).toEqual([]);
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
