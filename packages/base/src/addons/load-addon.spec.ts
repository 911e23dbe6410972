import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AddonError, isMusl, loadAddon, type AddonMachine } from './load-addon.ts';

const PLACES = {
  from: import.meta.url,
  compiled: '../build/x.node',
  prebuilt: '@scope/x',
  install: 'install a compiler',
};

/** Returns a machine with these files; an Error is thrown by the file it is for. */
function machine(files: Record<string, unknown>, changes: Partial<AddonMachine> = {}) {
  return {
    require: (path: string) => {
      const found = files[path];
      if (found instanceof Error) throw found;
      if (found !== undefined) return found;
      throw Object.assign(new Error(`Cannot find module '${path}'`), { code: 'MODULE_NOT_FOUND' });
    },
    platform: 'linux',
    arch: 'x64',
    isMusl: () => false,
    ...changes,
  };
}

/** Returns the AddonError. */
function errorOf(files: Record<string, unknown>, changes: Partial<AddonMachine> = {}): AddonError {
  try {
    loadAddon(PLACES, machine(files, changes));
  } catch (error) {
    if (error instanceof AddonError) return error;
  }
  throw new Error('no AddonError');
}

test('prefers the addon compiled in the checkout', () => {
  const files = { '../build/x.node': 'compiled', '@scope/x-linux-x64': 'prebuilt' };
  expect(loadAddon(PLACES, machine(files))).toBe('compiled');
});

test('takes that of the package for the platform otherwise', () => {
  const files = { '@scope/x-linux-x64': 'Linux', '@scope/x-darwin-arm64': 'macOS' };
  expect(loadAddon(PLACES, machine(files))).toBe('Linux');
  const apple = { platform: 'darwin', arch: 'arm64', isMusl: () => true };
  expect(loadAddon(PLACES, machine(files, apple))).toBe('macOS');
});

test('loads no code for glibc on musl', () => {
  const error = errorOf({ '@scope/x-linux-x64': 'Linux' }, { isMusl: () => true });
  expect(error).toMatchObject({
    message: 'there is no native code for Linux with musl',
    isMissing: true,
  });
});

test('names the package that is missing', () => {
  expect(errorOf({})).toMatchObject({
    message: '@scope/x-linux-x64 is not installed',
    isMissing: true,
  });
});

test.each(['../build/x.node', '@scope/x-linux-x64'])('says why %s does not load', (path) => {
  const cause = new Error('librandomx.so.0: cannot open shared object file');
  expect(errorOf({ [path]: cause })).toMatchObject({
    message: cause.message,
    isMissing: false,
    cause,
  });
});

test('looks at the real machine', () => {
  const load = () => loadAddon(PLACES);
  expect(load).toThrow(AddonError);
  expect(load).toThrow(/@scope\/x-\w+-\w+ is not installed|musl/);
});

test('does not change how reports are written', () => {
  const { report } = process as { report?: { excludeNetwork?: boolean } };
  const before = report?.excludeNetwork ?? false;
  expect(typeof isMusl()).toBe('boolean');
  expect(report?.excludeNetwork ?? false).toBe(before);
});

test('in a checkout, says why the build made no addon and what to do', () => {
  const folder = mkdtempSync(join(tmpdir(), 'addon-'));
  try {
    writeFileSync(join(folder, 'not-built.txt'), 'no C++ compiler was found\n');
    const from = pathToFileURL(join(folder, 'addon.js')).href;
    const places = { ...PLACES, from, compiled: './x.node' };
    for (const musl of [false, true]) {
      expect(() => loadAddon(places, machine({}, { isMusl: () => musl }))).toThrow(
        'no C++ compiler was found: install a compiler',
      );
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
