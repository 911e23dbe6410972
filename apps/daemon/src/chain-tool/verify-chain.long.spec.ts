import { copyFileSync, mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open } from 'lmdb';
import { bundleOf, EASY, SpendableChain, startTestChain } from '@monero-node/blockchain/testing';
import { createBackend } from '@monero-node/crypto';
import { openLmdbStore, StoreCheck, type Finding } from '@monero-node/storage';
import { verifyChain } from './verify-chain.ts';
import {
  emptyState,
  fileIdentity,
  loadState,
  saveState,
  type VerifyState,
} from './verify-state.ts';

const source = new SpendableChain(EASY, 'verify chain');
source.mineMany(90);
source.mine([source.spend([2, 3])]);
source.mineMany(3);
source.mine([source.spend([4]), source.spend([5])]);
source.mineMany(2);
const HEIGHT = source.blocks.length + 1;
const SPENDING = 91;
const backend = createBackend();

let sound: string;
/** With the hashes in the recent tables. */
let collecting: string;
let folder: string;
beforeAll(async () => {
  sound = await makeChain(0);
  collecting = await makeChain(2 ** 20);
}, 60_000);

async function makeChain(recentHashes: number): Promise<string> {
  const path = mkdtempSync(join(tmpdir(), 'verify-'));
  // No hash may wait in memory, so that all tables are filled.
  const store = await openLmdbStore({ path, waitingHashes: 0, recentHashes });
  const { chain } = await startTestChain(EASY, store);
  await chain.addSpan(source.blocks.map(bundleOf));
  // A commit writes the hashes of the blocks below.
  await store.setProperty('color', Uint8Array.of(7));
  const pool = source.spend([6]);
  const id = pool.id;
  const meta = {
    weight: 1,
    fee: 1n,
    receiveTime: 1,
    maxUsedBlockHeight: 0,
    maxUsedBlockId: id,
    lastFailedHeight: 0,
    lastFailedId: id,
    relayMethod: 1,
    relayed: false,
    doubleSpendSeen: false,
  };
  await store.commit({ putPool: [{ id, meta, blob: pool.blob }] });
  await chain.addBlock(bundleOf(new SpendableChain(EASY, 'other').mine()));
  expect(store.altBlockCount).toBe(1);
  expect(chain.height).toBe(HEIGHT);
  await chain.stop();
  await store.close();
  return path;
}
afterAll(() => {
  for (const path of [sound, collecting]) rmSync(path, { recursive: true });
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'verify-'));
  copyFileSync(join(sound, 'data.mdb'), join(folder, 'data.mdb'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** In place of the identity of the data file. */
const FILE = 'the data file';

async function verify(
  state: VerifyState = emptyState(FILE),
  signal = new AbortController().signal,
  onProgress: (done: number) => void = () => undefined,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const check = await StoreCheck.open(folder);
  try {
    await verifyChain(check, state, {
      network: EASY,
      commitToAmount: (amount) => backend.commitToAmount(amount),
      signal,
      onSave: (reached) => saveState(join(folder, 'state.json'), reached),
      onFinding: (finding) => findings.push(finding),
      onProgress,
    });
  } finally {
    await check.close();
  }
  return findings;
}

type Rows = ReturnType<ReturnType<typeof open>['openDB']>;

/** Changes rows of a table behind the store's back. */
async function damage(table: string, change: (rows: Rows) => Promise<unknown>): Promise<void> {
  const root = open({ path: folder, noSubdir: false, maxDbs: 30, encoding: 'binary' });
  const isNumbered = NUMBERED.has(table);
  const keyEncoding = isNumbered ? 'uint32' : 'binary';
  await change(root.openDB({ name: table, keyEncoding, encoding: 'binary' }) as Rows);
  await root.close();
}

const NUMBERED = new Set([
  ...['block', 'block_meta', 'txs', 'prunable', 'rct_output', 'hash_slice'],
  ...['recent_tx_id', 'recent_key_image'],
]);

const TABLES = [
  ...['block', 'block_meta', 'txs', 'prunable', 'rct_output', 'amount_output', 'output_count'],
  ...['block_id', 'tx_id', 'key_image', 'alt_block', 'pool_tx'],
] as const;

const middleKey = (rows: Rows) => {
  const keys = [...rows.getKeys()].map((key) =>
    typeof key === 'number' ? key : Buffer.from(key as Uint8Array),
  );
  return keys[keys.length >> 1] ?? 0;
};

test('a sound chain has no findings', async () => {
  expect(await verify()).toEqual([]);
});

test.each(TABLES)(
  'table %s: every flipped byte of a row is found',
  async (table) => {
    let key: number | Buffer = 0;
    let size = 0;
    await damage(table, (rows) => {
      key = NUMBERED.has(table) && table !== 'rct_output' ? SPENDING : middleKey(rows);
      size = (rows.get(key) as Buffer).length;
      return Promise.resolve();
    });
    const step = Math.max(1, Math.floor(size / 9));
    for (let at = 0; at < size; at += step) {
      // Of the record, the long-term weight, the low bytes of weights kept and the difficulty are taken over.
      if (table === 'block_meta' && at >= 48 && at < 72) continue;
      // Of an alternative block, the difficulty and the coins are estimates.
      if (table === 'alt_block' && at >= 12 && at < 36) continue;
      let before = Buffer.alloc(0);
      await damage(table, (rows) => {
        before = Buffer.from(rows.get(key) as Buffer);
        const changed = Buffer.from(before);
        changed[at] = (changed[at] ?? 0) ^ 1;
        return rows.put(key, changed);
      });
      const findings = await verify();
      expect([table, at, findings.length > 0]).toEqual([table, at, true]);
      await damage(table, (rows) => rows.put(key, before));
    }
    expect(await verify()).toEqual([]);
  },
  120_000,
);

test.each(TABLES.filter((table) => table !== 'alt_block'))(
  'table %s: a row that is missing is found',
  async (table) => {
    await damage(table, (rows) => rows.remove(middleKey(rows)));
    expect((await verify()).map((finding) => finding.table)).toContain(table);
  },
);

test.each(TABLES.filter((table) => table !== 'alt_block'))(
  'table %s: a row too many is found',
  async (table) => {
    await damage(table, (rows) => {
      const key = middleKey(rows);
      const value = rows.get(key) as Buffer;
      const isIndex = typeof key === 'number';
      const other = isIndex ? 0 : Buffer.from(key);
      if (typeof other === 'number') return rows.put(table === 'rct_output' ? 5000 : 5000, value);
      other[other.length - 1] = (other.at(-1) ?? 0) ^ 0x55;
      return rows.put(other, value);
    });
    const tables = (await verify()).map((finding) => finding.table);
    expect(tables).toContain(table);
  },
);

test.each(['recent_tx_id', 'recent_key_image'])('table %s: damage is found', async (table) => {
  const damaged = async (change: (rows: Rows) => Promise<unknown>) => {
    copyFileSync(join(collecting, 'data.mdb'), join(folder, 'data.mdb'));
    await damage(table, change);
    return (await verify()).length;
  };
  const flip = (at: number) => (rows: Rows) => {
    const row = Buffer.from(rows.get(middleKey(rows)) as Buffer);
    row[at] = (row[at] ?? 0) ^ 1;
    return rows.put(middleKey(rows), row);
  };
  expect(await damaged(() => Promise.resolve())).toBe(0);
  for (const at of [0, 1, 20, 32, 35]) expect(await damaged(flip(at))).toBeGreaterThan(0);
  expect(await damaged((rows) => rows.remove(middleKey(rows)))).toBeGreaterThan(0);
  const copyRow = (rows: Rows) => rows.put(1, rows.get(middleKey(rows)) as Buffer);
  expect(await damaged(copyRow)).toBeGreaterThan(0);
});

test.each([0, 50, 5000])('a height of %d in table hash_slice is found', async (height) => {
  // With an id above that height, which a row claims not to hold or to hold already.
  const slice = source.blocks.at(-3)?.txs[0]?.id[0];
  if (slice === undefined) throw new Error('the block has no transaction');
  const value = Buffer.alloc(4);
  value.writeUInt32LE(height);
  await damage('hash_slice', (rows) => rows.put(slice, value));
  expect(await verify()).not.toEqual([]);
});

test('a finding names the table, the row and the block', async () => {
  await damage('block', (rows) => rows.remove(40));
  const [finding] = await verify();
  expect(finding).toEqual({ table: 'block', key: '40', height: 40, problem: 'is missing' });
});

test('an interrupted run goes on where it was, and ends with the same totals', async () => {
  const whole = emptyState(FILE);
  await verify(whole);
  const stop = new AbortController();
  const first = verify(emptyState(FILE), stop.signal, (done) => {
    if (done > 30) stop.abort(new Error('interrupted'));
  });
  await expect(first).rejects.toThrow('interrupted');
  const check = await StoreCheck.open(folder);
  const state = loadState(join(folder, 'state.json'), check, FILE);
  await check.close();
  expect(state?.height).toBeGreaterThan(20);
  expect(state?.height).toBeLessThan(40);
  expect(await verify(state)).toEqual([]);
  expect(state?.totals).toEqual(whole.totals);
});

test('the state of another chain is not taken over', async () => {
  const file = join(folder, 'state.json');
  saveState(file, { ...emptyState(FILE), height: 5, topId: '00'.repeat(32) });
  const check = await StoreCheck.open(folder);
  expect(loadState(file, check, FILE)).toBeUndefined();
  await check.close();
});

test('a data file that was replaced or written to is verified from the start', async () => {
  const file = join(folder, 'state.json');
  const data = join(folder, 'data.mdb');
  const check = await StoreCheck.open(folder);
  const topId = Buffer.from(check.meta(4)?.id ?? []).toString('hex');
  const before = fileIdentity(data);
  saveState(file, { ...emptyState(before), height: 5, topId });
  expect(loadState(file, check, fileIdentity(data))?.height).toBe(5);
  await check.close();
  utimesSync(data, new Date(), new Date(0));
  expect(fileIdentity(data)).not.toBe(before);
  expect(loadState(file, check, fileIdentity(data))).toBeUndefined();
});
