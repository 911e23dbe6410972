import { existsSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { startTicks } from '../../leftovers.js';
import { OUR_DAEMON } from '../harness/binaries.ts';
import { newFolder } from '../harness/run-folder.ts';
import { commonFlags } from '../harness/monerod.ts';
import { freePorts } from '../harness/ports.ts';
import { ManagedProcess } from '../harness/processes.ts';
import { RpcClient } from '../harness/rpc-client.ts';
import { waitUntil } from '../harness/wait.ts';

const WORKSPACE = fileURLToPath(new URL('../../../..', import.meta.url));

let dataDir: string;
let pidFile: string;
beforeEach(() => {
  dataDir = newFolder('detached');
  pidFile = join(dataDir, 'daemon.pid');
});

const pidInFile = (): number => Number(readFileSync(pidFile, 'utf8'));

afterEach(() => {
  // Stops the processes that a failed test left running.
  if (existsSync(pidFile)) process.kill(pidInFile(), 'SIGKILL');
});

/** Runs the command to its end. */
async function detach(
  rpcPort: number,
  extra: readonly string[],
  folder = dataDir,
): Promise<{ code: number | null; output: string; pid: number }> {
  const command = await ManagedProcess.start({
    name: 'detach',
    program: process.execPath,
    cwd: dataDir,
    args: [
      OUR_DAEMON,
      ...commonFlags({ offline: true }, folder, 0, rpcPort),
      ...['--rpc-ssl', 'disabled', '--detach', ...extra],
    ],
    env: { NODE_OPTIONS: '' },
  });
  const { code } = await command.exited;
  return { code, output: command.output(), pid: command.pid };
}

test('the command returns when the daemon serves, and the PID file is removed at the end', async () => {
  const [port = 0] = await freePorts(1);
  const command = await detach(port, ['--pidfile', 'daemon.pid']);
  expect(command).toMatchObject({ code: 0 });
  const pid = pidInFile();
  expect(pid).not.toBe(command.pid);
  expect(command.output).toContain(`as process ${pid}, log file `);
  const started = startTicks(pid);
  expect(started).toBeDefined();

  const rpc = new RpcClient(port);
  expect(await rpc.path('/get_info')).toMatchObject({ height: 1, nettype: 'fakechain' });
  expect(await rpc.path('/stop_daemon')).toMatchObject({ status: 'OK' });
  rpc.close();
  await waitUntil('the daemon to end', () => startTicks(pid) !== started);
  expect(existsSync(pidFile)).toBe(false);
  const log = readFileSync(join(dataDir, 'fake', 'bitmonero.log'), 'utf8');
  expect(log).toContain('Stopped.');
});

test.each(['SIGUSR1', 'SIGHUP'] as const)(
  '%s reopens the log and opens no debugger',
  async (signal) => {
    const [port = 0] = await freePorts(1);
    expect(await detach(port, ['--pidfile', pidFile])).toMatchObject({ code: 0 });
    const pid = pidInFile();
    const path = join(dataDir, 'fake', 'bitmonero.log');
    renameSync(path, `${path}.1`);
    process.kill(pid, signal);
    await waitUntil('the log to be reopened', () => existsSync(path));
    await waitUntil('a line in the new log', () => readFileSync(path, 'utf8').includes('reopened'));
    await expect(fetch('http://127.0.0.1:9229/json')).rejects.toThrow('fetch failed');
    const rpc = new RpcClient(port);
    expect(await rpc.path('/get_info')).toMatchObject({ height: 1 });
    rpc.close();
    process.kill(pid, 'SIGTERM');
    await waitUntil('the daemon to end', () => !existsSync(pidFile));
    expect(readFileSync(path, 'utf8')).toContain('Stopped.');
    expect(readFileSync(`${path}.1`, 'utf8')).not.toContain('Stopped.');
  },
);

test('a second daemon fails with the same PID file and with the same data directory', async () => {
  const [port = 0, other = 0] = await freePorts(2);
  const first = await detach(port, ['--pidfile', pidFile]);
  expect(first.code).toBe(0);
  const pid = pidInFile();
  const log = /log file (.*)/.exec(first.output)?.[1] ?? '';

  const sameFile = await detach(other, ['--pidfile', pidFile], newFolder('another'));
  expect(sameFile.code).toBe(1);
  expect(sameFile.output).toContain(`names process ${pid}, which is running`);
  const sameData = await detach(other, ['--pidfile', join(dataDir, 'second.pid')]);
  expect(sameData.code).toBe(1);
  expect(sameData.output).toContain(`is in use by process ${pid}`);
  expect(existsSync(join(dataDir, 'second.pid'))).toBe(false);
  // The log of the first has no line of theirs.
  expect(readFileSync(log, 'utf8').match(/monero-node \(v/g)).toHaveLength(1);
  expect(pidInFile()).toBe(pid);

  process.kill(pid, 'SIGTERM');
  await waitUntil('the daemon to end', () => !existsSync(pidFile));
});

test.each(['SIGTERM', 'SIGINT'] as const)(
  'npm start passes %s on, waits for the daemon and ends with its status',
  async (signal) => {
    const [port = 0] = await freePorts(1);
    const extra = ['--rpc-ssl', 'disabled'];
    const npm = await ManagedProcess.start({
      name: 'npm-start',
      program: 'npm',
      cwd: WORKSPACE,
      args: ['start', '--', ...commonFlags({ offline: true }, dataDir, 0, port), ...extra],
      env: { NODE_OPTIONS: '' },
    });
    const rpc = new RpcClient(port);
    await waitUntil('the daemon to answer', () => rpc.path('/get_info'));
    rpc.close();
    process.kill(npm.pid, signal);
    expect(await npm.exited).toMatchObject({ code: 0 });
    expect(npm.output()).toContain('Stopped.');
  },
);
