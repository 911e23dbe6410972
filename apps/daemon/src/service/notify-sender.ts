import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { createInterface } from 'node:readline';
import { guardEmitter } from '@monero-node/base';

/**
 * Runs `systemd-notify` for each line of its input, with the parts between tabs as arguments, and answers with one
 * line: `ok`, or `failed` and the reason. It ignores signals, because a stop is reported too, and ends with its input.
 */
const LOOP = `
set -f
blanks=$IFS
trap '' TERM INT HUP
tab='\t'
while IFS= read -r line; do
  IFS=$tab
  if why=$(systemd-notify $line 2>&1); then
    echo ok
  else
    IFS=$blanks
    set -- $why
    echo "failed $*"
  fi
done
`;

/** Longest that the service manager may take to read a message, in milliseconds. systemd-notify waits for five seconds. */
const PATIENCE = 10_000;

/**
 * Sends messages in the format of sd_notify(3). Node has no sockets for datagrams between processes, so `systemd-notify` sends
 * them. A small shell runs it: to start a program, the kernel copies the page tables of the process, which holds up a
 * node with a gigabyte of memory for about 80 ms.
 */
export class NotifySender {
  readonly #environment: NodeJS.ProcessEnv;
  readonly #onTrouble: (why: string) => void;
  readonly #waiting: ((answer: string) => void)[] = [];
  #shell: ChildProcessWithoutNullStreams | undefined;

  /**
   * Starts the shell, so create it while the process is small.
   *
   * @param socket value of NOTIFY_SOCKET: an absolute path, or `@` and an abstract name
   * @param onTrouble called with the reason for every message that was not delivered
   */
  constructor(socket: string, onTrouble: (why: string) => void) {
    this.#environment = { PATH: process.env['PATH'], NOTIFY_SOCKET: socket };
    this.#onTrouble = onTrouble;
    this.#start();
  }

  /**
   * Sends assignments such as `READY=1`, without tabs and line breaks, as one message. Resolves when it was delivered or
   * has failed; never rejects. Messages arrive in the order of the calls.
   */
  async send(...assignments: readonly string[]): Promise<void> {
    const shell = this.#shell ?? this.#start();
    if (shell === undefined) return;
    const answer = await new Promise<string>((resolve) => {
      const late = setTimeout(() => {
        resolve('systemd-notify does not answer');
        shell.kill('SIGKILL');
      }, PATIENCE).unref();
      this.#waiting.push((line) => {
        clearTimeout(late);
        resolve(line);
      });
      shell.stdin.write(`${assignments.join('\t')}\n`);
    });
    if (answer !== 'ok') this.#onTrouble(answer.replace(/^failed /, '').trim());
  }

  /** Lets the shell end. */
  close(): void {
    this.#shell?.stdin.end();
  }

  /** Returns the shell; undefined when the system cannot start one, which is reported. */
  #start(): ChildProcessWithoutNullStreams | undefined {
    try {
      return this.#spawn();
    } catch (error) {
      // Without memory or descriptors, spawn throws or returns a process without streams.
      this.#shell = undefined;
      this.#onTrouble((error as Error).message);
      return undefined;
    }
  }

  #spawn(): ChildProcessWithoutNullStreams {
    const shell = guardEmitter(
      spawn('/bin/sh', ['-c', LOOP], { env: this.#environment }),
      (error) => ended(error.message),
    );
    const ended = (why: string): void => {
      if (this.#shell !== shell) return;
      this.#shell = undefined;
      for (const answer of this.#waiting.splice(0)) answer(why);
    };
    for (const stream of [shell.stdin, shell.stdout, shell.stderr]) guardEmitter(stream);
    shell.stderr.resume();
    createInterface({ input: shell.stdout }).on('line', (line) => this.#waiting.shift()?.(line));
    shell.once('exit', () => ended('the shell that runs systemd-notify has ended'));
    // The node ends without waiting for it.
    shell.unref();
    this.#shell = shell;
    return shell;
  }
}
