import { createInterface, type Interface } from 'node:readline';
import { guardEmitter, Mutex, systemSeconds } from '@monero-node/base';
import type { Terminal } from '../terminal/terminal.ts';
import type { CommandContext } from './command.ts';
import { completeLine } from './completion.ts';
import { holdsPassword, isCommandLine, runCommand } from './commands.ts';
import { HistoryFile } from './editing/history-file.ts';
import { openEditor } from './editing/open-editor.ts';
import { errorText } from './error-text.ts';

export interface ConsoleOptions {
  /** Calls the daemon to which this console belongs. */
  readonly daemon: CommandContext['daemon'];
  readonly own?: CommandContext['own'];
  readonly examine?: CommandContext['examine'];
  readonly reload?: CommandContext['reload'];
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly terminal: Terminal;
  /** File for the lines typed on a terminal. */
  readonly historyPath: string;
  /** Called at the end of the input. */
  readonly onEnd: () => void;
  /** Called for Ctrl-C on an empty line. */
  readonly onInterrupt: () => void;
}

/**
 * Runs commands read from an input, one after another. The end of input stops the daemon, as with monerod. Where input
 * and output are a terminal, lines can be edited.
 */
export class Console {
  readonly #options: ConsoleOptions;
  readonly #history: HistoryFile;
  #lines: Interface | undefined;
  readonly #commands = new Mutex();

  constructor(options: ConsoleOptions) {
    this.#options = options;
    this.#history = new HistoryFile({
      path: options.historyPath,
      mayKeep: (line) => isCommandLine(line) && !holdsPassword(line),
      onTrouble: (sentence) => this.#print(sentence),
    });
  }

  start(): void {
    const { input, terminal, onEnd } = this.#options;
    // A terminal that goes away is the end of the input.
    guardEmitter(input, () => this.#lines?.close());
    const isEdited = input.isTTY === true && terminal.isScreen;
    const lines = isEdited ? this.#openEditor() : createInterface({ input, terminal: false });
    this.#lines = lines;
    lines.on('line', (line) => {
      // At once: an answer is printed above the next line, like everything else.
      if (isEdited) terminal.show(lines);
      void this.#commands.run(() => this.#run(line));
    });
    lines.on('close', () => {
      terminal.hide();
      void this.#commands.idle().then(onEnd);
    });
  }

  /** Takes no more lines. Resolves when the history is written. */
  async stop(): Promise<void> {
    this.#lines?.removeAllListeners();
    this.#options.terminal.hide();
    this.#lines?.close();
    await this.#history.idle();
  }

  #openEditor(): Interface {
    const { input, terminal, onInterrupt } = this.#options;
    return openEditor({
      input,
      terminal,
      onInterrupt,
      history: this.#history,
      complete: completeLine,
      isSecret: holdsPassword,
    });
  }

  async #run(line: string): Promise<void> {
    const words = line.trim().split(/\s+/);
    if (words[0] === '') return;
    const { daemon, own, examine, reload } = this.#options;
    const context = { daemon, own, examine, reload, remote: false, now: systemSeconds };
    try {
      this.#print(await runCommand(words, context));
    } catch (error) {
      this.#print(errorText(error));
    }
  }

  #print(text: string): void {
    this.#options.terminal.write(`${text}\n`);
  }
}
