import type { Interface } from 'node:readline';
import { clearScreenDown, cursorTo, moveCursor } from 'node:readline';
import type { Writable } from 'node:stream';
import { guardEmitter } from '@monero-node/base';

/** A stream for text, perhaps a terminal. */
export type TerminalStream = Writable & { readonly isTTY?: boolean };

/** The part of a line editor that drawing needs. */
export interface EditedLine extends Pick<Interface, 'getCursorPos' | 'prompt'> {
  /** Rows that the editor goes up before it draws. Not that of the cursor after a long text was pasted. */
  readonly prevRows?: number;
}

/**
 * The only writer to standard output: lines of the log and answers of the console. While a line is being typed, texts
 * are printed above it and the line is drawn again.
 *
 * Writing stops at the first failure. A reader that ends early (`monero-node | head`) must not stop the node, and
 * logging that failure would only fail again.
 */
export class Terminal {
  readonly #stream: TerminalStream;
  #failed = false;
  #line: EditedLine | undefined;

  constructor(stream: TerminalStream) {
    this.#stream = guardEmitter(stream, () => {
      this.#failed = true;
    });
  }

  get stream(): TerminalStream {
    return this.#stream;
  }

  /** Whether the cursor can be moved. */
  get isScreen(): boolean {
    return this.#stream.isTTY === true && process.env['TERM'] !== 'dumb';
  }

  /** Prints a text that ends with a line break. */
  write(text: string): void {
    if (this.#failed) return;
    const line = this.#line;
    if (line === undefined) {
      this.#stream.write(text);
      return;
    }
    const { rows } = line.getCursorPos();
    // In one piece, so that the line does not flicker.
    this.#stream.cork();
    this.#clear(rows);
    this.#stream.write(text + '\n'.repeat(line.prevRows ?? rows));
    line.prompt(true);
    this.#stream.uncork();
  }

  /** Shows a line that is being typed below everything printed. */
  show(line: EditedLine): void {
    this.#line = line;
    line.prompt();
  }

  /** Removes the line from the screen. */
  hide(): void {
    const line = this.#line;
    this.#line = undefined;
    if (line !== undefined && !this.#failed) this.#clear(line.getCursorPos().rows);
  }

  #clear(rows: number): void {
    moveCursor(this.#stream, 0, -rows);
    cursorTo(this.#stream, 0);
    clearScreenDown(this.#stream);
  }
}
