import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createReferenceBackend } from '@monero-node/crypto';
import { accountFromSeed } from '../keys/account.ts';
import { SubaddressTable } from '../keys/subaddress-table.ts';
import { Scanner } from '../scan/scan.ts';
import { fileStore } from './file-store.ts';
import { createScanWorker, type ScanWorker, type ScanWorkerOptions } from './scan-worker.ts';
import type { TableStore } from './stores.ts';
import { blocksOf, recordedWallet } from '../testing/fixtures.ts';
import { decodeSeed } from '../seed/seed.ts';
import { english } from '../words/english.ts';

const { transactions, words } = recordedWallet();
const account = accountFromSeed(decodeSeed(words, [english]).secret);
const blocks = blocksOf(transactions);
const lookahead = { accounts: 2, addresses: 150 };
const other = accountFromSeed(new Uint8Array(32).fill(9));

const workers: ScanWorker[] = [];
async function start(options: Partial<ScanWorkerOptions> = {}): Promise<ScanWorker> {
  const worker = await createScanWorker({ account, lookahead, ...options });
  workers.push(worker);
  return worker;
}
afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.close();
});

/** A new one: the addresses become more as outputs are found. */
const scanner = () => new Scanner({ account, backend: createReferenceBackend(), lookahead });

test('finds in blocks what a scanner finds, with progress', async () => {
  const worker = await start();
  const many = Array.from({ length: 130 }, (_, i) => blocks[i % blocks.length] as never);
  const progress: number[] = [];
  const found = await worker.scanBlocks(many, { onProgress: (done) => progress.push(done) });
  expect(found.length).toBeGreaterThan(130);
  expect(found).toEqual(scanner().scanBlocks(many));
  expect(progress).toEqual([100 / 130, 1]);
});

test('finds in transactions what a scanner finds', async () => {
  const worker = await start();
  expect(await worker.scan(transactions)).toEqual(scanner().scan(transactions));
  expect(await worker.scan([])).toEqual([]);
});

test('a worker that is disposed of is closed', async () => {
  const worker = await start();
  await worker[Symbol.asyncDispose]();
  await expect(worker.scan(transactions)).rejects.toMatchObject({ code: 'closed' });
});

test('a malformed block is an error, and the worker goes on', async () => {
  const worker = await start();
  const bad = { block: Uint8Array.of(1, 2, 3), pruned: false, txs: [] };
  await expect(worker.scanBlocks([bad])).rejects.toMatchObject({ name: 'DecodeError' });
  expect(await worker.scan(transactions)).toHaveLength(transactions.length);
});

test('a scan ends with its signal, and the worker goes on', async () => {
  const worker = await start();
  const stop = new AbortController();
  const many = Array.from({ length: 1000 }, () => blocks[0] as never);
  const reason = new Error('enough');
  let parts = 0;
  const scan = worker.scanBlocks(many, {
    signal: stop.signal,
    onProgress: () => {
      if (++parts === 2) stop.abort(reason);
    },
  });
  await expect(scan).rejects.toBe(reason);
  expect(parts).toBe(2);
  await expect(worker.scan(transactions, { signal: stop.signal })).rejects.toBe(reason);
  expect(await worker.scan(transactions)).toHaveLength(transactions.length);
});

describe('the addresses', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'scan-worker-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  test('are computed once, with progress, and kept in a file', async () => {
    const path = join(folder, 'table');
    const progress: number[] = [];
    const onProgress = (done: number): void => void progress.push(done);
    await start({ store: fileStore(path), onProgress });
    expect(progress).toEqual([1 / 3, 2 / 3, 1]);
    const table = new SubaddressTable(account, createReferenceBackend(), lookahead);
    await table.prepare();
    expect(new Uint8Array(await readFile(path))).toEqual(table.save());
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['table']);
    await start({ store: fileStore(path), onProgress });
    expect(progress).toHaveLength(3);
    // Another lookahead needs more of them.
    await start({ store: fileStore(path), onProgress, lookahead: { accounts: 2, addresses: 250 } });
    expect(progress.length).toBeGreaterThan(3);
    expect((await stat(path)).size).toBeGreaterThan(500 * 32);
  });

  test('of another account and changed ones are not used', async () => {
    const path = join(folder, 'table');
    await start({ store: fileStore(path), account: other });
    const foreign = await readFile(path);
    const worker = await start({ store: fileStore(path) });
    expect((await worker.scan(transactions)).some(({ outputs }) => outputs.length > 0)).toBe(true);
    const own = await readFile(path);
    expect(own).not.toEqual(foreign);
    await writeFile(path, own.fill(7, 5, 6));
    const progress: number[] = [];
    await start({ store: fileStore(path), onProgress: (done) => progress.push(done) });
    expect(progress).toHaveLength(3);
  });

  test('a store that fails is an error, and nothing is left running', async () => {
    const broken: TableStore = {
      load: () => Promise.resolve(undefined),
      save: () => Promise.reject(new Error('full')),
    };
    await expect(start({ store: broken })).rejects.toThrow('full');
    await expect(start({ store: fileStore(folder) })).rejects.toMatchObject({ code: 'EISDIR' });
    await expect(start({ store: fileStore(join(folder, 'none', 'table')) })).rejects.toMatchObject({
      code: 'ENOENT',
    });
  });

  test('computing them ends with its signal', async () => {
    const stop = new AbortController();
    const reason = new Error('enough');
    const making = start({
      lookahead: { accounts: 50, addresses: 1000 },
      backend: 'reference',
      signal: stop.signal,
      onProgress: () => stop.abort(reason),
    });
    await expect(making).rejects.toBe(reason);
  });
});

test('addresses beyond the lookahead are found when they are used', async () => {
  const worker = await start({ lookahead: { accounts: 1, addresses: 1 } });
  const few = new Scanner({
    account,
    backend: createReferenceBackend(),
    lookahead: { accounts: 1, addresses: 1 },
  });
  const before = few.scan(transactions).flatMap(({ outputs }) => outputs);
  const places = scanner()
    .scan(transactions)
    .flatMap(({ outputs }) => outputs.map(({ subaddress }) => subaddress));
  for (const at of places) {
    await worker.use(at);
    few.subaddresses.use(at);
  }
  const found = await worker.scan(transactions);
  expect(found).toEqual(few.scan(transactions));
  expect(found.flatMap(({ outputs }) => outputs).length).toBeGreaterThan(before.length);
});

test('what progress throws, and what cannot be copied, rejects and leaves nothing', async () => {
  const full = new Error('no room for the log');
  const making = start({
    onProgress: () => {
      throw full;
    },
  });
  await expect(making).rejects.toBe(full);
  const worker = await start();
  const proxy = new Proxy(blocks[0] as object, {}) as never;
  await expect(worker.scanBlocks([proxy])).rejects.toMatchObject({ name: 'DataCloneError' });
  expect(await worker.scan(transactions)).toHaveLength(transactions.length);
});

test('a closed worker answers nothing', async () => {
  const worker = await start();
  const scan = expect(worker.scan(transactions)).rejects.toMatchObject({
    name: 'ScanWorkerError',
    code: 'closed',
  });
  await worker.close();
  await scan;
  await expect(worker.scan(transactions)).rejects.toMatchObject({ code: 'closed' });
});

test('options are checked, and keys too', async () => {
  const make = (options: object) => createScanWorker({ account, ...options });
  await expect(make({ threads: 2 })).rejects.toThrow('createScanWorker: no option "threads"');
  await expect(make({ backend: 'gpu' })).rejects.toThrow('backend is "gpu"; it can be "auto"');
  await expect(make({ coinbase: 'all' })).rejects.toThrow('coinbase is "all"');
  await expect(make({ lookahead: { major: 5 } })).rejects.toThrow('no option "major" in lookahead');
  const wrong = { viewSecret: account.viewSecret, spendKey: new Uint8Array(32).fill(255) };
  await expect(make({ account: wrong })).rejects.toMatchObject({
    name: 'RangeError',
    message: expect.stringContaining('not a point'),
  });
  await expect(make({ lookahead: { accounts: 0 } })).rejects.toMatchObject({ name: 'RangeError' });
  const worker = await start();
  await expect(worker.scan([], { timeout: 5 } as never)).rejects.toThrow('no option "timeout"');
});
