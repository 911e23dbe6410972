import { expect } from '@jest/globals';
import { commonFlags } from './monerod.ts';
import { freePorts } from './ports.ts';
import { ManagedProcess } from './processes.ts';
import { RpcClient } from './rpc-client.ts';
import { waitUntil } from './wait.ts';

/**
 * Starts the daemon of a package or an archive where no other program is found, waits until it answers, and stops it.
 *
 * @param command its path and the arguments before the daemon's own
 */
export async function startAndStop(command: readonly string[], cwd: string): Promise<void> {
  const [port = 0] = await freePorts(1);
  const [program = '', ...args] = command;
  const daemon = await ManagedProcess.start({
    name: 'packaged',
    program,
    cwd,
    args: [...args, ...commonFlags({ offline: true }, cwd, 0, port), '--rpc-ssl', 'disabled'],
    // No Node and no other program is found.
    env: { NODE_OPTIONS: '', PATH: '/nonexistent' },
  });
  const rpc = new RpcClient(port);
  const info = await waitUntil('the daemon to answer', () => rpc.path('/get_info'));
  rpc.close();
  expect(info).toMatchObject({ height: 1, nettype: 'fakechain' });
  expect(await daemon.stop()).toBe(0);
  // Native code was found, so the package has it.
  expect(daemon.output()).toContain('crypto: native');
}
