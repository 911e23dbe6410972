import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NETWORKS, type TrustedBlockGroups } from '@monero-node/consensus';
import { readOwnList, readTrustedBlocks } from './chain-settings.ts';
import { UsageError } from './usage-error.ts';
import { OptionReader } from './given-options.ts';

const { mainnet, regtest, stagenet } = NETWORKS;
const own = mainnet.trustedBlockGroups as TrustedBlockGroups;
const values = (options: Record<string, string> = {}) =>
  new OptionReader(new Map(Object.entries(options)));

const folder = mkdtempSync(join(tmpdir(), 'block-hashes-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

test('mainnet trusts its own list by default', () => {
  const { groups, line } = readTrustedBlocks(values(), mainnet);
  expect(groups).toHaveLength(7372);
  expect(line).toBe(
    `Blocks below height 3774464 are trusted when their hashes match (built-in list, SHA-256 ${own.sha256}); from there on everything is verified.`,
  );
});

test('--fast-block-sync 0 verifies every block', () => {
  const { groups, line } = readTrustedBlocks(values({ 'fast-block-sync': '0' }), mainnet);
  expect(groups).toEqual([]);
  expect(line).toBe('Every block is verified in full.');
  expect(() => readTrustedBlocks(values({ 'fast-block-sync': '2' }), mainnet)).toThrow(UsageError);
});

test('a network without a list trusts none, or the file that is given', () => {
  for (const network of [regtest, stagenet])
    expect(readTrustedBlocks(values(), network)).toEqual({ groups: [], line: undefined });
  const path = join(folder, 'one.dat');
  writeFileSync(path, Buffer.concat([Buffer.from([1, 0, 0, 0]), Buffer.alloc(64)]));
  const { groups, line } = readTrustedBlocks(values({ 'block-hashes-file': path }), stagenet);
  expect(groups).toHaveLength(1);
  expect(line).toContain(`below height 512 are trusted when their hashes match (${path})`);
});

test('a file replaces the list of mainnet', () => {
  const path = join(folder, 'none.dat');
  writeFileSync(path, Buffer.alloc(4));
  expect(readTrustedBlocks(values({ 'block-hashes-file': path }), mainnet).groups).toEqual([]);
});

test('refuses its own list when it is damaged, and any list that cannot be read', () => {
  const path = join(folder, 'damaged.dat');
  const bytes = readFileSync(createRequire(import.meta.url).resolve(own.file));
  bytes[1000] = (bytes[1000] as number) ^ 1;
  writeFileSync(path, bytes);
  expect(() => readOwnList(own, path)).toThrow('The list of trusted block hashes is damaged');
  writeFileSync(path, bytes.subarray(0, 1000));
  expect(() => readOwnList(own, path)).toThrow('The list of trusted block hashes is damaged');
  expect(() => readOwnList(own, join(folder, 'absent.dat'))).toThrow('Failed to read block hashes');
  expect(() => readTrustedBlocks(values({ 'block-hashes-file': folder }), mainnet)).toThrow(
    UsageError,
  );
});
