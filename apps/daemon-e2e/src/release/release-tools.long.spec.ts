import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));

type Tool = (...args: never[]) => unknown;

/** Loads a script of tools/, which has no types. */
const load = async (path: string): Promise<Record<string, Tool>> =>
  (await import(join(ROOT, 'tools', path))) as Record<string, Tool>;

/** Calls an exported function of a script. */
async function call<Result>(
  path: string,
  name: string,
  ...args: readonly unknown[]
): Promise<Result> {
  const tool = (await load(path))[name] as (...all: readonly unknown[]) => unknown;
  return (await tool(...args)) as Result;
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'release-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs a program; returns { status, output }. */
function run(program: string, args: readonly string[], cwd = folder, env = process.env) {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, env, encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

describe('the notes of a release', () => {
  const changelog =
    '# Changelog\n\n## Unreleased\n\nnew\n\n## 0.3.0 – 2026-12-01\n\nthree\n\n## 0.3 – old\n\nx\n';
  const notes = (version: string, text = changelog) =>
    call('release/notes.mjs', 'notesFor', version, text);

  test('are the entry of its version, or what is not released yet', async () => {
    expect(await notes('0.3.0')).toEqual({ title: '0.3.0 – 2026-12-01', text: 'three' });
    expect(await notes('0.4.0')).toEqual({ title: 'Unreleased', text: 'new' });
    await expect(notes('0.4.0', '# Changelog\n')).rejects.toThrow('no entry for 0.4.0');
  });
});

describe('compiled files', () => {
  const needs = (...versions: readonly string[]): string =>
    `Version definition section '.gnu.version_d' contains 1 entry:\n  Name: GLIBC_2.99\n\n` +
    `Version needs section '.gnu.version_r' contains 1 entry:\n` +
    versions.map((version) => `  0x0010:   Name: ${version}  Flags: none  Version: 2\n`).join('');

  test('that need a newer glibc or C++ library than releases promise are found', async () => {
    const parse = (...versions: readonly string[]) =>
      call('publish/needed-libraries.mjs', 'parseNeeds', needs(...versions));
    expect(await parse('GLIBC_2.9', 'GLIBC_2.31', 'GLIBCXX_3.4.28', 'GCC_3.0')).toEqual({
      needed: ['GLIBC_2.31', 'GLIBCXX_3.4.28'],
      tooNew: [],
    });
    expect(
      await parse('GLIBC_2.32', 'GLIBC_2.2.5', 'GLIBCXX_3.4.29', 'CXXABI_1.3.13'),
    ).toMatchObject({
      tooNew: ['CXXABI_1.3.13', 'GLIBCXX_3.4.29', 'GLIBC_2.32'],
    });
  });

  test('take the newest version of a function that old systems have', async () => {
    const symbol = (name: string, version: string, isDefined: boolean) => ({
      name,
      version,
      isDefined,
    });
    const older = (wanted: unknown, offered: unknown) =>
      call('publish/old-glibc.mjs', 'olderVersions', wanted, offered);
    const offered = [
      ...['GLIBC_2.17', 'GLIBC_2.3.2', 'GLIBC_2.34', 'GLIBC_2.2.5'].map((version) =>
        symbol('wait', version, true),
      ),
      symbol('fresh', 'GLIBC_2.36', true),
    ];
    const wanted = [symbol('wait', 'GLIBC_2.34', false), symbol('read', 'GLIBC_2.2.5', false)];
    expect(await older(wanted, offered)).toEqual([['wait', 'GLIBC_2.17']]);
    await expect(older([symbol('fresh', 'GLIBC_2.36', false)], offered)).rejects.toThrow(
      'fresh is new in GLIBC_2.36',
    );
  });

  test('load with an old glibc, and have the same bytes wherever they were linked', async () => {
    const missing = ['c++', 'readelf'].filter((each) => spawnSync(each, ['--version']).error);
    if (missing.length > 0) return process.stderr.write(`skipped: no ${missing.join(', ')}\n`);
    // Functions that glibc 2.33 and 2.34 have in new versions.
    const code = `
      #include <fstream>
      #include <pthread.h>
      #include <sys/stat.h>
      static void* nothing(void* argument) { return argument; }
      extern "C" int used(const char* path) {
        pthread_t thread;
        struct stat found;
        std::ofstream(path) << "text";
        return pthread_create(&thread, nullptr, nothing, nullptr) + pthread_join(thread, nullptr) + stat(path, &found);
      }`;
    const link = async (name: string) => {
      const scratch = join(folder, name);
      const output = join(scratch, 'addon.node');
      const source = join(scratch, 'addon.cc');
      mkdirSync(scratch);
      writeFileSync(source, code);
      // Each linker notes other names in the file.
      const gold = spawnSync('ld.gold', ['--version']).error ? [] : ['-fuse-ld=gold'];
      const flags = ['-shared', '-fPIC', '-pthread', '-static-libstdc++', '-s', ...gold, source];
      const compile = (others: readonly string[]) =>
        expect(run('c++', [...flags, '-o', output, ...others])).toEqual({ status: 0, output: '' });
      await call('publish/old-glibc.mjs', 'linkForOldGlibc', {
        link: compile,
        output,
        compiler: 'c++',
        scratch,
      });
      return output;
    };
    const [first, second] = [await link('one'), await link('another')];
    expect(await call('publish/needed-libraries.mjs', 'librariesNeeded', first)).toMatchObject({
      tooNew: [],
    });
    expect(readFileSync(second).equals(readFileSync(first))).toBe(true);
    return true;
  });

  test('name their symbols as readelf prints them', async () => {
    const text = `
     4: 0000000000000000     0 FUNC    GLOBAL DEFAULT  UND close@GLIBC_2.2.5 (2)
  1434: 0000000000089380  3821 FUNC    GLOBAL DEFAULT   16 pthread_create@@GLIBC_2.34
  1435: 0000000000089380  3821 FUNC    GLOBAL DEFAULT   16 without_version
`;
    expect(await call('publish/needed-libraries.mjs', 'parseSymbols', text)).toEqual([
      { name: 'close', version: 'GLIBC_2.2.5', isDefined: false, isDefault: false },
      { name: 'pthread_create', version: 'GLIBC_2.34', isDefined: true, isDefault: true },
    ]);
  });
});

describe('the programs of an archive', () => {
  /** Makes a folder as an archive has it, whose Node prints how it was called. */
  async function unpack(loader = '/bin/sh'): Promise<string> {
    const place = join(folder, 'a folder');
    mkdirSync(join(place, 'lib'), { recursive: true });
    writeFileSync(join(place, 'lib/node'), '#!/bin/sh\necho "$@"\n', { mode: 0o755 });
    const program = join(place, 'monero-node');
    const text = await call<string>(
      'release/launcher.mjs',
      'launcher',
      'monero-node',
      'lib',
      loader,
    );
    writeFileSync(program, text, { mode: 0o755 });
    return program;
  }
  const script = 'node_modules/@monero-node/daemon/dist/main.js';
  const nothing = { PATH: '' };

  test('start without a PATH, from elsewhere, in their folder and by a link', async () => {
    const program = await unpack();
    const lib = join(folder, 'a folder/lib');
    const started = { status: 0, output: `${lib}/${script} --offline two words\n` };
    const args = ['--offline', 'two words'];
    expect(run(program, args, '/', nothing)).toEqual(started);
    expect(run('./monero-node', args, join(folder, 'a folder'), nothing)).toEqual({
      ...started,
      output: `./lib/${script} --offline two words\n`,
    });
    symlinkSync(program, join(folder, 'link'));
    symlinkSync('link', join(folder, 'second'));
    expect(run(join(folder, 'second'), args, '/', nothing)).toEqual(started);
  });

  test('say in one line that a system without glibc cannot run them', async () => {
    const program = await unpack('/nonexistent/ld-linux.so.2');
    const { status, output } = run(program, [], '/', nothing);
    expect(status).toBe(1);
    expect(output).toMatch(/^monero-node needs glibc 2\.31 or newer, .*musl.*\n$/);
  });
});

test('a download that differs from its digest in one byte is refused and deleted', async () => {
  const file = join(folder, 'package.tgz');
  writeFileSync(file, 'content');
  const integrity = await call<string>('release/downloads.mjs', 'integrityOf', file, 'sha512');
  await call('release/downloads.mjs', 'checkIntegrity', file, integrity);
  writeFileSync(file, 'Content');
  await expect(call('release/downloads.mjs', 'checkIntegrity', file, integrity)).rejects.toThrow(
    'package.tgz is not the file whose digest the repository has',
  );
  expect(existsSync(file)).toBe(false);
});

test('folders with the same content are packed to the same bytes', async () => {
  const pack = async (parent: string, names: readonly string[], mode: number) => {
    const place = join(folder, parent, 'packed');
    mkdirSync(join(place, 'below'), { recursive: true });
    for (const name of names) {
      writeFileSync(join(place, name), `content of ${name}`);
      chmodSync(join(place, name), mode);
      utimesSync(join(place, name), mode, mode);
    }
    return readFileSync(
      await call<string>('release/same-bytes.mjs', 'packFolder', place, 1_700_000_000),
    );
  };
  const names = ['b', 'a', 'below/c'];
  const first = await pack('one', names, 0o600);
  expect(await pack('two', [...names].reverse(), 0o644)).toEqual(first);
  // The permission to execute a file is content.
  expect(await pack('three', names, 0o700)).not.toEqual(first);
});

describe('the sums of a release', () => {
  beforeEach(async () => {
    for (const name of ['b.tar.gz', 'a.deb']) writeFileSync(join(folder, name), name.repeat(1000));
    await call('release/sums.mjs', 'writeSums', folder);
  });
  const check = () => run('sha256sum', ['--check', 'SHA256SUMS']);

  test('find a changed byte', () => {
    expect(check()).toEqual({ status: 0, output: 'a.deb: OK\nb.tar.gz: OK\n' });
    const bytes = readFileSync(join(folder, 'a.deb'));
    bytes[500] = (bytes[500] ?? 0) ^ 1;
    writeFileSync(join(folder, 'a.deb'), bytes);
    expect(check()).toMatchObject({ status: 1, output: expect.stringContaining('a.deb: FAILED') });
  });

  test('have a signature that changed sums do not have', async () => {
    if (spawnSync('gpg', ['--version']).error) return process.stderr.write('skipped: no gpg\n');
    const home = mkdtempSync(join(tmpdir(), 'gpg-'));
    const before = process.env['GNUPGHOME'];
    process.env['GNUPGHOME'] = home;
    try {
      const key = ['--quick-generate-key', 'releases@localhost', 'ed25519', 'sign', 'never'];
      expect(run('gpg', ['--batch', '--passphrase', '', ...key]).status).toBe(0);
      await call('release/sums.mjs', 'signSums', folder, 'releases@localhost');
      const verify = () => run('gpg', ['--verify', 'SHA256SUMS.asc', 'SHA256SUMS']).status;
      expect(verify()).toBe(0);
      appendFileSync(join(folder, 'SHA256SUMS'), '\n');
      expect(verify()).toBe(1);
    } finally {
      spawnSync('gpgconf', ['--kill', 'gpg-agent']);
      if (before === undefined) delete process.env['GNUPGHOME'];
      else process.env['GNUPGHOME'] = before;
      rmSync(home, { recursive: true, force: true });
    }
    return true;
  });
});

test('an image has the settings of the Dockerfile', async () => {
  const text = readFileSync(join(ROOT, 'deploy/docker/Dockerfile'), 'utf8');
  expect(await call('release/image.mjs', 'settingsOf', text)).toMatchObject({
    User: 'monero-node',
    ExposedPorts: { '18080/tcp': {}, '18081/tcp': {}, '18089/tcp': {} },
    Env: [expect.stringMatching(/^PATH=/), 'UV_THREADPOOL_SIZE=12'],
    Entrypoint: expect.arrayContaining(['node', '--non-interactive']),
    Volumes: { '/var/lib/monero-node': {} },
    WorkingDir: '/var/lib/monero-node',
    StopSignal: 'SIGTERM',
    Healthcheck: {
      Test: ['CMD', 'node', '-e', expect.stringContaining('/health/live')],
      Interval: 30e9,
      Timeout: 10e9,
      StartPeriod: 600e9,
      Retries: 3,
    },
  });
});

test('the list of contents depends on the contents alone', async () => {
  const list = async (packages: readonly string[]) => {
    const what = { version: '1.0.0', packages, natives: [], seconds: 1_700_000_000 };
    return JSON.parse(await call<string>('release/sbom.mjs', 'makeSbom', what)) as {
      serialNumber: string;
      components: readonly { purl: string; hashes: readonly { alg: string; content: string }[] }[];
    };
  };
  const [first, again, other] = [
    await list(['node_modules/ws']),
    await list(['node_modules/ws']),
    await list(['node_modules/semver']),
  ];
  expect(again).toEqual(first);
  expect(other.serialNumber).not.toBe(first.serialNumber);
  expect(first.components).toMatchObject([
    { purl: expect.stringMatching(/^pkg:npm\/ws@\d/), hashes: [{ alg: 'SHA-512' }] },
  ]);
  expect(first.components[0]?.hashes[0]?.content).toMatch(/^[0-9a-f]{128}$/);
});
