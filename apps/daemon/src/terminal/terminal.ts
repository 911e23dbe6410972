import type { Interface } from 'node:readline';
import { clearScreenDown, cursorTo, moveCursor } from 'node:readline';
import type { Writable } from 'node:stream';
import { guardEmitter } from '@monero-node/base';

/** A stream for text, perhaps a terminal. */
export type TerminalStream = Writable & { readonly isTTY?: boolean };

/** Characters that may wait for the reader. Texts beyond them are lost, because one that never reads must not fill the memory. */
const MAX_WAITING = 2 ** 20;
/** Longest that the end of the program waits for the reader, in milliseconds. */
const LAST_PATIENCE = 1000;

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
 * logging that failure would only fail again. Nor must one that reads slowly: Node keeps what a full pipe does not take, without
 * a limit, so the limit is here.
 */
export class Terminal {
  readonly #stream: TerminalStream;
  #failed = false;
  #line: EditedLine | undefined;
  /** Texts lost since the reader fell behind. */
  #lost = 0;
  /** Called with the number of texts that were lost, when the reader has caught up. */
  onLost: (texts: number) => void = () => undefined;

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
    if (this.#failed || this.#loses()) return;
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

  /** Resolves when the reader has taken everything, or has had a second for it. Never rejects. */
  async finish(): Promise<void> {
    if (this.#failed) return;
    let timer: NodeJS.Timeout | undefined;
    await Promise.race([
      new Promise<void>((resolve) => this.#stream.write('', () => resolve())),
      new Promise<void>((resolve) => (timer = setTimeout(resolve, LAST_PATIENCE))),
    ]);
    clearTimeout(timer);
  }

  /** Returns whether the next text is lost: from when too much waits until the reader has taken all of it. */
  #loses(): boolean {
    if (this.#lost === 0) {
      // A file has no such number; writing to it is done when it returns.
      if ((this.#stream.writableLength ?? 0) < MAX_WAITING) return false;
      this.#stream.once('drain', () => {
        const lost = this.#lost;
        this.#lost = 0;
        this.onLost(lost);
      });
    }
    this.#lost += 1;
    return true;
  }

  #clear(rows: number): void {
    moveCursor(this.#stream, 0, -rows);
    cursorTo(this.#stream, 0);
    clearScreenDown(this.#stream);
  }
}
