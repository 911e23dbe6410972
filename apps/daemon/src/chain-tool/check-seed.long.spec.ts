import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open } from 'lmdb';
import { bundleOf, EASY, SpendableChain, startTestChain } from '@monero-node/blockchain/testing';
import { toHex } from '@monero-node/codec';
import type { BlockGroup } from '@monero-node/consensus';
import { createBackend } from '@monero-node/crypto';
import { openLmdbStore } from '@monero-node/storage';
import { groupStoredBlocks } from './group-blocks.ts';
import type { SeedCheckLevel } from '../cli/seed-settings.ts';
import { checkSeed } from './check-seed.ts';
import { checkFleetAgrees, type AskBlock } from '../seed/fleet-agrees.ts';

const chainOf = (name: string) => {
  const chain = new SpendableChain(EASY, name);
  chain.mineMany(600);
  return chain;
};
const backend = createBackend();

interface Made {
  readonly folder: string;
  readonly height: number;
  readonly topId: string;
  readonly groups: readonly BlockGroup[];
}

let sound: Made;
let other: Made;
let folder: string;
beforeAll(async () => {
  sound = await make(chainOf('seed'));
  other = await make(chainOf('another'));
}, 120_000);
afterAll(() => {
  for (const made of [sound, other]) rmSync(made.folder, { recursive: true });
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'check-seed-'));
  copyFileSync(join(sound.folder, 'data.mdb'), join(folder, 'data.mdb'));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function make(source: SpendableChain): Promise<Made> {
  const path = mkdtempSync(join(tmpdir(), 'check-seed-'));
  const store = await openLmdbStore({ path, waitingHashes: 0 });
  const { chain } = await startTestChain(EASY, store);
  await chain.addSpan(source.blocks.map(bundleOf));
  const { height } = store;
  const topId = toHex(store.blockMeta(height - 1)?.id ?? new Uint8Array());
  const groups = await groupStoredBlocks(store, height - 1);
  await chain.stop();
  await store.close();
  return { folder: path, height, topId, groups };
}

const check = (
  groups: readonly BlockGroup[] = sound.groups,
  level: SeedCheckLevel = 'quick',
  network = EASY,
) =>
  checkSeed(folder, sound, {
    level,
    network,
    groups,
    commitToAmount: (amount) => backend.commitToAmount(amount),
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });

/** Changes a row as a source that lies could, with pages that are sound. */
async function damage(table: string, key: number, change: (row: Buffer) => void): Promise<void> {
  const root = open<Uint8Array, number>({ path: folder, noSubdir: false, encoding: 'binary' });
  const rows = root.openDB({ name: table, keyEncoding: 'uint32', encoding: 'binary' });
  const row = Buffer.from(rows.get(key) ?? []);
  change(row);
  await rows.put(key, row);
  await root.close();
  rmSync(join(folder, 'lock.mdb'), { force: true });
}

const flip = (at: number) => (row: Buffer) => void row.writeUInt8((row[at] ?? 0) ^ 1, at);
const refused = (message: RegExp | string) =>
  expect.objectContaining({ name: 'SeedRefusedError', message: expect.stringMatching(message) });

test.each<SeedCheckLevel>(['quick', 'rows'])(
  'a sound chain passes, and nothing is left but its file: %s',
  async (level) => {
    await check(sound.groups, level);
    await check([], level);
    expect(readdirSync(folder)).toEqual(['data.mdb']);
  },
);

test('a chain of another network, another list or another top is refused', async () => {
  const elsewhere = { ...EASY, genesisId: new Uint8Array(32) };
  await expect(check([], 'quick', elsewhere)).rejects.toEqual(refused(/^block 0 of the source is/));
  await expect(check(other.groups)).rejects.toEqual(
    refused(/^blocks 0 to 511 of the source are not those of the trusted list$/),
  );
  copyFileSync(join(other.folder, 'data.mdb'), join(folder, 'data.mdb'));
  await expect(check()).rejects.toEqual(refused(/^the chain of the source cannot be used/));
  expect(readdirSync(folder)).toEqual(['data.mdb']);
});

test('a block above the list with a changed byte is refused', async () => {
  await damage('block', 550, flip(20));
  await expect(check()).rejects.toEqual(refused(/^block 550 of the source hashes to/));
});

test('a record below the list with another id is refused by the list', async () => {
  await damage('block_meta', 7, flip(3));
  await expect(check()).rejects.toEqual(refused(/of the trusted list$/));
  await expect(check([])).rejects.toEqual(refused(/^block 7 of the source hashes to/));
});

test('a transaction of the newest blocks with a changed byte is refused', async () => {
  await damage('txs', 590, (row) => flip(row.length - 3)(row));
  await expect(check()).rejects.toEqual(refused(/^block 590 of the source has a wrong row/));
});

test('what is no database, or an end that is missing, is refused', async () => {
  const path = join(folder, 'data.mdb');
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.subarray(0, bytes.length >> 1));
  await expect(check()).rejects.toEqual(refused(/^the chain of the source cannot be used/));
  writeFileSync(path, Buffer.alloc(bytes.length, 7));
  await expect(check()).rejects.toEqual(refused(/^the chain of the source cannot be used/));
});

const agree = (answers: readonly (string | undefined)[], deep = 'deep') => {
  const ask: AskBlock = (address, height) =>
    Promise.resolve(height === sound.height - 1 ? answers[Number(address)] : deep);
  return checkFleetAgrees(sound, () => Promise.resolve('deep'), {
    nodes: answers.map((_, i) => ({ host: String(i), port: 1 })),
    resolve: ({ host }) => Promise.resolve([host]),
    ask,
    logger: { info: () => undefined, warn: () => undefined },
    signal: new AbortController().signal,
  });
};

test('more than half of the nodes of the fleet that answer must have the newest block', async () => {
  const mine = sound.topId;
  await agree([]);
  await agree([mine]);
  await agree([mine, undefined, undefined]);
  await agree([mine, 'x', mine]);
  await expect(agree([undefined, undefined])).rejects.toThrow('none of the nodes of --fleet-node');
  await expect(agree([mine, 'x'])).rejects.toMatchObject({
    name: 'SeedError',
    message: expect.stringContaining('as after a reorganization'),
  });
  await expect(agree(['x', 'x', mine], 'y')).rejects.toEqual(
    refused(/^the fleet has another block 590 than the source$/),
  );
});
