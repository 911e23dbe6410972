/** Parts of a line that differ from run to run, each with its replacement in the transcript. */
const VARYING: readonly (readonly [RegExp, string])[] = [
  [/^\w{3} \d\d \d\d:\d\d:\d\d machine \S+\[\d+\]: /, ''],
  [/\s*\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}\s+([A-Z])\s+(\S+)\s+/g, '$1  $2  '],
  [/\(\d{4}-\d\d-\d\dT[\d:.]+Z\)/, '(…)'],
  [/Synced \d+\/(\d+) \(.*\)/, 'Synced …/$1 (… %, … blocks/s, … left)'],
  [/block \d+ of (\d+) \([\d.]+%\)/, 'block … of $1 (… %)'],
  [/begins at height \d+: \d+ blocks \(.*?\)/, 'begins at height …: … blocks (…)'],
  [/(ended|started|Synchronized) at height \d+/, '$1 at height …'],
  [/\([\d.]+ [KMG]?B free\)/, '(… GB free)'],
  [/Only \d+ MiB/, 'Only … MiB'],
  [/No peers for [^:]+:/, 'No peers for … min … s:'],
  [/\(avx512-ifma\) |\(avx2\) /, ''],
  [/on \d+ threads; RandomX \(.*\)/, 'on … threads; RandomX (…)'],
  [/since .*? ago/, 'since … ago'],
  [/Main PID: \d+/, 'Main PID: …'],
  [/uptime .*/, 'uptime …'],
  [/net hash \d+ H\/s/, 'net hash … H/s'],
  [/\d+\(out\)\+\d+\(in\)/, '…(out)+…(in)'],
];

/** Returns a line without what differs from run to run. */
function steadyLine(line: string): string {
  const replaced = VARYING.reduce((text, [what, by]) => text.replace(what, by), line.trimEnd());
  return replaced.replace(/^ +/, '');
}

/** A transcript in Markdown: what was typed, what the screen showed, and a sentence about it. */
export class Transcript {
  readonly #parts: string[];

  /** @param title of the document @param introduction its first paragraphs */
  constructor(title: string, introduction: string) {
    this.#parts = [`# ${title}`, introduction];
  }

  /** Begins a section. */
  section(title: string, sentence: string): void {
    this.#parts.push(`## ${title}`, sentence);
  }

  comment(sentence: string): void {
    this.#parts.push(sentence);
  }

  /** Adds lines that were typed, and what the screen showed then. */
  screen(typed: readonly string[], shown: readonly string[]): void {
    const lines = [...typed.map((line) => `# ${line}`), ...shown.map(steadyLine)];
    this.#parts.push(['```console', ...lines, '```'].join('\n'));
  }

  /** Returns the whole text. */
  toString(): string {
    return `${this.#parts.join('\n\n')}\n`;
  }
}
