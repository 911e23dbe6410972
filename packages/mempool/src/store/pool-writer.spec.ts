import {
  createMemoryStore,
  StorageError,
  type PoolStore,
  type StoreChange,
} from '@monero-node/storage';
import { PoolEntry } from './pool-entry.ts';
import { PoolWriter } from './pool-writer.ts';

const bytes = (value: number) => {
  const id = new Uint8Array(32).fill(value);
  id[0] = value >> 8;
  return id;
};

function setUp() {
  const store = createMemoryStore();
  const changes: StoreChange[] = [];
  let failing = false;
  const commit = store.commit.bind(store);
  store.commit = async (change) => {
    changes.push(change);
    if (failing) throw new StorageError('io', 'no room');
    await commit(change);
  };
  const entry = (value: number, weight = 1) =>
    new PoolEntry({
      id: bytes(value),
      keyImages: [],
      blob: Uint8Array.of(value),
      load: (id) => store.poolBlob(id),
      meta: {
        weight,
        fee: 1n,
        receiveTime: 1,
        maxUsedBlockHeight: 0,
        maxUsedBlockId: bytes(0),
        lastFailedHeight: 0,
        lastFailedId: bytes(0),
        relayMethod: 0,
        relayed: false,
        doubleSpendSeen: false,
      },
    });
  const fail = (now: boolean) => (failing = now);
  return { store, writer: new PoolWriter(store), changes, entry, fail };
}

describe('storing the pool', () => {
  test('commits the changes of one turn together, in their final state', async () => {
    const { store, writer, changes, entry } = setUp();
    const [a, b] = [entry(1), entry(2)];
    writer.put(a);
    writer.put(b);
    const saved = [writer.saved(), writer.saved()];
    a.relayed = true;
    writer.update(a);
    writer.remove(b);
    await Promise.all(saved);
    expect(changes).toHaveLength(1);
    expect([...store.poolTxs()]).toMatchObject([{ id: bytes(1), meta: { relayed: true } }]);
    // The bytes are read back from the store now.
    expect(a.blob).toEqual(Uint8Array.of(1));
  });

  test('commits a change made during a commit in the next one, and waits for it', async () => {
    const { store, writer, entry } = setUp();
    const a = entry(1);
    writer.put(a);
    const first = writer.saved();
    await Promise.resolve();
    await Promise.resolve();
    a.doubleSpendSeen = true;
    writer.update(a);
    await writer.saved();
    expect([...store.poolTxs()]).toMatchObject([{ meta: { doubleSpendSeen: true } }]);
    await first;
  });

  test('reports a failure to all waiters and loses nothing', async () => {
    const { store, writer, entry, fail } = setUp();
    const [a, gone] = [entry(1), entry(2)];
    writer.put(gone);
    await writer.saved();
    fail(true);
    writer.put(a);
    writer.remove(gone);
    const results = await Promise.allSettled([writer.saved(), writer.saved()]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(a.blob).toEqual(Uint8Array.of(1));
    fail(false);
    await writer.saved();
    expect([...store.poolTxs()].map(({ id }) => id)).toEqual([bytes(1)]);
  });

  test('writes many changes in several commits, and goes on where one failed', async () => {
    const { store, writer, changes, entry, fail } = setUp();
    const entries = Array.from({ length: 1200 }, (_, i) => entry(i));
    entries.forEach((each) => writer.put(each));
    const saved = writer.saved();
    store.commit = failingAfter(store.commit.bind(store), 1);
    await expect(saved).rejects.toMatchObject({ code: 'io' });
    expect([...store.poolTxs()]).toHaveLength(500);
    expect(entries[499]?.blob).toEqual(entry(499).blob);
    fail(false);
    await writer.saved();
    expect([...store.poolTxs()]).toHaveLength(1200);
    expect(changes.map(({ putPool }) => putPool?.length)).toEqual([500, 500, 200]);
  });

  test('writes new entries of much weight in several commits, one that is heavier alone', async () => {
    const { store, writer, changes, entry } = setUp();
    const weights = [900_000, 900_000, 900_000, 3_000_000, 1_000_000, 1_000_000, 1];
    const entries = weights.map((weight, i) => entry(i, weight));
    entries.forEach((each) => writer.put(each));
    await writer.saved();
    expect(changes.map(({ putPool }) => putPool?.length)).toEqual([2, 1, 1, 2, 1]);
    expect([...store.poolTxs()]).toHaveLength(7);
    // What is removed or changed goes without its bytes.
    entries.slice(0, 3).forEach((each) => writer.remove(each));
    entries.slice(3).forEach((each) => writer.update(each));
    await writer.saved();
    expect(changes).toHaveLength(6);
    expect([...store.poolTxs()]).toHaveLength(4);
  });

  test('holds back no more than the weight it is given', async () => {
    const { writer, changes, entry, fail } = setUp();
    const [a, b, c] = [entry(1), entry(2), entry(3)];
    for (const each of [a, a, b]) writer.put(each);
    await writer.keptUp(2);
    expect(changes).toEqual([]);
    // The bytes of what is removed are kept too, until that is stored: a full pool may evict what it has just taken, again and again.
    writer.remove(b);
    await writer.keptUp(2);
    expect(changes).toEqual([]);
    writer.put(c);
    await writer.keptUp(3);
    expect(changes).toEqual([]);
    fail(true);
    await expect(writer.keptUp(2)).rejects.toMatchObject({ code: 'io' });
    fail(false);
    // What could not be stored is still queued.
    await writer.keptUp(2);
    expect(changes.at(-1)?.putPool).toHaveLength(2);
    await writer.keptUp(0);
    expect(changes).toHaveLength(2);
    // One that comes back before its removal is stored counts once.
    writer.remove(a);
    writer.put(a);
    await writer.keptUp(1);
    expect(changes).toHaveLength(2);
  });

  test('after a failure, a transaction that was removed and came again is stored', async () => {
    const { store, writer, entry, fail } = setUp();
    const first = entry(1);
    writer.put(first);
    await writer.saved();
    fail(true);
    writer.remove(first);
    const saved = writer.saved();
    await Promise.resolve();
    await Promise.resolve();
    writer.put(entry(1));
    await expect(saved).rejects.toMatchObject({ code: 'io' });
    fail(false);
    await writer.saved();
    expect([...store.poolTxs()]).toHaveLength(1);
  });
});

/** Lets that many commits through, then fails once. */
function failingAfter(commit: PoolStore['commit'], count: number): PoolStore['commit'] {
  let calls = 0;
  return (change) =>
    calls++ === count ? Promise.reject(new StorageError('io', 'no room')) : commit(change);
}
