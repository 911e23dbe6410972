import { createInterface, type Interface } from 'node:readline';
import { guardEmitter, Mutex, systemSeconds } from '@monero-node/base';
import { RpcHttpError, RpcLoginError, type RpcClient } from '@monero-node/rpc-client';
import { runCommand } from './commands.ts';

export interface ConsoleOptions {
  /** Calls the daemon to which this console belongs. */
  readonly daemon: Pick<RpcClient, 'rpc' | 'path'>;
  readonly input: NodeJS.ReadableStream;
  readonly print: (text: string) => void;
  /** Called at the end of the input. */
  readonly onEnd: () => void;
}

/** Runs commands read from an input, one after another. The end of input stops the daemon, as with monerod. */
export class Console {
  readonly #options: ConsoleOptions;
  #lines: Interface | undefined;
  readonly #commands = new Mutex();

  constructor(options: ConsoleOptions) {
    this.#options = options;
  }

  start(): void {
    const { input, onEnd } = this.#options;
    // A terminal that goes away is the end of the input.
    guardEmitter(input, () => this.#lines?.close());
    this.#lines = createInterface({ input, terminal: false });
    this.#lines.on('line', (line) => {
      void this.#commands.run(() => this.#run(line));
    });
    this.#lines.on('close', () => void this.#commands.idle().then(onEnd));
  }

  stop(): void {
    this.#lines?.removeAllListeners();
    this.#lines?.close();
  }

  async #run(line: string): Promise<void> {
    const words = line.trim().split(/\s+/);
    if (words[0] === '') return;
    const { daemon, print } = this.#options;
    try {
      const { text } = await runCommand(words, { daemon, remote: false, now: systemSeconds });
      print(text);
    } catch (error) {
      print(errorText(error));
    }
  }
}

/** Returns the line that reports a failed command. */
export function errorText(error: unknown): string {
  const { name, message } = error as Error;
  return name === 'CommandSyntaxError' ? message : `Error: ${reasonOf(error, message)}`;
}

/** Returns the reason for a failure in words for the operator; `message` is the error's own. */
export function reasonOf(error: unknown, message: string): string {
  if (error instanceof RpcLoginError) return 'the daemon requires a login (--rpc-login)';
  if (!(error instanceof RpcHttpError)) return message;
  return error.status === 404
    ? 'not available from this daemon'
    : `the daemon answered HTTP status ${error.status}`;
}
