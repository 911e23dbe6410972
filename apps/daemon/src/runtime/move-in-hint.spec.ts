import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NETWORKS } from '@monero-node/consensus';
import { moveInHint } from './move-in-hint.ts';

let base: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "monero's node-"));
});
afterEach(() => rmSync(base, { recursive: true }));

function addDatabase(dataDir: string): string {
  const folder = join(dataDir, 'lmdb');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'data.mdb'), 'x');
  return join(folder, 'data.mdb');
}

test("says what to type when only monerod's chain is there", () => {
  const network = NETWORKS.stagenet;
  const dataDir = join(base, 'stagenet');
  const settings = { dataDir, network, resetChain: false };
  expect(moveInHint(settings, 1)).toBeUndefined();
  const path = addDatabase(dataDir);
  const inShell = (text: string): string => `'${text.replace("'", String.raw`'\''`)}'`;
  expect(moveInHint(settings, 1, 'the-tool')).toBe(
    `${path} holds a chain of monerod. To take it over instead of downloading it, stop this node and monerod, then type: the-tool import --stagenet --data-dir ${inShell(base)} --from-monerod ${inShell(dataDir)}`,
  );
  expect(moveInHint(settings, 2)).toBeUndefined();
  expect(moveInHint({ ...settings, resetChain: true }, 1)).toBeUndefined();
});

test('needs no options for the usual folder of mainnet', () => {
  addDatabase(base);
  const settings = { dataDir: base, network: NETWORKS.mainnet, resetChain: false };
  expect(moveInHint(settings, 1)).toContain('npm run chain -- import --data-dir ');
});
