import {
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BOOTSTRAP_HEADER_BYTES, toHex } from '@monero-node/codec';
import {
  bundleOf,
  EASY,
  genesisOf,
  makeBlock,
  makeBranch,
  startTestChain,
} from '@monero-node/blockchain/testing';
import { exportBlocks } from './export-blocks.ts';
import { importBlocks } from './import-blocks.ts';
import { BootstrapReader } from './bootstrap-reader.ts';
import { inlineOutliner } from '../testing/inline-outliner.ts';

const LENGTH = 60;
const branch = makeBranch(EASY, genesisOf(EASY), LENGTH);
let folder: string;
let file: string;
let readsAhead = false;

async function exportedChain(): Promise<Uint8Array> {
  const { chain } = await startTestChain();
  await chain.addSpan(branch.map(bundleOf));
  await exportBlocks(chain, file, { blockStart: 0 });
  return readFileSync(file);
}

async function importFile(
  chain: Awaited<ReturnType<typeof startTestChain>>['chain'],
  options: Partial<Parameters<typeof importBlocks>[2]> = {},
): Promise<number> {
  const reader = await BootstrapReader.open(file);
  if (readsAhead) reader.readAhead(inlineOutliner);
  try {
    const settings = { trust: false, batchSize: 10, ...options };
    return (await importBlocks(chain, reader, settings)).height;
  } finally {
    await reader.close();
  }
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bootstrap-file-'));
  file = join(folder, 'blockchain.raw');
});
afterEach(() => rmSync(folder, { recursive: true }));

describe.each([false, true])('when blocks are read ahead: %s', (isAhead) => {
  beforeAll(() => {
    readsAhead = isAhead;
  });

  test('import adds an exported chain and verifies every block', async () => {
    await exportedChain();
    const { chain } = await startTestChain();
    expect(await importFile(chain)).toBe(LENGTH + 1);
    expect(toHex(chain.topId)).toBe(toHex(branch.at(-1)?.parsed.id ?? new Uint8Array()));
    expect(chain.counters).toMatchObject({ blocks: LENGTH, pow: LENGTH, known: 0 });
  });

  test('import without verification checks only the context of blocks', async () => {
    await exportedChain();
    const { chain } = await startTestChain();
    expect(await importFile(chain, { trust: true })).toBe(LENGTH + 1);
    expect(chain.counters).toMatchObject({ pow: 0, known: LENGTH });
  });

  test('import resumes after it was aborted', async () => {
    await exportedChain();
    const { chain } = await startTestChain();
    const stop = new AbortController();
    const onProgress = () => stop.abort();
    expect(await importFile(chain, { signal: stop.signal, onProgress })).toBe(11);
    expect(await importFile(chain, { blockStop: 34 })).toBe(35);
    expect(await importFile(chain)).toBe(LENGTH + 1);
    expect(await importFile(chain)).toBe(LENGTH + 1);
  });

  test('export that was killed within a block resumes and writes the same bytes', async () => {
    const whole = await exportedChain();
    truncateSync(file, whole.length - 700);
    const { chain } = await startTestChain();
    await chain.addSpan(branch.map(bundleOf));
    expect(await exportBlocks(chain, file, { blockStart: 0 })).toBeGreaterThan(0);
    expect(readFileSync(file).equals(whole)).toBe(true);
  });

  test('export of a part of the chain can be imported into a chain that ends before it', async () => {
    const { chain } = await startTestChain();
    await chain.addSpan(branch.map(bundleOf));
    await exportBlocks(chain, file, { blockStart: 20, blockStop: 40 });
    const other = await startTestChain();
    await expect(importFile(other.chain)).rejects.toThrow('begins at block 20');
    await other.chain.addSpan(branch.slice(0, 19).map(bundleOf));
    expect(await importFile(other.chain)).toBe(41);
  });

  test('export ends at a block that is too large for the reader of the file', async () => {
    const { chain } = await startTestChain();
    await chain.addSpan(branch.map(bundleOf));
    const options = { blockStart: 0, maxBlockBytes: 100 };
    await expect(exportBlocks(chain, file, options)).rejects.toThrow(
      /^block 0 has \d+ bytes, and monero-blockchain-import reads 100 at most: .* --block-stop/,
    );
  });

  (existsSync('/dev/full') ? test : test.skip)(
    'a full disk is that of the file to be written, not that of the chain',
    async () => {
      const { chain } = await startTestChain();
      await expect(exportBlocks(chain, '/dev/full', { blockStart: 0 })).rejects.toMatchObject({
        code: 'ENOSPC',
        path: '/dev/full',
      });
    },
  );

  test('import refuses the file of another chain', async () => {
    await exportedChain();
    const { chain } = await startTestChain();
    const other = makeBlock(EASY, genesisOf(EASY), { timestamp: 1_600_000_000 });
    await chain.addSpan([bundleOf(other)]);
    await expect(importFile(chain)).rejects.toThrow('block 1 of the file differs');
  });

  test('import adds the blocks before damage in the file, then reports the damage', async () => {
    const whole = await exportedChain();
    truncateSync(file, whole.length - 5);
    const { chain } = await startTestChain();
    await expect(importFile(chain)).rejects.toThrow('ends within a block');
    expect(chain.height).toBe(LENGTH);
  });

  test('import names a block that breaks a rule', async () => {
    const whole = Buffer.from(await exportedChain());
    // The nonce of a block is free at difficulty 1; its link to the block before is not.
    const at = whole.indexOf(
      branch[9]?.parsed.block.prevId ?? new Uint8Array(),
      BOOTSTRAP_HEADER_BYTES,
    );
    whole.writeUInt8(whole.readUInt8(at) ^ 1, at);
    writeFileSync(file, whole);
    const { chain } = await startTestChain();
    await expect(importFile(chain)).rejects.toThrow('block 10 of the file was rejected');
    expect(chain.height).toBe(10);
  });

  test.each([
    ['an empty file', ''],
    ['a file of another format', 'x'.repeat(2000)],
    ['a header cut off', Buffer.from('8615722804', 'hex')],
    ['a header with a huge part', Buffer.from('86157228ffffffff', 'hex')],
  ])('import refuses %s', async (_, content) => {
    writeFileSync(file, content);
    await expect(BootstrapReader.open(file)).rejects.toThrow(/blockchain\.raw: /);
  });

  test('import checks the size of a block before reading it', async () => {
    const whole = Buffer.from(await exportedChain());
    whole.writeUInt32LE(0xffff_ffff, BOOTSTRAP_HEADER_BYTES);
    writeFileSync(file, whole);
    const { chain } = await startTestChain();
    await expect(importFile(chain)).rejects.toThrow('block of 4294967295 bytes');
  });
});
