import { systemSeconds } from '@monero-node/base';
import { stringifyJson64 } from '@monero-node/codec';
import { createDaemonTransport } from '@monero-node/rpc';
import { RpcClient, type RpcTransport } from '@monero-node/rpc-client';
import { askOnTerminal, completeLogin } from '../cli/rpc-login.ts';
import type { DaemonSettings } from '../cli/daemon-settings.ts';
import { EXIT } from '../ending/exit-codes.ts';
import { isUnreachable } from './command.ts';
import { runCommand } from './commands.ts';
import { errorText, reasonOf } from './error-text.ts';
import { recordAnswers } from './json-answers.ts';

/** Where texts go. */
export interface RemoteOutput {
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
}

/**
 * Sends a command to a running daemon. Address, login and TLS options are those with which the daemon itself would be
 * started. With `settings.json` the answers of the RPC are printed instead of a text. Returns the exit status: 1 when the
 * command fails.
 *
 * Throws UsageError when the login lacks a password and there is no terminal on which to ask for it.
 */
export async function runRemoteCommand(
  words: readonly string[],
  settings: DaemonSettings,
  output: RemoteOutput,
): Promise<number> {
  const { bindIp: host, bindPort: port, tls } = settings.rpc;
  const login =
    settings.rpcLogin === undefined
      ? undefined
      : await completeLogin(settings.rpcLogin, askOnTerminal, { repeat: false });
  const transport = createDaemonTransport({ host: reachable(host), port, login, tls });
  try {
    output.print(await (settings.json ? answersTo : textOf)(words, transport));
    return EXIT.ok;
  } catch (error) {
    const text = isUnreachable(error)
      ? `Error: Couldn't connect to daemon: ${host}:${port} (${reasonOf(error, error.message)})`
      : errorText(error);
    if (settings.json) output.print(stringifyJson64({ error: text }));
    else output.printError(text);
    return EXIT.failed;
  } finally {
    transport.close();
  }
}

function textOf(words: readonly string[], transport: RpcTransport): Promise<string> {
  const daemon = new RpcClient({ transport });
  return runCommand(words, { daemon, remote: true, now: systemSeconds });
}

/** Returns JSON: the answers to a command, or its text if it calls nothing. */
async function answersTo(words: readonly string[], transport: RpcTransport): Promise<string> {
  const recorded = recordAnswers(transport);
  const text = await textOf(words, recorded.transport);
  return recorded.text() ?? stringifyJson64({ text });
}

/** Returns loopback for an unspecified address, which is valid for listening only. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  return host === '::' ? '::1' : host;
}
