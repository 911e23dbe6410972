import { createInterface, type Interface } from 'node:readline';
import { commandNamed, helpText, type ConsoleContext } from './commands.ts';

/** Reads commands from standard input. The end of input stops the daemon, as with monerod. */
export class Console {
  readonly #context: ConsoleContext;
  #lines: Interface | undefined;

  constructor(context: ConsoleContext) {
    this.#context = context;
  }

  start(): void {
    this.#lines = createInterface({ input: process.stdin, terminal: false });
    this.#lines.on('line', (line) => void this.#run(line));
    this.#lines.on('close', () => this.#context.requestStop());
  }

  stop(): void {
    this.#lines?.removeAllListeners();
    this.#lines?.close();
    process.stdin.unref?.();
  }

  async #run(line: string): Promise<void> {
    const [name = '', ...args] = line.trim().split(/\s+/);
    if (name === '') return;
    const command = commandNamed(name);
    const answer =
      command === undefined
        ? `Unknown command: ${name}\n${helpText()}`
        : await this.#answer(name, args);
    process.stdout.write(`${answer}\n`);
  }

  async #answer(name: string, args: readonly string[]): Promise<string> {
    try {
      return (await commandNamed(name)?.run(args, this.#context)) ?? '';
    } catch (error) {
      return `Error: ${(error as Error).message}`;
    }
  }
}
