import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nameWithoutReplacing } from './download-archive.ts';

let folder: string;
let file: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'name-'));
  file = join(folder, 'part');
  path = join(folder, 'whole');
  writeFileSync(file, 'new');
});
afterEach(() => rmSync(folder, { recursive: true }));

const failing = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }));

describe.each([
  ['with links', undefined],
  ['without links', failing('EPERM')],
])('a file system %s', (_, makeLink) => {
  test('gets the file under its name', async () => {
    await nameWithoutReplacing(file, path, makeLink);
    expect(readFileSync(path, 'utf8')).toBe('new');
  });

  test('keeps another file', async () => {
    writeFileSync(path, 'old');
    await expect(nameWithoutReplacing(file, path, makeLink)).rejects.toThrow('EEXIST');
    expect(readFileSync(path, 'utf8')).toBe('old');
  });
});

test('a copy that fails leaves nothing', async () => {
  rmSync(file);
  await expect(nameWithoutReplacing(file, path, failing('EPERM'))).rejects.toThrow('ENOENT');
  expect(readdirSync(folder)).toEqual([]);
});

test('other errors are passed on', async () => {
  await expect(nameWithoutReplacing(file, path, failing('ENOSPC'))).rejects.toThrow('ENOSPC');
  expect(readdirSync(folder)).toEqual(['part']);
});
