import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { UsageError } from './option-types.ts';
import type { GivenLogin } from './given-login.ts';

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
