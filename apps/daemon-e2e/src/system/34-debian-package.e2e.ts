import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from '@jest/globals';
import { ending } from '../harness/chain-tool.ts';
import { makeDebianPackage } from '../harness/debian-package.ts';
import { commonFlags } from '../harness/monerod.ts';
import { startAndStop } from '../harness/packaged-daemon.ts';
import { freePorts } from '../harness/ports.ts';
import { ManagedProcess } from '../harness/processes.ts';
import { RpcClient } from '../harness/rpc-client.ts';
import { newFolder } from '../harness/run-folder.ts';
import { describeUnless, describeWith } from '../harness/skip-without.ts';
import { waitUntil } from '../harness/wait.ts';

const DATA = '/var/lib/monero-node';
const CONFIG = '/etc/monero-node/monero-node.conf';
const LOGIN = '/etc/monero-node/rpc-login';

/** Runs a program to its end; returns its output. Throws Error when it fails. */
function run(program: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stdout}${stderr}`);
  return stdout + stderr;
}

let deb = '';

describeWith(['dpkg-deb'], 'the Debian package', () => {
  beforeAll(() => {
    deb = makeDebianPackage('1.0.0');
  });

  test('has the fields and files of a daemon', () => {
    const fields = run('dpkg-deb', '--field', deb);
    expect(fields).toMatch(/^Package: monero-node$/m);
    expect(fields).toMatch(/^Depends: .*libc6 \(>= [^)]+\).*, passwd$/m);
    expect(fields).not.toContain('nodejs');
    const files = run('dpkg-deb', '--contents', deb);
    for (const path of [
      ...['./usr/bin/monero-node', './usr/bin/monero-node-chain', `.${CONFIG}`],
      ...['./usr/lib/systemd/system/monero-node.service', './etc/logrotate.d/monero-node'],
      ...['monero-node', 'monero-node-chain'].flatMap((name) => [
        `./usr/share/man/man1/${name}.1.gz`,
        `./usr/share/zsh/vendor-completions/_${name}`,
        `./usr/share/bash-completion/completions/${name}`,
        `./usr/share/fish/vendor_completions.d/${name}.fish`,
      ]),
    ]) {
      expect(files).toContain(` ${path}\n`);
    }
    expect(files.match(/.*(node_modules\/(typescript|jest)\/|[cm]?\.ts\n).*/)).toBeNull();
    // Addons of this platform only.
    const addons = [...files.matchAll(/\/([a-z]+)\.node\n/g)].map(([, name]) => name);
    expect(addons.sort()).toEqual(['crypto', 'fcmp', 'lmdb', 'randomx']);
    expect(files.match(/\.node\n/g)).toHaveLength(4);
    expect(run('dpkg-deb', '--ctrl-tarfile', deb)).toContain(
      `${CONFIG}\n/etc/logrotate.d/monero-node`,
    );
  });

  test('holds a daemon that runs from where it was unpacked', async () => {
    const root = newFolder('unpacked');
    run('dpkg-deb', '--extract', deb, root);
    await startAndStop([join(root, 'usr/bin/monero-node')], newFolder('packaged'));
    // The same by a link.
    const folder = newFolder('linked');
    symlinkSync(join(root, 'usr/bin/monero-node'), join(folder, 'node'));
    await startAndStop([join(folder, 'node')], folder);
  });

  test('holds the verifier of FCMP++ proofs, with its addon, where the threads look for it', () => {
    const root = newFolder('unpacked');
    run('dpkg-deb', '--extract', deb, root);
    const lib = join(root, 'usr/lib/monero-node');
    const script = `
      const { pathToFileURL } = await import('node:url');
      const { readFileSync } = await import('node:fs');
      const { gunzipSync } = await import('node:zlib');
      const { createFcmpVerifier } = await import(pathToFileURL(process.argv[1]).href);
      const [first] = JSON.parse(gunzipSync(readFileSync(process.argv[2])).toString());
      const hex = (text) => new Uint8Array(Buffer.from(text, 'hex'));
      const [pseudoOuts, keyImages] = [first.pseudoOuts.map(hex), first.keyImages.map(hex)];
      const [message, root, proof] = [hex(first.message), hex(first.root), hex(first.proof)];
      const verify = createFcmpVerifier('native');
      const statement = { message, layers: first.layers, root, pseudoOuts, keyImages, proof };
      console.log(verify([statement]), verify([{ ...statement, message: root }]));
    `;
    const output = run(
      join(lib, 'node'),
      ...['--input-type=module', '--eval', script],
      join(lib, 'node_modules/@monero-node/fcmp/dist/verifier.js'),
      fileURLToPath(
        new URL('../../../../packages/fcmp/fixtures/recorded.json.gz', import.meta.url),
      ),
    );
    expect(output).toBe('true false\n');
  });

  test('answers wallets on both ports without a login, with the unit and its config file', async () => {
    const root = newFolder('unpacked');
    run('dpkg-deb', '--extract', deb, root);
    const unit = readFileSync(join(root, 'usr/lib/systemd/system/monero-node.service'), 'utf8');
    expect(/^ExecStart=.*$/m.exec(unit)?.[0]).not.toContain('login');
    const folder = newFolder('packaged');
    const [port = 0, restricted = 0] = await freePorts(2);
    // The settings that an operator uncomments for a public port.
    const settings = readFileSync(join(root, CONFIG), 'utf8')
      .replaceAll(/^#(?=rpc-restricted|confirm)/gm, '')
      .replace('=18089', `=${restricted}`)
      .replace('0.0.0.0', '127.0.0.1')
      .replace(/^log-file=.*$/m, `log-file=${join(folder, 'log')}`);
    const config = join(folder, 'monero-node.conf');
    writeFileSync(config, settings);
    const daemon = await ManagedProcess.start({
      name: 'packaged',
      program: join(root, 'usr/bin/monero-node'),
      cwd: folder,
      args: [
        ...commonFlags({ offline: true }, folder, 0, port),
        ...['--rpc-ssl', 'disabled', '--config-file', config],
      ],
      env: { NODE_OPTIONS: '' },
    });
    for (const each of [port, restricted]) {
      const rpc = new RpcClient(each);
      const info = await waitUntil('the daemon to answer', () => rpc.path('/get_info'));
      rpc.close();
      expect(info).toMatchObject({ status: 'OK', restricted: each === restricted });
    }
    expect(await daemon.stop()).toBe(0);
  });
});

/** Returns why the package is not installed into this system. */
function installLack(): string | undefined {
  if (process.env['CI'] !== 'true') return 'only with CI=true, because it changes the system';
  if (process.getuid?.() !== 0) return 'needs root';
  if (spawnSync('dpkg', ['--version']).error) return 'not installed: dpkg';
  if (existsSync(DATA) || existsSync(CONFIG)) return 'a monero-node is installed';
  return undefined;
}

describeUnless(installLack(), 'an installed Debian package', () => {
  const hasUser = (): boolean => spawnSync('getent', ['passwd', 'monero-node']).status === 0;

  test('runs, keeps changed settings over an upgrade, and leaves only the chain when purged', async () => {
    run('dpkg', '--install', deb);
    try {
      expect(hasUser()).toBe(true);
      expect(statSync(LOGIN).mode & 0o777).toBe(0o600);
      const login = readFileSync(LOGIN, 'utf8');
      expect(login).toMatch(/^monero:[0-9a-f]{48}\n$/);
      run('install', '-d', '-o', 'monero-node', '-m', '700', DATA);
      const user = ['--reuid', 'monero-node', '--regid', 'monero-node', '--clear-groups'];
      await startAndStop(['/usr/bin/setpriv', ...user, '/usr/bin/monero-node'], DATA);
      const remote = await ending(
        {
          name: 'remote',
          program: 'monero-node',
          args: ['--rpc-login-file', LOGIN, 'status'],
          cwd: '/',
        },
        60_000,
      );
      expect(remote).toMatchObject({
        code: 1,
        output: expect.stringContaining("Couldn't connect"),
      });

      appendFileSync(CONFIG, 'out-peers=4\n');
      run('dpkg', '--install', makeDebianPackage('2.0.0'));
      expect(run('dpkg-query', '--show', '--showformat=${Version} ${Status}', 'monero-node')).toBe(
        '2.0.0 install ok installed',
      );
      expect(readFileSync(CONFIG, 'utf8')).toContain('out-peers=4\n');
      expect(readFileSync(LOGIN, 'utf8')).toBe(login);
    } finally {
      const said = run('dpkg', '--purge', 'monero-node');
      expect(said).toContain(`the chain in ${DATA} was kept`);
    }
    expect([hasUser(), existsSync('/etc/monero-node'), existsSync('/usr/lib/monero-node')]).toEqual(
      [...[false, false, false]],
    );
    expect(statSync(DATA)).toMatchObject({ uid: 0, gid: 0 });
    expect(existsSync(join(DATA, 'fake', 'chain'))).toBe(true);
    rmSync(DATA, { recursive: true });
  });
});
