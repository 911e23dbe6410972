import { parseBanTarget } from '../../net/ban-target.ts';
import type { BanTarget } from '../../net/ban-target.ts';
import { LocalSubnets } from '../../net/local-subnets.ts';

/** Lines that name nothing: how many, and the first of them. */
export interface DroppedLines {
  readonly count: number;
  readonly first: readonly { readonly line: number; readonly text: string }[];
}

/** Most lines shown of those that name nothing, and most characters of each. */
const SHOWN = 3;
const SHOWN_LENGTH = 60;

/** Who wrote a ban list. That of a stranger bans nobody of the networks from which the owner comes. */
export type BanListAuthor = 'owner' | 'stranger';

/** Reads the lines of a ban list one after another: a host or subnet each, `#` starts a comment. */
export class BanLineReader {
  readonly #first: { line: number; text: string }[] = [];
  readonly #spared: LocalSubnets | undefined;
  #line = 0;
  #count = 0;

  constructor(author: BanListAuthor = 'owner') {
    this.#spared = author === 'stranger' ? new LocalSubnets() : undefined;
  }

  /** Returns what the next line names; undefined for one that names nothing that may be banned or is empty. */
  read(line: string): BanTarget | undefined {
    this.#line++;
    const text = (line.split('#', 1)[0] ?? '').trim();
    if (text === '') return undefined;
    const target = parseBanTarget(text);
    if (target !== undefined && this.#spared?.touches(target) !== true) return target;
    this.#count++;
    if (this.#first.length < SHOWN)
      this.#first.push({ line: this.#line, text: text.slice(0, SHOWN_LENGTH) });
    return undefined;
  }

  get dropped(): DroppedLines {
    return { count: this.#count, first: this.#first };
  }
}

/** Reads a ban list: a host or subnet per line, `#` starts a comment. */
export function parseBanLines(
  lines: readonly string[],
  author?: BanListAuthor,
): {
  readonly targets: BanTarget[];
  readonly dropped: DroppedLines;
} {
  const reader = new BanLineReader(author);
  const targets = lines.flatMap((line) => reader.read(line) ?? []);
  return { targets, dropped: reader.dropped };
}

/** Returns the sentence about lines that name nothing, or nothing that a list of its author may ban, with the first of them. */
export function droppedText({ count, first }: DroppedLines, author?: BanListAuthor): string {
  const shown = first.map(({ line, text }) => `${JSON.stringify(text)} (line ${line})`).join(', ');
  const more = count > first.length ? ', \u2026' : '';
  const are = count === 1 ? '1 entry is' : `${count} entries are`;
  const where = author === 'stranger' ? ' of the internet' : '';
  return `${are} neither a host nor a subnet${where} and not banned: ${shown}${more}`;
}
