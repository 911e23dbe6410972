import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mineBlock } from '@monero-node/blockchain';
import {
  EASY,
  makeBranch,
  bundleOf,
  genesisOf,
  NOW,
  startTestChain,
} from '@monero-node/blockchain/testing';
import { parsePrivateForks, withOverrides } from '@monero-node/consensus';
import { createBackend, createTransactionKey } from '@monero-node/crypto';
import { type Finding, openLmdbStore, StoreCheck } from '@monero-node/storage';
import { open } from 'lmdb';
import { treeFindings, unfinishedTree } from './verify-tree.ts';

const network = withOverrides(EASY, { hardForks: parsePrivateForks('16:1,17:55,18:60') });
const HEIGHT = 70;
const address = {
  spendKey: createTransactionKey(11n).publicKey,
  viewKey: createTransactionKey(22n).publicKey,
};
/** Is no point: an output with this key has no leaf. */
const NO_POINT = new Uint8Array(32).fill(0xff);
const backend = createBackend();

let sound: string;
let folder: string;
beforeAll(async () => {
  sound = mkdtempSync(join(tmpdir(), 'verify-tree-'));
  const store = await openLmdbStore({ path: sound, syncMode: 'fastest' });
  const { chain, pow } = await startTestChain(network, store);
  const odd = makeBranch(network, genesisOf(network), 3, { coinbaseKey: NO_POINT });
  await chain.addSpan(odd.map(bundleOf));
  while (chain.height < HEIGHT) await mineBlock(chain, { address, pow, now: () => NOW });
  await chain.stop();
  await store.close();
});
afterAll(() => rmSync(sound, { recursive: true }));
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'verify-tree-'));
  copyFileSync(join(sound, 'data.mdb'), join(folder, 'data.mdb'));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function verify(signal = new AbortController().signal): Promise<Finding[]> {
  const found: Finding[] = [];
  const check = await StoreCheck.open(folder);
  try {
    const commitToAmount = (amount: bigint) => backend.commitToAmount(amount);
    const task = { network, commitToAmount, signal };
    for await (const findings of treeFindings(check, task)) found.push(...findings);
  } finally {
    await check.close();
  }
  return found;
}

type Rows = ReturnType<ReturnType<typeof open<Uint8Array, number | Uint8Array>>['openDB']>;

async function damage(
  name: string,
  change: (rows: Rows, keys: (number | Uint8Array)[]) => Promise<unknown>,
): Promise<void> {
  const root = open({ path: folder, noSubdir: false, maxDbs: 40, encoding: 'binary' });
  const isNumbered = ['tree_index', 'tree_leaf', 'tree_skipped'].includes(name);
  const keyEncoding = isNumbered ? 'uint32' : 'binary';
  const rows = root.openDB({ name, keyEncoding, encoding: 'binary' }) as Rows;
  const keys = Array.from(rows.getKeys(), (key) =>
    typeof key === 'number' ? key : Uint8Array.from(key as Uint8Array),
  );
  await change(rows, keys);
  await root.close();
}

test('a sound tree has no findings', async () => {
  expect(await verify()).toEqual([]);
});

test('a chain without a tree has none', async () => {
  rmSync(join(folder, 'data.mdb'));
  await (await openLmdbStore({ path: folder })).close();
  expect(await verify()).toEqual([]);
});

test.each([
  [0, undefined],
  [79, undefined],
  [78, 'the curve tree has 69 of 70 blocks: the next start builds it on'],
  [10, 'the curve tree has 1 of 70 blocks: the next start builds it on'],
])(
  'a tree of %i indexes over 70 blocks is told of as one that was stopped, or not',
  (indexes, told) => {
    expect(unfinishedTree({ height: HEIGHT, tree: { indexes: () => indexes } })).toBe(told);
  },
);

test('an interrupted run ends with its reason', async () => {
  await expect(verify(AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
});

const TABLES = ['tree_index', 'tree_leaf', 'tree_node', 'tree_locked', 'tree_skipped'] as const;

test.each(TABLES)(
  'a byte that is wrong, a row that lacks and one too many are found in %s',
  async (name) => {
    const copy = (): void => copyFileSync(join(sound, 'data.mdb'), join(folder, 'data.mdb'));
    await damage(name, async (rows, keys) => {
      const key = keys[Math.floor(keys.length / 2)] as number | Uint8Array;
      const row = Uint8Array.from(rows.get(key) as Uint8Array);
      row[row.length - 1] = (row[row.length - 1] as number) ^ 1;
      await rows.put(key, row);
    });
    const changed = await verify();
    expect(changed.map(({ table }) => table)).toContain(name);
    copy();
    await damage(name, (rows, keys) => rows.remove(keys[Math.floor(keys.length / 2)] as number));
    const lacking = await verify();
    expect(lacking.map(({ table }) => table)).toContain(name);
    copy();
    await damage(name, async (rows, keys) => {
      const last = keys.at(-1) as number | Uint8Array;
      const extra =
        typeof last === 'number' ? last + 1000 : Uint8Array.from(last, (byte) => byte ^ 0x55);
      await rows.put(extra, Uint8Array.from(rows.get(last) as Uint8Array));
    });
    expect(await verify()).toEqual([
      expect.objectContaining({
        table: name,
        problem: expect.stringMatching(/rows instead of/) as string,
      }),
    ]);
  },
);
