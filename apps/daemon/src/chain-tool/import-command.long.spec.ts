import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '@monero-node/base';
import {
  bundleOf,
  EASY,
  genesisOf,
  makeBranch,
  startTestChain,
} from '@monero-node/blockchain/testing';
import { encodeBootstrapHeader, toHex } from '@monero-node/codec';
import { makeDaemonSettings } from '../cli/daemon-settings.ts';
import { parseArguments } from '../cli/parse-arguments.ts';
import { BootstrapReader } from './bootstrap-reader.ts';
import { exportBlocks } from './export-blocks.ts';
import { prepareImport } from './import-command.ts';
import { splitArguments } from './tool-options.ts';

const LENGTH = 30;
const folder = mkdtempSync(join(tmpdir(), 'import-command-'));
const file = join(folder, 'blockchain.raw');
beforeAll(async () => {
  const { chain } = await startTestChain();
  await chain.addSpan(makeBranch(EASY, genesisOf(EASY), LENGTH).map(bundleOf), { trust: true });
  await exportBlocks(chain, file, { blockStart: 0 });
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Imports the file with options of the tool. Returns how many blocks of the first seed the hasher was told to expect, each time. */
async function expectedBlocks(...options: string[]): Promise<number[]> {
  const { own, rest } = splitArguments(['--input-file', file, ...options]);
  const settings = makeDaemonSettings(parseArguments(['--regtest', ...rest]).values);
  const { chain: blockchain, store, pow } = await startTestChain();
  const told: number[] = [];
  const expect_ = (seed: Uint8Array, blocks: number): void => {
    expect(toHex(seed)).toBe(toHex(genesisOf(EASY).parsed.id));
    told.push(blocks);
  };
  const command = await prepareImport(settings, own, silentLogger);
  try {
    await command.run({
      chain: {
        store,
        storeOnDisk: undefined,
        pow: Object.assign(pow, { expect: expect_ }),
        blockchain,
        outliner: undefined,
        parts: [],
      },
      own,
      log: silentLogger,
      signal: new AbortController().signal,
    });
  } finally {
    await command.close();
  }
  // Nothing of the import listens any more.
  expect(blockchain.listenerCount('blocks-added')).toBe(0);
  return told;
}

test('an import tells the hasher how many blocks of a seed it has, before the first and after each batch', async () => {
  expect(await expectedBlocks('--batch-size', '10')).toEqual([30, 20, 10, 0]);
});

test('an import that ends before the file has so many blocks less', async () => {
  expect(await expectedBlocks('--batch-size', '10', '--block-stop', '15')).toEqual([15, 5, 0]);
});

test('an import of a file whose header knows fewer blocks expects those that its bytes hold', async () => {
  const bytes = readFileSync(file);
  bytes.set(encodeBootstrapHeader(0, 0));
  writeFileSync(file, bytes);
  const expected = [30, 20, 10, 0];
  const told = await expectedBlocks('--batch-size', '10');
  expect(told).toHaveLength(4);
  for (const [i, blocks] of told.entries())
    expect(Math.abs(blocks - (expected[i] ?? 0))).toBeLessThan(4);
});

test('an export that goes on with a file names its new last block', async () => {
  const { chain } = await startTestChain();
  const made = makeBranch(EASY, genesisOf(EASY), LENGTH).map(bundleOf);
  const parts = join(folder, 'parts.raw');
  const lasts: number[] = [];
  for (const end of [10, LENGTH]) {
    await chain.addSpan(made.slice(chain.height - 1, end), { trust: true });
    await exportBlocks(chain, parts, { blockStart: 0 });
    const reader = await BootstrapReader.open(parts);
    lasts.push(reader.header.lastBlock);
    await reader.close();
  }
  expect(lasts).toEqual([10, LENGTH]);
  const whole = join(folder, 'whole.raw');
  await exportBlocks(chain, whole, { blockStart: 0 });
  expect(readFileSync(parts).equals(readFileSync(whole))).toBe(true);
});

test('an export does not go on with a file of another version', async () => {
  const { chain } = await startTestChain();
  const old = join(folder, 'old.raw');
  const bytes = encodeBootstrapHeader(0, 0);
  // After the magic and the size of this part of the header.
  bytes[8] = 0;
  writeFileSync(old, bytes);
  await expect(exportBlocks(chain, old, { blockStart: 0 })).rejects.toThrow('version 0');
  expect(readFileSync(old).equals(bytes)).toBe(true);
});

test('an import that verifies nothing expects no hashes', async () => {
  expect(await expectedBlocks('--dangerous-unverified-import')).toEqual([]);
});
