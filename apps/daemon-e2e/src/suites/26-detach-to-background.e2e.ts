import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { startTicks } from '../../leftovers.js';
import { OUR_DAEMON } from '../harness/binaries.ts';
import { newFolder } from '../harness/run-folder.ts';
import { commonFlags } from '../harness/monerod.ts';
import { freePorts } from '../harness/ports.ts';
import { ManagedProcess } from '../harness/processes.ts';
import { RpcClient } from '../harness/rpc-client.ts';
import { waitUntil } from '../harness/wait.ts';

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
): Promise<{ code: number | null; output: string; pid: number }> {
  const command = await ManagedProcess.start({
    name: 'detach',
    program: process.execPath,
    cwd: dataDir,
    args: [
      OUR_DAEMON,
      ...commonFlags({ offline: true }, dataDir, 0, rpcPort),
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

test('a second daemon fails with the same PID file and with the same data directory', async () => {
  const [port = 0, other = 0] = await freePorts(2);
  expect(await detach(port, ['--pidfile', pidFile])).toMatchObject({ code: 0 });
  const pid = pidInFile();

  const sameFile = await detach(other, ['--pidfile', pidFile]);
  expect(sameFile.code).toBe(1);
  expect(sameFile.output).toContain(`names process ${pid}, which is running`);
  const sameData = await detach(other, ['--pidfile', join(dataDir, 'second.pid')]);
  expect(sameData.code).toBe(1);
  expect(sameData.output).toContain(`is in use by process ${pid}`);
  expect(existsSync(join(dataDir, 'second.pid'))).toBe(false);
  expect(pidInFile()).toBe(pid);

  process.kill(pid, 'SIGTERM');
  await waitUntil('the daemon to end', () => !existsSync(pidFile));
});
