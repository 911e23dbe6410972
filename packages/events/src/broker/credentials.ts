import { readFileSync } from 'node:fs';
import {
  credsAuthenticator,
  nkeyAuthenticator,
  tokenAuthenticator,
  usernamePasswordAuthenticator,
  type Authenticator,
} from '@nats-io/transport-node';

/** Longest file of credentials, bytes. */
const MAX_BYTES = 65_536;

/**
 * Reads how to log in from a file: a `.creds` file of `nsc`, the seed of an nkey, `user:password`, or a token. Throws Error
 * when the file cannot be read, is empty or is too long.
 */
export function readCredentials(path: string): Authenticator {
  const bytes = readFileSync(path);
  const text = bytes.toString('utf8').trim();
  if (text === '' || bytes.length > MAX_BYTES) throw new Error(`${path} holds no credentials`);
  if (text.includes('BEGIN NATS USER JWT')) return credsAuthenticator(bytes);
  if (/^SU[A-Z2-7]{56}$/.test(text)) return nkeyAuthenticator(new TextEncoder().encode(text));
  const colon = text.indexOf(':');
  if (colon === -1) return tokenAuthenticator(text);
  return usernamePasswordAuthenticator(text.slice(0, colon), text.slice(colon + 1));
}
