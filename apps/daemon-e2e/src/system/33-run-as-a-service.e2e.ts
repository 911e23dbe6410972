import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from '@jest/globals';
import { OUR_DAEMON } from '../harness/binaries.ts';
import { ending, type Ending } from '../harness/chain-tool.ts';
import { commonFlags, type RunningNode } from '../harness/monerod.ts';
import { NotifySocket } from '../harness/notify-socket.ts';
import { startOurDaemon } from '../harness/our-daemon.ts';
import { newFolder } from '../harness/run-folder.ts';
import { freePorts } from '../harness/ports.ts';
import { ManagedProcess } from '../harness/processes.ts';
import { describeWith } from '../harness/skip-without.ts';
import { RpcClient } from '../harness/rpc-client.ts';
import { waitUntil } from '../harness/wait.ts';

const UNIT = fileURLToPath(
  new URL('../../../../deploy/systemd/monero-node.service', import.meta.url),
);
const LOGROTATE = fileURLToPath(
  new URL('../../../../deploy/logrotate/monero-node', import.meta.url),
);
/** A regtest address. */
const ADDRESS =
  '42ey1afDFnn4886T7196doS9GPMzexD9gXpsZJDwVjeRVdFCSoHnv7KPbBeGpzJBzHRCAs9UxqeoyFQMYbqSWYTfJJQAWDm';

let node: RunningNode | undefined;
let socket: NotifySocket | undefined;
afterEach(async () => {
  await node?.stop();
  socket?.close();
  node = undefined;
});

describeWith(['systemd-notify', 'perl'], 'a service manager', () => {
  test.each(['a path', 'an abstract name'])(
    'is notified at %s of start, height, life and stop',
    async (kind) => {
      const folder = newFolder('notify');
      const name = kind === 'a path' ? join(folder, 'socket') : `@monero-node-${process.pid}`;
      socket = await NotifySocket.open(name);
      // Half of this is the interval of the signs of life.
      const env = { NOTIFY_SOCKET: name, WATCHDOG_USEC: '1000000' };
      node = await startOurDaemon({ offline: true, env });
      const { messages } = socket;
      await waitUntil('READY', () => messages.length > 0);
      expect(messages[0]).toEqual(['READY=1', 'STATUS=Height 1, no peers']);
      await waitUntil('signs of life', () => socket?.has('WATCHDOG=1'));
      await node.rpc.call('generateblocks', { amount_of_blocks: 2, wallet_address: ADDRESS });
      await waitUntil('the height', () => socket?.has('STATUS=Height 3, no peers'));
      expect(await node.stop()).toBe(0);
      expect(socket.has('STOPPING=1')).toBe(true);
      expect(node.process.output()).not.toContain('cannot be notified');
    },
  );

  test('that watches another process gets no signs of life', async () => {
    const name = join(newFolder('notify'), 'socket');
    socket = await NotifySocket.open(name);
    const env = { NOTIFY_SOCKET: name, WATCHDOG_USEC: '100000', WATCHDOG_PID: '1' };
    node = await startOurDaemon({ offline: true, env });
    await waitUntil('READY', () => socket?.has('READY=1'));
    expect(await node.stop()).toBe(0);
    expect(socket.has('STOPPING=1')).toBe(true);
    expect(socket.has('WATCHDOG=1')).toBe(false);
  });

  test('that is absent causes one warning', async () => {
    const env = { NOTIFY_SOCKET: join(newFolder('notify'), 'none') };
    node = await startOurDaemon({ offline: true, env });
    expect(await node.stop()).toBe(0);
    expect(node.process.output().match(/cannot be notified/g)).toHaveLength(1);
  });
});

describeWith(['systemd-analyze'], 'deploy/systemd/monero-node.service', () => {
  test('is accepted by systemd', () => {
    const folder = newFolder('unit');
    const unit = join(folder, 'monero-node.service');
    // Neither the program nor its man page need to be installed for this.
    const text = execFileSync('sed', [
      's|/usr/bin/monero-node|/bin/true|; /^Documentation/d',
      UNIT,
    ]);
    writeFileSync(unit, text);
    const output = execFileSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' });
    expect(output).toBe('');
  });

  test('exposes little to an attacker', () => {
    const output = execFileSync(
      'systemd-analyze',
      ['security', '--offline=true', '--threshold=20', UNIT],
      { encoding: 'utf8' },
    );
    expect(output).toContain('Overall exposure level');
  });
});

describeWith(['logrotate'], 'deploy/logrotate/monero-node', () => {
  test('renames the log, and the daemon opens a new one', async () => {
    const folder = newFolder('logrotate');
    const log = join(folder, 'monero-node.log');
    const extra = ['--log-file', log, '--max-log-file-size', '0'];
    node = await startOurDaemon({ offline: true, extra });
    // Names the process of the test, as systemctl names that of the service.
    const systemctl = join(folder, 'systemctl');
    writeFileSync(systemctl, `#!/bin/sh\necho ${node.process.pid}\n`, { mode: 0o755 });
    const config = join(folder, 'logrotate.conf');
    const text = readFileSync(LOGROTATE, 'utf8')
      .replace('/var/log/monero-node', folder)
      .replace(/^ *su .*\n/m, '');
    writeFileSync(config, text, { mode: 0o644 });
    execFileSync('logrotate', ['--force', '--state', join(folder, 'state'), config], {
      env: { PATH: `${folder}:${process.env['PATH']}` },
    });
    await waitUntil('a new log', () => readFileSync(log, 'utf8').includes('reopened'));
    expect(readFileSync(`${log}.1`, 'utf8')).toContain('node started at');
    expect(await node.stop()).toBe(0);
    expect(readFileSync(log, 'utf8')).toContain('Stopped.');
  });
});

test('a reader of standard output that never reads holds up neither the RPC nor the stop', async () => {
  const dataDir = newFolder('stuck-reader');
  const [p2pPort = 0, rpcPort = 0] = await freePorts(2);
  const options = { offline: true, extra: ['--log-level', '4', '--rpc-ssl', 'disabled'] };
  const daemon = spawn(
    process.execPath,
    [OUR_DAEMON, ...commonFlags(options, dataDir, p2pPort, rpcPort)],
    { stdio: ['ignore', 'pipe', 'ignore'], env: { ...process.env, NODE_OPTIONS: '' } },
  );
  try {
    const rpc = new RpcClient(rpcPort);
    await waitUntil('the daemon to answer', () => rpc.path('/get_info'));
    // Every call writes lines: these fill the pipe and all that may wait.
    const log = join(dataDir, 'fake', 'bitmonero.log');
    const path = `/no_such_path_${'x'.repeat(4000)}`;
    const call = () => rpc.post(path, '', 'application/json');
    while (statSync(log).size < 1.2 * 2 ** 20) await Promise.all(Array.from({ length: 200 }, call));
    expect(await rpc.path('/get_info')).toMatchObject({ status: 'OK' });
    rpc.close();
    daemon.kill('SIGTERM');
    expect(await once(daemon, 'exit')).toEqual([0, null]);
  } finally {
    daemon.kill('SIGKILL');
  }
}, 120_000);

describe('a login from a file', () => {
  function loginFile(content: string): string {
    const path = join(newFolder('login'), 'rpc-login');
    writeFileSync(path, content, { mode: 0o600 });
    return path;
  }

  const args = (dataDir: string, port: number, login: string): string[] => [
    ...[OUR_DAEMON, ...commonFlags({ offline: true }, dataDir, 0, port)],
    ...['--rpc-ssl', 'disabled', '--rpc-login-file', login],
  ];

  /** Sends the command `status` to the daemon at a port. */
  function status(port: number, login: readonly string[]): Promise<Ending> {
    const cwd = newFolder('remote');
    const where = ['--regtest', '--rpc-ssl', 'disabled', '--rpc-bind-port', String(port)];
    const command = [OUR_DAEMON, ...where, ...login, 'status'];
    const env = { NODE_OPTIONS: '', RPC_LOGIN: '' };
    return ending({ name: 'remote', program: process.execPath, cwd, args: command, env }, 60_000);
  }

  test('is required of clients, and the data directory is private', async () => {
    const login = loginFile('user:secret word\n');
    const cwd = newFolder('login');
    const [port = 0] = await freePorts(1);
    const dataDir = join(cwd, 'data');
    const daemon = await ManagedProcess.start({
      name: 'login',
      program: process.execPath,
      cwd,
      args: args(dataDir, port, login),
      env: { NODE_OPTIONS: '' },
    });
    await waitUntil('the start', () => daemon.output().includes('node started at'));
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    const right = await status(port, ['--rpc-login-file', login]);
    expect(right).toMatchObject({ code: 0, output: expect.stringContaining('Height: 1/') });
    expect(await status(port, ['--rpc-login-file', loginFile('user:word\n')])).toMatchObject({
      code: 1,
      output: expect.stringContaining(`the daemon at 127.0.0.1:${port} refused the login`),
    });
    expect(await status(port, [])).toMatchObject({
      code: 1,
      output: expect.stringContaining(`the daemon at 127.0.0.1:${port} requires a login`),
    });
    expect(await daemon.stop()).toBe(0);
  });

  test('that other users can read ends the start', async () => {
    const login = loginFile('user:word\n');
    chmodSync(login, 0o644);
    const cwd = newFolder('login');
    const { code, output } = await ending(
      { name: 'open-login', program: process.execPath, cwd, args: args(cwd, 1, login) },
      60_000,
    );
    expect({ code, lines: output.trim().split('\n') }).toEqual({
      code: 1,
      lines: [expect.stringContaining(`--rpc-login-file ${login}: other users can read`)],
    });
  });
});
