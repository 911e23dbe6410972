import { Writable } from 'node:stream';

/**
 * The output of a terminal without scrolling or colors: interprets what a line editor writes, so that tests can compare
 * what an operator sees.
 */
export class FakeScreen extends Writable {
  readonly isTTY = true;
  readonly columns: number;
  readonly rows = 1000;
  readonly #cells: string[][] = [[]];
  #row = 0;
  #column = 0;

  constructor(columns = 80) {
    super({ decodeStrings: false });
    this.columns = columns;
  }

  /** The lines without blanks at their ends; those below the last text are left out. */
  get lines(): string[] {
    const lines = this.#cells.map((row) => Array.from(row, (cell) => cell ?? ' ').join(''));
    return lines
      .map((line) => line.trimEnd())
      .join('\n')
      .trimEnd()
      .split('\n');
  }

  /** Text before the cursor, in its line. */
  get beforeCursor(): string {
    return Array.from(this.#line, (cell) => cell ?? ' ')
      .slice(0, this.#column)
      .join('');
  }

  override _write(text: string, _encoding: BufferEncoding, done: () => void): void {
    // eslint-disable-next-line no-control-regex
    for (const [part] of text.matchAll(/\x1b\[(\d*)([A-Z])|[^]/g)) {
      if (part.length > 1) this.#control(Number(part.slice(2, -1) || 1), part.at(-1) ?? '');
      else this.#put(part);
    }
    done();
  }

  get #line(): string[] {
    return (this.#cells[this.#row] ??= []);
  }

  #put(character: string): void {
    if (character === '\r') {
      this.#column = 0;
    } else if (character === '\n') {
      // As a terminal driver does it for programs.
      this.#row++;
      this.#column = 0;
    } else {
      if (this.#column === this.columns) {
        this.#row++;
        this.#column = 0;
      }
      this.#line[this.#column++] = character;
    }
  }

  #control(count: number, code: string): void {
    switch (code) {
      case 'A':
        this.#row = Math.max(0, this.#row - count);
        break;
      case 'B':
        this.#row += count;
        break;
      case 'C':
        this.#column += count;
        break;
      case 'D':
        this.#column = Math.max(0, this.#column - count);
        break;
      case 'G':
        this.#column = count - 1;
        break;
      case 'J':
        this.#line.length = Math.min(this.#line.length, this.#column);
        this.#cells.length = Math.min(this.#cells.length, this.#row + 1);
        break;
      case 'K':
        this.#line.length = Math.min(this.#line.length, this.#column);
        break;
      default:
        throw new Error(`a terminal sequence that this screen does not know: ${code}`);
    }
  }
}
