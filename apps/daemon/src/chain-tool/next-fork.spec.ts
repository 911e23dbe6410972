import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mineBlock } from '@monero-node/blockchain';
import { EASY, NOW, startTestChain, type TestChain } from '@monero-node/blockchain/testing';
import { toHex } from '@monero-node/codec';
import { formatsOf, parsePrivateForks, withOverrides } from '@monero-node/consensus';
import { createTransactionKey } from '@monero-node/crypto';
import { openLmdbStore } from '@monero-node/storage';
import { BootstrapReader } from './bootstrap-reader.ts';
import { exportBlocks } from './export-blocks.ts';
import { importBlocks } from './import-blocks.ts';

const network = withOverrides(EASY, { hardForks: parsePrivateForks('16:1,17:20,18:30') });
const HEIGHT = 41;
const address = {
  spendKey: createTransactionKey(11n).publicKey,
  viewKey: createTransactionKey(22n).publicKey,
};

let folder: string;
let made: TestChain;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'next-fork-file-'));
  made = await startTestChain(network);
  const options = { address, pow: made.pow, now: () => NOW };
  while (made.chain.height < HEIGHT) await mineBlock(made.chain, options);
});
afterAll(() => rmSync(folder, { recursive: true }));

async function importInto({ chain }: TestChain, file: string, trust: boolean): Promise<void> {
  const reader = await BootstrapReader.open(file, formatsOf(network));
  try {
    await importBlocks(chain, reader, { trust, batchSize: 7 });
  } finally {
    await reader.close();
  }
}

test.each([false, true])(
  'a chain across both forks is exported and imported; trusted: %s',
  async (trust) => {
    const file = join(folder, `trusted-${trust}.raw`);
    await exportBlocks(made.chain, file, { blockStart: 0 });
    const path = join(folder, `store-${trust}`);
    const store = await openLmdbStore({ path });
    const imported = await startTestChain(network, store);
    await importInto(imported, file, trust);
    const facts = ({ store: of }: TestChain) =>
      of.blockMetas(0, of.height).map(({ id, majorVersion }) => [toHex(id), majorVersion]);
    expect(facts(imported)).toEqual(facts(made));
    expect(imported.store.blockMeta(HEIGHT - 1)?.majorVersion).toBe(18);
    await imported.chain.stop();
    await store.close();
  },
);

test('nodes without heights for them read no such file', async () => {
  const file = join(folder, 'other.raw');
  await exportBlocks(made.chain, file, { blockStart: 0 });
  const { chain } = await startTestChain();
  const reader = await BootstrapReader.open(file, formatsOf(EASY));
  const importing = importBlocks(chain, reader, { trust: false, batchSize: 7 });
  await expect(importing).rejects.toThrow('damaged');
  expect(chain.height).toBeLessThanOrEqual(20);
  await reader.close();
});
