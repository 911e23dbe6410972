import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { OptionReader } from './given-options.ts';
import { UsageError } from './usage-error.ts';

/** A login as given; without a password when only a name was given. */
export interface GivenLogin {
  readonly username: string;
  readonly password: string | undefined;
}

/**
 * Reads `user[:password]` from `--rpc-login` or `--rpc-login-file`, or else from `environment`, the value of `RPC_LOGIN`.
 *
 * Throws UsageError when the name is empty, both options are given or the file cannot be used.
 */
export function readLogin(
  values: OptionReader,
  environment: string | undefined,
): GivenLogin | undefined {
  const file = values.get('rpc-login-file');
  if (file !== undefined) {
    if (values.has('rpc-login')) {
      throw new UsageError('--rpc-login and --rpc-login-file cannot be given together');
    }
    return readLoginFile(file);
  }
  const text = values.get('rpc-login') ?? (environment === '' ? undefined : environment);
  if (text === undefined) return undefined;
  const colon = text.indexOf(':');
  const username = colon === -1 ? text : text.slice(0, colon);
  if (username === '') throw new UsageError('Username specified with --rpc-login cannot be empty');
  return { username, password: colon === -1 ? undefined : text.slice(colon + 1) };
}

/** Largest size of the file in bytes. */
const LARGEST = 4096;
/** Permissions of other users to read and to write, and of the group to write. */
const OPEN_TO_OTHERS = 0o026;

/**
 * Returns a warning where strangers are told of a port that they have no login for.
 *
 * @param environment the value of `RPC_LOGIN`
 */
export function publicLoginWarnings(values: OptionReader, environment = ''): string[] {
  const hasLogin = values.has('rpc-login') || values.has('rpc-login-file') || environment !== '';
  if (!hasLogin || !values.get('public-node')) return [];
  return [
    '--public-node announces a port that wants the RPC login: strangers get 401. Leave --rpc-login and --rpc-login-file away, and keep ' +
      'the unrestricted port on 127.0.0.1',
  ];
}

/**
 * Reads the file of --rpc-login-file, which holds one line, `user:password`. The group may read it, because systemd shows
 * the permission of the user of a service as one of the group.
 *
 * Throws UsageError when the file cannot be read, is open to other users, or holds anything else.
 */
export function readLoginFile(path: string): GivenLogin {
  const refuse = (why: string): never => {
    throw new UsageError(`--rpc-login-file ${path}: ${why}`);
  };
  const content = readSecretFile(path, refuse);
  const line = content.replace(/\r?\n$/, '');
  if (line.trim() === '') refuse('is empty; it must hold one line, USER:PASSWORD');
  const colon = line.indexOf(':');
  if (colon < 1 || /[\r\n]/.test(line)) refuse('must hold one line, USER:PASSWORD');
  if (colon === line.length - 1) refuse('has no password after the colon');
  return { username: line.slice(0, colon), password: line.slice(colon + 1) };
}

/**
 * Returns the text of a file with a secret: at most 4096 bytes. `refuse` throws; it is called with the reason when the file cannot be read
 * or is open to other users.
 */
export function readSecretFile(path: string, refuse: (why: string) => never): string {
  let file: number | undefined;
  try {
    // Without waiting for a writer, if it is a pipe.
    file = openSync(resolve(path), constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const wrong = secretFileFault(fstatSync(file));
    if (wrong !== undefined) return refuse(wrong);
    const bytes = Buffer.alloc(LARGEST + 1);
    const length = readSync(file, bytes);
    if (length > LARGEST) return refuse(`is longer than ${LARGEST} bytes`);
    return bytes.toString('utf8', 0, length);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    return refuse((error as Error).message);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Returns why a file may not hold a secret; undefined when it may. */
export function secretFileFault(
  stats: Pick<Stats, 'mode' | 'isDirectory' | 'isFile'>,
  platform = process.platform,
): string | undefined {
  if (stats.isDirectory()) return 'is a directory';
  if (!stats.isFile()) return 'is not a regular file';
  // Windows has no such permissions.
  if (platform === 'win32' || (stats.mode & OPEN_TO_OTHERS) === 0) return undefined;
  const mode = (stats.mode & 0o777).toString(8);
  return `other users can read or change it (mode ${mode}); run chmod 600 on it`;
}

/** Asks the user for a secret; resolves to undefined when there is no terminal. */
export type AskSecret = (question: string) => Promise<string | undefined>;

/**
 * Asks for the password of a login that has none.
 *
 * @param repeat asks twice, for a password that is being set
 * Throws UsageError when there is no terminal or the two answers differ.
 */
export async function completeLogin(
  login: GivenLogin,
  ask: AskSecret,
  { repeat }: { readonly repeat: boolean },
): Promise<{ username: string; password: string }> {
  if (login.password !== undefined) return { username: login.username, password: login.password };
  const password = await ask('RPC password: ');
  if (password === undefined) {
    throw new UsageError('--rpc-login has no password, and there is no terminal to ask for one');
  }
  if (repeat && (await ask('Confirm password: ')) !== password) {
    throw new UsageError('the passwords do not match');
  }
  return { username: login.username, password };
}

/** Asks on the terminal, without echoing the input. */
export const askOnTerminal: AskSecret = async (question) => {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined;
  process.stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true });
  try {
    return await new Promise<string | undefined>((resolve) => {
      lines.once('line', resolve);
      lines.once('close', () => resolve(undefined));
      lines.once('SIGINT', () => lines.close());
    });
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
};
