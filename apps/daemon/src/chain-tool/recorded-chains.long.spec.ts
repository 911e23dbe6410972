import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isWhole } from '@monero-node/base/testing';
import {
  expectRecordedTree,
  openRecordedChain,
  recordedBlocks,
  recordedForkChain,
  recordedNetwork,
  startTestChain,
} from '@monero-node/blockchain/testing';
import { toHex } from '@monero-node/codec';
import { formatsOf } from '@monero-node/consensus';
import { openLmdbStore } from '@monero-node/storage';
import { BootstrapReader } from './bootstrap-reader.ts';
import { exportBlocks } from './export-blocks.ts';
import { importBlocks } from './import-blocks.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'recorded-chains-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const NAMES = ['odd-coinbases', 'long', 'short'] as const;
// Blocks of 27,000 outputs.
const ALL = isWhole() ? ([...NAMES, 'wide-tree'] as const) : NAMES;

test.each(ALL.flatMap((name) => [false, true].map((trust) => ({ name, trust }))))(
  'the chain $name is imported from a bootstrap file, with every leaf and edge; trusted: $trust',
  async ({ name, trust }) => {
    const recorded = recordedForkChain(name);
    const network = recordedNetwork(recorded);
    const { chain: source } = await startTestChain(network);
    const end = recorded.blocks.length;
    await source.addSpan(recordedBlocks(recorded, 1, end), { trust: true });
    const file = join(folder, `${name}-${trust}.raw`);
    await exportBlocks(source, file, { blockStart: 0 });

    const store = await openLmdbStore({ path: join(folder, `${name}-${trust}`) });
    const chain = await openRecordedChain(recorded, store);
    const reader = await BootstrapReader.open(file, formatsOf(network));
    await importBlocks(chain, reader, { trust, batchSize: 20 });
    await reader.close();
    expect(store.blockMetas(0, store.height).map(({ id }) => toHex(id))).toEqual(
      recorded.blocks.map(({ hash }) => hash),
    );
    expect(store.tree.indexes()).toBe(end + 9);
    expectRecordedTree(store, name);
    await chain.stop();
    await store.close();
  },
  240_000,
);
