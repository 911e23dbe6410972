import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Yielder } from '@monero-node/base';
import type { HeightOfHash } from '../../change-check.ts';
import { recordOf, type LooseBlock } from '../../record-objects.ts';
import type { BlockRecord } from '../../records.ts';
import { changeOf } from '../../testing/loose-block.ts';
import { RandomChain } from '../../testing/random-chain.ts';
import { openLmdbStore } from '../open.ts';
import { HashesAhead } from './hashes-ahead.ts';

const blocks = new RandomChain('ahead', { txs: 4, v1Share: 0.3, prunableSize: 50 }).blocks(0, 16);
const looked = recordOf(blocks[12] as LooseBlock);

/** Returns a look-up beside an index that holds what `known` says, and which of its two ways was asked last. */
function start(known: HeightOfHash = () => undefined) {
  const asked: string[] = [];
  const finder =
    (name: string): (() => HeightOfHash) =>
    () =>
    (...hash) => {
      asked.push(name);
      return known(...hash);
    };
  const ahead = new HashesAhead({ everywhere: finder('everywhere'), waiting: finder('waiting') });
  const wayFor = (block: BlockRecord) => {
    ahead.heights()(block)('tx_id', block.txs.ids, 0);
    return asked.at(-1);
  };
  return { ahead, wayFor, asked };
}

test('what was looked up is asked of no table until two commits later', async () => {
  const { ahead, wayFor, asked } = start();
  expect(wayFor(looked)).toBe('everywhere');
  await ahead.lookUp([looked], new Yielder());
  expect(asked).toHaveLength(1 + (looked.txs.ids.length + looked.keyImages.length) / 32);
  expect(wayFor(looked)).toBe('waiting');
  expect(wayFor(recordOf(blocks[12] as LooseBlock))).toBe('everywhere');
  ahead.changed();
  expect(wayFor(looked)).toBe('waiting');
  ahead.changed();
  expect(wayFor(looked)).toBe('everywhere');
});

test.each(['tx_id', 'key_image'] as const)(
  'a block with a known %s is looked up again',
  async (kind) => {
    const last = (kind === 'tx_id' ? looked.txs.ids : looked.keyImages).length - 32;
    const { ahead, wayFor } = start((table, _, offset) =>
      table === kind && offset === last ? 3 : undefined,
    );
    await ahead.lookUp([looked], new Yielder());
    expect(wayFor(looked)).toBe('everywhere');
  },
);

test('commits that come while a block is looked up count', async () => {
  const { ahead, wayFor } = start();
  const yielder = new Yielder(
    { sliceMs: 0 },
    { nextSlice: () => Promise.resolve(ahead.changed()) },
  );
  await ahead.lookUp([looked], yielder);
  expect(wayFor(looked)).toBe('everywhere');
});

/** Blocks 12 with a hash of an earlier one. */
const again = (at: number): LooseBlock[] => {
  const [block, from] = [blocks[12] as LooseBlock, blocks[at] as LooseBlock];
  const [first, ...rest] = block.txs;
  const [tx, keyImage] = [from.txs.at(-1), from.keyImages.at(-1)];
  if (first === undefined || tx === undefined || keyImage === undefined) throw new Error('empty');
  return [
    { ...block, keyImages: [...block.keyImages, keyImage] },
    { ...block, txs: [{ ...first, id: tx.id }, ...rest] },
  ];
};

test.each([
  ['stored before', 5, 6],
  ['of the last commit', 7, 8],
  ['of the commit that is being written', 9, 8],
  ['of the commit after that', 11, 8],
] as const)('a hash %s is found, whenever it was looked up', async (_, at, lookedUpFrom) => {
  const path = mkdtempSync(join(tmpdir(), 'storage-ahead-'));
  // Each commit writes the hashes of the one before it to their tables.
  const store = await openLmdbStore({ path, waitingHashes: 0 });
  const records = again(at).map(recordOf);
  for (let height = 0; height < 12; height += 2) {
    let lookUp: Promise<void> | undefined;
    const onQueued = () => {
      if (height >= lookedUpFrom) lookUp = store.lookAhead(records);
    };
    await store.commit(changeOf({ append: blocks.slice(height, height + 2) }), onQueued);
    await lookUp;
  }
  const refusals = records.map((record) => store.commit({ append: [record] }));
  const codes = (await Promise.allSettled(refusals)).map((result) =>
    result.status === 'rejected' ? (result.reason as { code?: unknown }).code : 'added',
  );
  expect(codes).toEqual(['duplicate-key-image', 'duplicate-tx']);
  await store.commit({ append: [looked] });
  await store.close();
  rmSync(path, { recursive: true });
});
