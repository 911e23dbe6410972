import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EASY, SpendableChain } from '@monero-node/blockchain/testing';
import {
  concatBytes,
  encodeBlock,
  encodeBootstrapHeader,
  encodeBootstrapPackage,
  parseBlock,
  toHex,
  type TransactionOutliner,
} from '@monero-node/codec';
import { inlineOutliner } from '../testing/inline-outliner.ts';
import { BootstrapReader } from './bootstrap-reader.ts';

const made = new SpendableChain(EASY);
made.mineMany(80);
made.mine([made.spend([3]), made.spend([4])]);
made.mine();
made.mine([made.spend([5])]);
made.mineMany(3);

const packages = made.blocks.slice(76).map(({ parsed, txs }) => {
  const totals = { weight: 1, cumulativeDifficulty: 1n, generatedCoins: 1n };
  const bytes = encodeBootstrapPackage({
    block: parsed.blob,
    txs: txs.map(({ blob }) => blob),
    ...totals,
  });
  const size = new Uint8Array(4);
  new DataView(size.buffer).setUint32(0, bytes.length, true);
  return concatBytes(size, bytes);
});
const header = encodeBootstrapHeader(77, 76 + packages.length);
const whole = concatBytes(header, ...packages);
/** Fewer bytes than a block with transactions, than two, and more than all. */
const GROUPS = [1000, 4000, 1_000_000];

let folder: string;
let file: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'packages-ahead-'));
  file = join(folder, 'blockchain.raw');
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Ahead {
  readonly outliner: TransactionOutliner;
  readonly groupBytes: number;
}

async function openReader(ahead: Ahead | undefined): Promise<BootstrapReader> {
  const reader = await BootstrapReader.open(file);
  if (ahead !== undefined) reader.readAhead(ahead.outliner, ahead.groupBytes);
  return reader;
}

/** Returns the ids that are read, and the message of the error that ends it. */
async function readAll(ahead?: Ahead): Promise<string[]> {
  const reader = await openReader(ahead);
  const found: string[] = [];
  try {
    for (let next = await reader.next(); next; next = await reader.next()) {
      found.push(`${reader.offset} ${toHex(next.block.id)}`);
      for (const { id, prunableHash } of next.txs) found.push(toHex(id), toHex(prunableHash));
    }
  } catch (error) {
    found.push((error as Error).message);
  } finally {
    await reader.close();
  }
  return found;
}

test.each(GROUPS)('blocks are read as without, with groups of %i bytes', async (groupBytes) => {
  writeFileSync(file, whole);
  const plain = await readAll();
  expect(plain).toHaveLength(packages.length + 2 * 3);
  expect(await readAll({ outliner: inlineOutliner, groupBytes })).toEqual(plain);
});

test('blocks are read without the thread when it fails', async () => {
  writeFileSync(file, whole);
  const fail = () => Promise.reject(new Error('the thread has ended'));
  const outliner = { outline: fail, outlinePackages: fail };
  expect(await readAll({ outliner, groupBytes: 4000 })).toEqual(await readAll());
});

test.each(GROUPS)(
  'damage is found at the same block for the same reason, with groups of %i bytes',
  async (groupBytes) => {
    for (let at = header.length; at < whole.length; at += at % 500 < 30 ? 1 : 83) {
      const damaged = whole.slice();
      damaged[at] = (damaged[at] as number) ^ 0x81;
      for (const bytes of [damaged, whole.subarray(0, at)]) {
        writeFileSync(file, bytes);
        expect(await readAll({ outliner: inlineOutliner, groupBytes })).toEqual(await readAll());
      }
    }
  },
);

test.each(GROUPS)(
  'blocks can be skipped and ids offered, with groups of %i',
  async (groupBytes) => {
    writeFileSync(file, whole);
    const reader = await openReader({ outliner: inlineOutliner, groupBytes });
    const heights = new Map(made.blocks.map(({ parsed, height }) => [toHex(parsed.id), height]));
    const next = async () =>
      heights.get(toHex((await reader.next())?.block.id ?? new Uint8Array()));
    expect(await next()).toBe(77);
    expect((await reader.offer(3)).ids.map((id) => heights.get(toHex(id)))).toEqual([78, 79, 80]);
    expect(await next()).toBe(78);
    expect(await reader.skipTo(82)).toBe(true);
    expect(await next()).toBe(82);
    await reader.close();
  },
);

test.each([undefined, ...GROUPS])(
  'all ids are offered, with groups of %s, and those beyond damage are not',
  async (groupBytes) => {
    const ids = made.blocks.slice(76).map(({ parsed }) => toHex(parsed.id));
    const offered = async () => {
      const reader = await openReader(
        groupBytes === undefined ? undefined : { outliner: inlineOutliner, groupBytes },
      );
      const offer = await reader.offer(100);
      const again = await reader.offer(100);
      await reader.close();
      expect(again).toEqual(offer);
      expect(offer.start).toBe(77);
      return offer.ids.map(toHex);
    };
    writeFileSync(file, whole);
    expect(await offered()).toEqual(ids);
    writeFileSync(file, whole.subarray(0, -1));
    expect(await offered()).toEqual(ids.slice(0, -1));
    const damaged = whole.slice();
    damaged.fill(0xff, header.length, header.length + 4);
    writeFileSync(file, damaged);
    expect(await offered()).toEqual([]);
  },
);

// The smaller ones hold one or two blocks.
test.each([4000, 1_000_000])(
  'offered blocks that were read ahead are not hashed again, with groups of %i bytes',
  async (groupBytes) => {
    writeFileSync(file, whole);
    const altered = new Uint8Array(32).fill(7);
    const outliner: TransactionOutliner = {
      ...inlineOutliner,
      outlinePackages: async (bytes) => {
        const outlined = await inlineOutliner.outlinePackages(bytes);
        for (const { block } of outlined) block?.hashes.of.set(altered, block.hashes.at + 96);
        return outlined;
      },
    };
    const reader = await openReader({ outliner, groupBytes });
    const { ids } = await reader.offer(packages.length);
    expect(ids).toEqual(packages.map(() => altered));
    await reader.close();
  },
);

test('the id of a block with more bytes than are read at once is offered, read ahead or not', async () => {
  const { parsed } = made.blocks[0] as (typeof made.blocks)[number];
  const txHashes = Array.from({ length: 2000 }, (_, i) => new Uint8Array(32).fill(i % 251));
  const long = parseBlock(encodeBlock({ ...parsed.block, txHashes }));
  const content = { weight: 1, cumulativeDifficulty: 1n, generatedCoins: 1n };
  const bytes = encodeBootstrapPackage({ block: long.blob, txs: [], ...content });
  const size = new Uint8Array(4);
  new DataView(size.buffer).setUint32(0, bytes.length, true);
  writeFileSync(file, concatBytes(header, size, bytes, ...packages));
  for (const ahead of [undefined, { outliner: inlineOutliner, groupBytes: 1000 }]) {
    const reader = await openReader(ahead);
    const { ids } = await reader.offer(2);
    expect(ids.map(toHex)).toEqual([toHex(long.id), toHex(made.blocks[76]?.parsed.id ?? long.id)]);
    await reader.close();
  }
});
