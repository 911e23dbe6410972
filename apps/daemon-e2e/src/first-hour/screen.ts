import { execFileSync, spawnSync } from 'node:child_process';
import { waitUntil } from '../harness/wait.ts';

/** The prompt of the shell on the screen. */
const PROMPT = '#';

/** A shell in a terminal multiplexer, whose keys a test presses and whose screen it reads. */
export class Screen {
  readonly #server: string;

  /** Starts a shell. @param command of the shell and its arguments, without blanks @param server name for tmux */
  constructor(command: readonly string[], server: string) {
    this.#server = server;
    this.#tmux('new-session', '-d', '-x', '180', '-y', '120', command.join(' '));
  }

  /** Types a line. */
  type(line: string): void {
    this.#tmux('send-keys', '-l', line);
    this.#tmux('send-keys', 'Enter');
  }

  /** Presses a key, for example `C-c`. */
  press(key: string): void {
    this.#tmux('send-keys', key);
  }

  clear(): void {
    this.#tmux('send-keys', 'C-l');
  }

  /** Returns the lines of the screen; those that were broken at its edge are whole again. */
  lines(): string[] {
    return this.#tmux('capture-pane', '-p', '-J').trimEnd().split('\n');
  }

  /** Waits until the shell asks for a command. */
  async ready(timeout = 60_000): Promise<void> {
    await waitUntil('a prompt', () => this.lines().at(-1)?.trim() === PROMPT || this.#fail(), {
      timeout,
    });
  }

  /** Waits until the screen has lines that match, in this order; returns them. */
  async shows(wanted: readonly RegExp[], timeout: number): Promise<string[]> {
    return waitUntil(
      `${wanted.map(String).join(', ')} on the screen`,
      () => matching(this.lines(), wanted) ?? this.#fail(),
      { timeout },
    );
  }

  close(): void {
    spawnSync('tmux', ['-L', this.#server, 'kill-server']);
  }

  /** The error shows the screen. */
  #fail(): false {
    throw new Error(this.lines().join('\n'));
  }

  #tmux(...args: string[]): string {
    return execFileSync('tmux', ['-L', this.#server, '-f', '/dev/null', ...args], {
      encoding: 'utf8',
    });
  }
}

/** Returns a line for each pattern, each after the one before; undefined when one is missing. */
function matching(lines: readonly string[], patterns: readonly RegExp[]): string[] | undefined {
  const found: string[] = [];
  let at = 0;
  for (const pattern of patterns) {
    const next = lines.findIndex((line, i) => i >= at && pattern.test(line));
    if (next < 0) return undefined;
    found.push(lines[next] ?? '');
    at = next + 1;
  }
  return found;
}
