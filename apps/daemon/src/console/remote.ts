import { systemSeconds } from '@monero-node/base/clock';
import type { JsonValue } from '@monero-node/codec';
import { stringifyJson64, parseJson64 } from '@monero-node/codec/json';
import { RpcClient, RpcLoginError, type RpcTransport } from '@monero-node/rpc-client';
import type { DaemonSettings } from '../cli/daemon-settings.ts';
import { EXIT } from '../ending/exit-codes.ts';
import { isUnreachable } from './command.ts';
import { runCommand } from './commands.ts';
import { loginAdvice, routeToDaemon, type DaemonRoute } from './daemon-address.ts';
import { errorText, reasonOf } from './error-text.ts';

/** Where texts go. */
export interface RemoteOutput {
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
}

/**
 * Sends a command to a running daemon. Address, login and TLS options are those with which the daemon itself would be
 * started. With `settings.json` the answers of the RPC are printed instead of a text. Returns the exit status: 1 when the
 * command fails or the login is refused.
 *
 * Throws UsageError when the login lacks a password and there is no terminal on which to ask for it.
 */
export async function runRemoteCommand(
  words: readonly string[],
  settings: DaemonSettings,
  output: RemoteOutput,
): Promise<number> {
  const route = await routeToDaemon(settings);
  try {
    output.print(await (settings.json ? answersTo : textOf)(words, route.transport));
    return EXIT.ok;
  } catch (error) {
    const text = failureText(error, route);
    if (settings.json) output.print(stringifyJson64({ error: text }));
    else output.printError(text);
    return EXIT.failed;
  } finally {
    route.transport.close();
  }
}

/** Returns what to say when a command to a daemon failed. */
function failureText(error: unknown, route: DaemonRoute): string {
  if (error instanceof RpcLoginError) return `Error: ${loginAdvice(route)}`;
  return isUnreachable(error)
    ? `Error: Couldn't connect to daemon: ${route.address} (${reasonOf(error, error.message)})`
    : errorText(error);
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

const CALL_PATH = '/json_rpc';

/** The transport of one command, with the answers that it carried. */
interface RecordedAnswers {
  readonly transport: RpcTransport;
  /** Returns the answers as JSON: a single one alone, several as a list; undefined when there was none. */
  readonly text: () => string | undefined;
}

/** Wraps a transport so that the answers to a command can be printed for a script. */
function recordAnswers(transport: RpcTransport): RecordedAnswers {
  const answers: { call: string; answer: JsonValue }[] = [];
  return {
    transport: {
      post: async (path, contentType, body) => {
        const bytes = await transport.post(path, contentType, body);
        answers.push(path === CALL_PATH ? callAnswer(body, bytes) : pathAnswer(path, bytes));
        return bytes;
      },
      close: () => transport.close(),
    },
    text: () => {
      const [first, second] = answers;
      if (first === undefined) return undefined;
      return stringifyJson64(second === undefined ? first.answer : answers);
    },
  };
}

function pathAnswer(path: string, bytes: Uint8Array): { call: string; answer: JsonValue } {
  return { call: path.slice(1), answer: parseJson64(bytes) };
}

/** Returns the result of a JSON-RPC call, or its error. */
function callAnswer(body: Uint8Array, bytes: Uint8Array): { call: string; answer: JsonValue } {
  const { method } = parseJson64(body) as { method: string };
  const whole = parseJson64(bytes) as { result?: JsonValue; error?: JsonValue };
  return { call: method, answer: whole.result ?? whole.error ?? null };
}
