import { silentLogger, Yielder } from '@monero-node/base';
import { createMemoryStore, StorageError, type StoreChange } from '@monero-node/storage';
import { LIFETIME } from './limits.ts';
import { PoolEditor } from './pool-editor.ts';
import { RelaySchedule } from './relay/relay-schedule.ts';
import { PoolEntry } from './store/pool-entry.ts';
import { PoolState } from './store/pool-state.ts';
import { PoolWriter } from './store/pool-writer.ts';

const NOW = 1_700_000_000;
const NO_ID = new Uint8Array(32);

/** A pool with that many stored transactions, all of which are too old. */
async function setUp(count: number) {
  const store = createMemoryStore();
  const meta = {
    weight: 1,
    fee: 1n,
    receiveTime: NOW - LIFETIME - 1,
    maxUsedBlockHeight: 0,
    maxUsedBlockId: NO_ID,
    lastFailedHeight: 0,
    lastFailedId: NO_ID,
    relayMethod: 0,
    relayed: false,
    doubleSpendSeen: false,
  };
  const state = new PoolState();
  const putPool = Array.from({ length: count }, (_, i) => {
    const id = new Uint8Array(32);
    new DataView(id.buffer).setUint32(0, i);
    return { id, blob: Uint8Array.of(1), meta };
  });
  await store.commit({ putPool });
  const load = (id: Uint8Array) => store.poolBlob(id);
  for (const { id } of putPool) state.add(new PoolEntry({ id, keyImages: [], meta, load }), NOW);

  const commits: StoreChange[] = [];
  const errors: string[] = [];
  const commit = store.commit.bind(store);
  let isFailing = false;
  store.commit = (change) => {
    commits.push(change);
    return isFailing ? Promise.reject(new StorageError('io', 'no room')) : commit(change);
  };
  const editor = new PoolEditor({
    state,
    writer: new PoolWriter(store),
    schedule: new RelaySchedule(NOW, () => 0),
    logger: { ...silentLogger, error: (text: string) => void errors.push(text) },
    now: () => NOW,
    elapsed: () => 0,
    maxWeight: 1e9,
    emit: () => true,
  });
  return { state, editor, commits, errors, fail: () => (isFailing = true) };
}

test('a whole pool that is too old is removed in parts, and others have their turns', async () => {
  const { state, editor, commits } = await setUp(1200);
  const [, , mined] = state.entries;
  let turns = 0;
  const nextSlice = (): Promise<void> => {
    // A block takes one meanwhile.
    if (++turns === 2 && mined !== undefined) editor.remove(mined, 'mined');
    return Promise.resolve();
  };
  await editor.expire(new Yielder({ sliceMs: 0 }, { nextSlice }));
  expect(turns).toBeGreaterThan(1000);
  expect(state.size).toBe(0);
  expect(commits.map(({ removePool }) => removePool?.length)).toEqual([500, 1, 500]);
  await editor.saved();
  expect(commits.flatMap(({ removePool }) => removePool ?? [])).toHaveLength(1200);
  expect(mined && editor.isTimedOut(mined.key)).toBe(false);
});

test('no more is removed than can be stored', async () => {
  const { state, editor, errors, fail } = await setUp(600);
  fail();
  await editor.expire();
  expect(state.size).toBe(100);
  expect(errors).toEqual([expect.stringContaining('no room')]);
});

test('many are removed in parts, and those that left meanwhile are not counted', async () => {
  const { state, editor, commits } = await setUp(1200);
  const [, , mined] = state.entries;
  let turns = 0;
  const nextSlice = (): Promise<void> => {
    if (++turns === 2 && mined !== undefined) editor.remove(mined, 'mined');
    return Promise.resolve();
  };
  const yielder = new Yielder({ sliceMs: 0 }, { nextSlice });
  expect(await editor.removeAll([...state.entries], 'flushed', yielder)).toBe(1199);
  expect(state.size).toBe(0);
  expect(commits.map(({ removePool }) => removePool?.length)).toEqual([500, 1, 500, 199]);
});
