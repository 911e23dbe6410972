import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleOf, EASY, SpendableChain, startTestChain } from '@monero-node/blockchain/testing';
import { countParses } from '@monero-node/codec/testing';
import { BootstrapReader } from './bootstrap-reader.ts';
import { exportBlocks } from './export-blocks.ts';
import { importBlocks } from './import-blocks.ts';

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
  const settings = { trust: false, batchSize: 20 };
  const parses = await countParses(async () => {
    expect(await importBlocks(chain, reader, settings)).toEqual({ height: 82, lacksData: false });
  });
  await reader.close();
  expect(chain.topId).toEqual(source.chain.topId);
  expect(chain.counters).toMatchObject({ transactions: 1 });
  // Transactions are read with their package.
  expect(parses).toEqual({ blocks: 82, transactions: 0 });
});
