import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import {
  bundleOf,
  EASY,
  genesisOf,
  makeBranch,
  startTestChain,
} from '@monero-node/blockchain/testing';
import type { Blockchain } from '@monero-node/blockchain';
import { NETWORKS, withOverrides } from '@monero-node/consensus/networks';
import { exportBlocks } from './export-blocks.ts';
import { exportToMonerod, type ToMonerodOptions } from './export-to-monerod.ts';

const LENGTH = 30;
const branch = makeBranch(EASY, genesisOf(EASY), LENGTH);
let base: string;
let target: string;
let printed: string[];
let chain: Blockchain;

beforeEach(async () => {
  base = mkdtempSync(join(tmpdir(), 'to-monerod-'));
  target = join(base, 'monerod');
  printed = [];
  ({ chain } = await startTestChain());
  await chain.addSpan(branch.map(bundleOf));
});
afterEach(() => rmSync(base, { recursive: true }));

const exported = (options: Partial<ToMonerodOptions> = {}): Promise<void> =>
  exportToMonerod(chain, target, {
    network: NETWORKS.mainnet,
    signal: new AbortController().signal,
    onProgress: () => undefined,
    print: (line) => printed.push(line),
    ...options,
  });

/** Returns the bytes of the file that an export to a file makes. */
async function expected(blockStop?: number): Promise<Buffer> {
  const path = join(base, 'expected.raw');
  await exportBlocks(chain, path, { blockStart: 0, blockStop });
  return readFileSync(path);
}

test('the file lies where monero-blockchain-import looks for it, and the next commands are printed', async () => {
  await exported();
  const file = join(target, 'export', 'blockchain.raw');
  expect(readdirSync(target)).toEqual(['export']);
  expect(readFileSync(file).equals(await expected())).toBe(true);
  expect(printed).toEqual([
    `${LENGTH + 1} blocks written to ${file} (1 MiB)`,
    "Next, with monerod's programs:",
    `  monero-blockchain-import --data-dir ${target} --input-file ${file}`,
    `  monerod --data-dir ${target}`,
    'The file may be removed after the import.',
  ]);
});

test('another network has its folder and options, and paths are quoted for the shell', async () => {
  target = join(base, 'a folder');
  mkdirSync(target);
  const network = withOverrides(NETWORKS.regtest, { fixedDifficulty: 7n });
  await exported({ network, blockStop: 9 });
  const file = join(target, 'fake', 'export', 'blockchain.raw');
  expect(readdirSync(target)).toEqual(['fake']);
  expect(readFileSync(file).equals(await expected(9))).toBe(true);
  const options = `--regtest --keep-fakechain --fixed-difficulty 7 --data-dir '${target}'`;
  expect(printed).toContain(`  monero-blockchain-import ${options} --input-file '${file}'`);
  expect(printed).toContain(`  monerod ${options}`);
});

test('a pruned chain is refused before anything is written', async () => {
  await chain.prune();
  await expect(exported()).rejects.toThrow(/^this chain is pruned: it lacks signatures/);
  expect(existsSync(target)).toBe(false);
  expect(printed).toEqual([]);
});

test('a folder that holds something is refused, and what a killed export left is replaced', async () => {
  mkdirSync(join(target, 'export-incomplete', 'export'), { recursive: true });
  writeFileSync(join(target, 'export-incomplete', 'export', 'blockchain.raw'), 'half');
  await exported();
  expect(readdirSync(target)).toEqual(['export']);
  const before = await expected();
  await expect(exported()).rejects.toThrow(`${target} is not empty (export)`);
  expect(readFileSync(join(target, 'export', 'blockchain.raw')).equals(before)).toBe(true);
});

test('the disk is looked at first: it must have room for the file, and no block is larger than counted', async () => {
  let asked = '';
  const withFree = (bytes: number | undefined) =>
    exported({
      free: (folder) => {
        asked = folder;
        return bytes;
      },
    });
  const { length } = await expected();
  await expect(withFree(length - 1)).rejects.toThrow(/MiB free, and the file takes up to 1 MiB/);
  expect(asked).toBe(target);
  expect(readdirSync(target)).toEqual([]);
  await withFree(length + LENGTH * 200 + 200);
  expect(statSync(join(target, 'export', 'blockchain.raw')).size).toBe(length);
});

test('a system that does not tell the free space is no obstacle', async () => {
  await exported({ free: () => undefined });
  expect(readdirSync(target)).toEqual(['export']);
});

test('a block that may be too large for monero-blockchain-import is named before anything is written', async () => {
  const { store } = chain;
  const metas = store.blockMetas.bind(store);
  const withHeavy = jest
    .spyOn(store, 'blockMetas')
    .mockImplementation((from, to) =>
      metas(from, to).map((meta, i) => (from + i < 20 ? meta : { ...meta, weight: 2 ** 21 })),
    );
  const lines: string[] = [];
  await exported({ onProgress: (line) => lines.push(line) });
  withHeavy.mockRestore();
  expect(lines.filter((line) => line.includes('may have'))).toEqual([
    'block 20 may have more than the 2097152 bytes that monero-blockchain-import reads of one; if it has, nothing is exported. --block-stop 19 ends the export before it',
  ]);
});

test('a signal ends it, and nothing is left', async () => {
  const stop = new AbortController();
  const free = () => {
    stop.abort();
    return undefined;
  };
  const ended = exported({ signal: stop.signal, free });
  await expect(ended).rejects.toHaveProperty('name', 'AbortError');
  expect(readdirSync(target)).toEqual([]);
  expect(printed).toEqual([]);
});
