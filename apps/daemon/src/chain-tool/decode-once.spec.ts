/** @jest-environment node */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import * as codec from '@monero-node/codec';

/** Calls of the codec's parsers since the last reset. */
const parses = { packages: 0, blocks: 0, transactions: 0 };

jest.unstable_mockModule('@monero-node/codec', () => ({
  ...codec,
  decodeBootstrapPackage: (bytes: Uint8Array, majorVersion: number) => {
    parses.packages++;
    return codec.decodeBootstrapPackage(bytes, majorVersion);
  },
  parseBlock: (blob: Uint8Array) => {
    parses.blocks++;
    return codec.parseBlock(blob);
  },
  parseBlockSteps: (blob: Uint8Array) => {
    parses.blocks++;
    return codec.parseBlockSteps(blob);
  },
  parseTransaction: (blob: Uint8Array) => {
    parses.transactions++;
    return codec.parseTransaction(blob);
  },
}));

const { bundleOf, EASY, SpendableChain, startTestChain } =
  await import('@monero-node/blockchain/testing');
const { BootstrapReader } = await import('./bootstrap-reader.ts');
const { exportBlocks } = await import('./export-blocks.ts');
const { importBlocks } = await import('./import-blocks.ts');

const folder = mkdtempSync(join(tmpdir(), 'decode-once-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('import parses the blocks and transactions of a file only while it reads them', async () => {
  const made = new SpendableChain(EASY);
  made.mineMany(80);
  made.mine([made.spend([2])]);
  const source = await startTestChain();
  await source.chain.addSpan(made.blocks.map(bundleOf));
  const file = join(folder, 'blockchain.raw');
  await exportBlocks(source.chain, file, { blockStart: 0 });
  const { chain } = await startTestChain();
  const reader = await BootstrapReader.open(file);
  Object.assign(parses, { packages: 0, blocks: 0, transactions: 0 });
  const settings = { trust: false, batchSize: 20 };
  expect(await importBlocks(chain, reader, settings)).toEqual({ height: 82, lacksData: false });
  await reader.close();
  expect(chain.topId).toEqual(source.chain.topId);
  expect(chain.counters).toMatchObject({ transactions: 1 });
  expect(parses).toEqual({ packages: 82, blocks: 0, transactions: 0 });
});
