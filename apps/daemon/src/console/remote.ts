import { systemSeconds } from '@monero-node/base';
import { createDaemonTransport } from '@monero-node/rpc';
import { RpcClient, RpcLoginError } from '@monero-node/rpc-client';
import { askOnTerminal, completeLogin } from '../cli/rpc-login.ts';
import type { DaemonSettings } from '../cli/daemon-settings.ts';
import { EXIT } from '../ending/exit-codes.ts';
import { runCommand } from './commands.ts';
import { isUnreachable } from './command.ts';
import { errorText, reasonOf } from './console.ts';

/**
 * Sends a command to a running daemon. Address, login and TLS options are those with which the daemon itself would be
 * started. Returns the exit status: 1 for an unknown command, when no daemon answers and when it refuses the login.
 *
 * Throws UsageError when the login lacks a password and there is no terminal on which to ask for it.
 */
export async function runRemoteCommand(
  words: readonly string[],
  settings: DaemonSettings,
  print: (text: string) => void,
): Promise<number> {
  const { bindIp: host, bindPort: port, tls } = settings.rpc;
  const login =
    settings.rpcLogin === undefined
      ? undefined
      : await completeLogin(settings.rpcLogin, askOnTerminal, { repeat: false });
  const transport = createDaemonTransport({ host: reachable(host), port, login, tls });
  const client = new RpcClient({ transport });
  try {
    const command = { daemon: client, remote: true, now: systemSeconds };
    const { text, known } = await runCommand(words, command);
    print(text);
    return known ? EXIT.ok : EXIT.failed;
  } catch (error) {
    if (!isUnreachable(error)) {
      print(errorText(error));
      return EXIT.ok;
    }
    if (error instanceof RpcLoginError) {
      print(`Error: ${loginAdvice(`${host}:${port}`, login !== undefined)}`);
      return EXIT.failed;
    }
    print(`Error: Couldn't connect to daemon: ${host}:${port} (${reasonOf(error, error.message)})`);
    return EXIT.failed;
  } finally {
    client.close();
  }
}

/** Returns what to do when the daemon at `address` answers that a login is required or wrong. */
function loginAdvice(address: string, given: boolean): string {
  return given
    ? `the daemon at ${address} refused the login: check --rpc-login or --rpc-login-file`
    : `the daemon at ${address} requires a login: use --rpc-login or --rpc-login-file`;
}

/** Returns loopback for an unspecified address, which is valid for listening only. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  return host === '::' ? '::1' : host;
}
