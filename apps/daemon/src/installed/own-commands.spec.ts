import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownCommand } from './own-commands.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'installed-')));
});
afterEach(() => rmSync(root, { recursive: true }));

/** Puts the programs of the package into a folder below the root. */
function install(folder: string): string {
  const path = join(root, folder);
  mkdirSync(join(path, 'dist'), { recursive: true });
  for (const name of ['main.js', 'chain-tool.js']) writeFileSync(join(path, 'dist', name), '');
  return path;
}

const at = (folder: string, searchPath = '/bin') => ({
  folder,
  searchPath,
  exists: existsSync,
  resolve: realpathSync,
});

test('names scripts of npm in a checkout', () => {
  const folder = install('apps/daemon');
  mkdirSync(join(root, 'tools'));
  writeFileSync(join(root, 'tools/setup.mjs'), '');
  expect(ownCommand('monero-node-chain', at(`${folder}/`))).toBe('npm run chain --');
  expect(ownCommand('monero-node', at(folder))).toBe('npm run monero-node --');
  expect(ownCommand('monero-node-chain')).toBe('npm run chain --');
});

test('names the programs of the Debian package and the image', () => {
  const folder = '/usr/lib/monero-node/node_modules/@monero-node/daemon';
  const exists = (path: string): boolean => path === '/usr/bin/monero-node-chain';
  const packaged = { ...at(folder), exists };
  expect(ownCommand('monero-node-chain', packaged)).toBe('monero-node-chain');
  // An image without it.
  expect(ownCommand('monero-node', packaged)).toBe(`node ${folder}/dist/main.js`);
});

test('names the programs at the top of an unpacked archive', () => {
  const folder = install('monero-node-1.0.0/lib/node_modules/@monero-node/daemon');
  const top = join(root, 'monero-node-1.0.0');
  for (const path of ['monero-node', 'monero-node-chain', 'lib/node'])
    writeFileSync(join(top, path), '');
  expect(ownCommand('monero-node', at(`${folder}/`))).toBe(join(top, 'monero-node'));
  expect(ownCommand('monero-node-chain', at(folder))).toBe(join(top, 'monero-node-chain'));
});

test('names the link in a project that npm has installed it into', () => {
  const folder = install('node_modules/@monero-node/daemon');
  const bin = join(root, 'node_modules/.bin');
  mkdirSync(bin);
  symlinkSync(join(folder, 'dist/chain-tool.js'), join(bin, 'monero-node-chain'));
  expect(ownCommand('monero-node-chain', at(folder))).toBe(join(bin, 'monero-node-chain'));
});

test('names a program of the search path only if it is this one', () => {
  const folder = install('lib/node_modules/@monero-node/daemon');
  const bin = join(root, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'monero-node'), 'of somebody else');
  symlinkSync(join(folder, 'dist/chain-tool.js'), join(bin, 'monero-node-chain'));
  expect(ownCommand('monero-node-chain', at(folder, `/bin:${bin}`))).toBe('monero-node-chain');
  expect(ownCommand('monero-node', at(folder, bin))).toBe(`node ${folder}/dist/main.js`);
});
