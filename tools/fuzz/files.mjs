// The folder of a target, in .fuzz/NAME: the inputs worth keeping, the findings, and the input that runs now.
import { createHash } from 'node:crypto';
import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const workspace = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** The folder of a target. */
const folderOf = (name) => join(workspace, '.fuzz', name);
/** The file that holds the running input, for when it ends the process. */
const currentFile = (name) => join(folderOf(name), 'current');

const nameOf = (input) => createHash('sha256').update(input).digest('hex').slice(0, 16);

/** Returns the error and the place in our sources that threw it: findings with the same are one. */
function keyOf(error) {
  const stack = String(error?.stack ?? error);
  const place = /\/(?:packages|apps)\/[^\n)]*/.exec(stack)?.[0] ?? '';
  return `${error?.name}: ${String(error?.message).replace(/\d+/g, 'N').slice(0, 60)} ${place}`;
}

/** Saves an input that failed, with the error beside it; returns the path. */
export function writeFinding(name, input, text) {
  const folder = join(folderOf(name), 'findings');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${nameOf(input)}.bin`);
  writeFileSync(path, input);
  writeFileSync(path.replace(/bin$/, 'txt'), `${text}\n`);
  return path;
}

/** The input that ran when a process died; undefined when none did. */
export function currentInput(name) {
  try {
    return readFileSync(currentFile(name));
  } catch {
    return undefined;
  }
}

/** Removes what a run that was killed left, so that nobody takes it for an input that hangs. */
export function forgetCurrent(name) {
  rmSync(currentFile(name), { force: true });
}

/** Milliseconds since the running input began; 0 when there is none. */
export function currentAge(name) {
  try {
    return Date.now() - statSync(currentFile(name)).mtimeMs;
  } catch {
    return 0;
  }
}

/** The files of a target that runs. */
export class TargetFiles {
  #name;
  #corpus;
  #current;
  #currentLength = 0;
  #keys = new Set();

  constructor(name) {
    this.#name = name;
    this.#corpus = join(folderOf(name), 'corpus');
    mkdirSync(this.#corpus, { recursive: true });
    this.#current = openSync(currentFile(name), 'w');
  }

  close() {
    closeSync(this.#current);
    forgetCurrent(this.#name);
  }

  keptInputs() {
    return readdirSync(this.#corpus).map((file) => readFileSync(join(this.#corpus, file)));
  }

  keep(input) {
    writeFileSync(join(this.#corpus, nameOf(input)), input);
  }

  /** Notes the input that runs next. */
  begin(input) {
    writeSync(this.#current, input, 0, input.length, 0);
    if (input.length < this.#currentLength) ftruncateSync(this.#current, input.length);
    this.#currentLength = input.length;
  }

  /** Returns whether it is the first finding of its kind. */
  saveFinding(input, error) {
    const key = keyOf(error);
    if (this.#keys.has(key)) return false;
    this.#keys.add(key);
    const path = writeFinding(this.#name, input, error?.stack ?? String(error));
    console.error(`${this.#name}: ${key}\n  saved as ${path}`);
    return true;
  }

  saveSlowest(input) {
    writeFileSync(join(folderOf(this.#name), 'slowest'), input);
  }
}
