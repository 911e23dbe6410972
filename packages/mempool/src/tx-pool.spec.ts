import { jest } from '@jest/globals';
import { encodeTransaction, parseTransaction, toHex, type Transaction } from '@monero-node/codec';
import type { ConsensusErrorCode } from '@monero-node/consensus';
import { until } from '@monero-node/base/testing';
import { bundleOf } from '@monero-node/blockchain/testing';
import { createMemoryStore } from '@monero-node/storage';
import { LIFETIME, LIFETIME_FROM_BLOCK, MAX_PENDING, SAVE_INTERVAL } from './limits.ts';
import { ids, key, keys, LENGTH, made, spend, startTestPool } from './testing/test-pool.ts';

/** All but that of the intervals of the pool. */
const REAL_TIMERS = [
  'setTimeout',
  'setImmediate',
  'nextTick',
  'queueMicrotask',
  'Date',
  'performance',
  'hrtime',
] as const;

afterEach(() => {
  jest.useRealTimers();
});

function setKeyImage(tx: Transaction, keyImage: Uint8Array): void {
  const [input] = tx.inputs;
  if (input?.kind !== 'key') throw new Error('no key input');
  input.keyImage = keyImage;
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

  /** Returns a transaction with a wrong range proof and another change, encoded. */
  function broken(change: (tx: Transaction) => void): Uint8Array {
    const { tx } = parseTransaction(spend(2).blob.slice());
    tx.prunable?.bulletproofsPlus[0]?.r1.fill(1);
    change(tx);
    return encodeTransaction(tx);
  }

  const relayFaults: [ConsensusErrorCode, (tx: Transaction) => unknown][] = [
    ['fee-too-low', (tx) => tx.rct && (tx.rct.fee = 0n)],
    ['tx-extra-too-big', (tx) => (tx.extra = new Uint8Array(1061))],
    ['nonzero-unlock-time', (tx) => (tx.unlockTime = 7n)],
  ];

  test.each(relayFaults)('reports %s before rules that cost work', async (code, change) => {
    const { pool, verifier } = await startTestPool();
    const asked = jest.spyOn(verifier, 'check');
    const result = await pool.add(broken(change), { source: 'peer' });
    expect(result).toMatchObject({ status: 'refused', error: { code } });
    expect(asked).not.toHaveBeenCalled();
  });

  test('reports a double spend in the pool before a wrong proof', async () => {
    const { pool } = await startTestPool();
    await pool.add(spend(2, 9_000_000_000n).blob, { source: 'local' });
    const result = await pool.add(
      broken(() => undefined),
      { source: 'local' },
    );
    expect(result).toMatchObject({ status: 'refused', error: { code: 'pool-double-spend' } });
  });

  const NO_POINT = new Uint8Array(32).fill(0xff);
  const pointFaults: [ConsensusErrorCode, string, (tx: Transaction) => void][] = [
    [
      'bad-tx-blob',
      'a commitment that is no point, even with a fee too low',
      (tx) => {
        if (tx.rct === undefined) throw new Error('no RingCT part');
        tx.rct.fee = 0n;
        tx.rct.outPk[0] = NO_POINT;
      },
    ],
    ['key-image-encoding', 'a key image that is no point', (tx) => setKeyImage(tx, NO_POINT)],
    [
      'bad-key-image',
      'the neutral element as key image',
      (tx) => setKeyImage(tx, new Uint8Array(32).fill(1, 0, 1)),
    ],
  ];

  test.each(pointFaults)('reports %s for %s', async (code, _what, change) => {
    const { pool } = await startTestPool();
    const result = await pool.add(broken(change), { source: 'peer' });
    expect(result).toMatchObject({ status: 'refused', error: { code } });
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
      pool.joinedPublicIds(Infinity),
      await pool.complement(new Uint8Array(0)),
      await pool.templateBacklog(),
    ]).toEqual([[], new Uint8Array(), [], []]);
    expect(pool.isSpent(input.keyImage)).toBe(false);
    expect(pool.transaction(id)).toMatchObject({ broadcast: false, lastRelayedTime: 0 });
    expect((await pool.selectForBlock()).transactions).toEqual([]);
    expect(await pool.add(blob, { source: 'peer', relay: 'stem' })).toMatchObject({
      status: 'known',
      relay: 'fluff',
    });
    expect(published).toEqual([toHex(id)]);
    expect(pool.publicIds().map(toHex)).toEqual([toHex(id)]);
    expect([pool.joinedPublicIds(9), pool.joinedPublicIds(0)]).toEqual([id, new Uint8Array()]);
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

  test('a template of public transactions leaves out those of clients, of the stem phase and withheld ones', async () => {
    const { pool } = await startTestPool({ mineStemTransactions: true });
    const [known, stem, withheld, own] = [spend(2), spend(3), spend(4), spend(5)];
    await pool.add(known.blob, { source: 'peer', relay: 'fluff' });
    await pool.add(stem.blob, { source: 'peer', relay: 'stem' });
    await pool.add(withheld.blob, { source: 'local', doNotRelay: true });
    await pool.add(own.blob, { source: 'local' });
    const all = await pool.selectForBlock();
    expect(all.transactions.map(key).sort()).toEqual(keys(known, stem, withheld));
    const visible = await pool.selectForBlock(undefined, true);
    expect(visible.transactions.map(key)).toEqual(keys(known));
    await pool.stop();
  });

  test('a transaction of a client that was not sent before the process ended is sent after the start', async () => {
    const store = createMemoryStore();
    const killed = await startTestPool({ store });
    const { blob, id } = spend(2);
    await killed.pool.add(blob, { source: 'local' });
    // Only the store is left of it.
    const { pool, clock, relayed } = await startTestPool({ store });
    expect(pool.transaction(id)).toMatchObject({ relay: 'local', relayed: false });
    for (let minute = 0; minute < 60 && relayed.length === 0; minute++) {
      clock.now += 60;
      pool.relayDue();
    }
    expect(relayed[0]).toEqual([[toHex(id)], 'local', undefined]);
    await pool.stop();
    await killed.pool.stop();
  });

  test('changes that nobody waits for share a commit, ten seconds later at most', async () => {
    jest.useFakeTimers({ doNotFake: [...REAL_TIMERS] });
    const store = createMemoryStore();
    const { pool } = await startTestPool({ store });
    const commits = jest.spyOn(store, 'commit');
    const txs = [spend(2), spend(3)];
    for (const { blob } of txs) await pool.add(blob, { source: 'peer', relay: 'stem' });
    expect(commits).not.toHaveBeenCalled();
    for (const { id, blob } of txs) expect(pool.transaction(id)?.blob).toEqual(blob);
    for (const method of ['stem', 'fluff'] as const) {
      for (const { id } of txs) pool.markRelayed([id], method);
    }
    await pool.flush(txs.slice(1).map(({ id }) => id));
    expect(commits).toHaveBeenCalledTimes(1);
    expect(Array.from(store.poolTxs(), ({ id }) => toHex(id))).toEqual(keys(...txs.slice(0, 1)));
    for (const { id } of txs) pool.markRelayed([id], 'fluff');
    jest.advanceTimersByTime(SAVE_INTERVAL * 1000);
    await until(() => commits.mock.calls.length === 2);
    await pool.stop();
    expect(commits).toHaveBeenCalledTimes(2);
  });

  test('that a transaction of a client was sent is stored at once: after a crash, it goes along no other stem', async () => {
    const store = createMemoryStore();
    const killed = await startTestPool({ store });
    const { blob, id } = spend(2);
    await killed.pool.add(blob, { source: 'local' });
    killed.pool.markRelayed([id], 'stem');
    await until(() => [...store.poolTxs()].every(({ meta }) => meta.relayed));
    const { pool } = await startTestPool({ store });
    expect(pool.transaction(id)).toMatchObject({ relay: 'stem', relayed: true });
    await pool.stop();
    await killed.pool.stop();
  });

  test('hides a transaction that must not be relayed, but may select it for a block', async () => {
    const { pool, relayed, clock, published } = await startTestPool();
    const { blob, id } = spend(2);
    const result = await pool.add(blob, { source: 'local', doNotRelay: true });
    expect(result).toMatchObject({ status: 'added', relay: 'none' });
    clock.now += 3600;
    pool.relayDue();
    expect([relayed, published, pool.publicIds(), await pool.templateBacklog()]).toEqual([
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
    await pool.expire();
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
    expect([...test.store.poolTxs()]).toHaveLength(3);
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
    await pool.expire();
    expect(pool.size).toBe(2);
    clock.now += 1;
    await pool.expire();
    expect(test.removed).toEqual([[key(tx), 'expired']]);
    const result = await pool.add(tx.blob, { source: 'peer', relay: 'fluff' });
    expect(result).toMatchObject({ status: 'timed-out' });
    clock.now += LIFETIME_FROM_BLOCK - LIFETIME;
    await pool.expire();
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
