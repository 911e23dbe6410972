import { digestResponse } from '@monero-node/rpc-schema/login';
import { DigestSession, type ListenerLogin } from '../login/digest-session.ts';
import { NonceLedger } from '../login/nonce-uses.ts';
import { newNonceKey, Nonces } from '../login/nonces.ts';
import type { MillisecondClock } from '@monero-node/base';

export const LOGIN = { username: 'user', password: 'pass' };

/** Returns the login of a server. */
export function digestLogin(login = LOGIN, now: MillisecondClock = () => 1_000_000): ListenerLogin {
  const nonces = new Nonces(newNonceKey(), now);
  return { login, nonces, uses: new NonceLedger(nonces) };
}

/** Returns a session whose answers need no other process. */
export function sessionOf(login: ListenerLogin): {
  challenge: (verb: string, authorization: string | undefined) => readonly string[] | undefined;
} {
  const session = new DigestSession(login);
  return {
    challenge: (verb, authorization) => {
      const challenge = session.challenge(verb, authorization);
      if (challenge instanceof Promise) throw new Error('the answer should be known');
      return challenge;
    },
  };
}

/** Changes to what a correct client sends. */
export interface Changes {
  user?: string;
  pass?: string;
  verb?: string;
  uri?: string;
  algorithm?: string;
  qop?: string;
  nc?: string;
  cnonce?: string;
  nonce?: string;
  realm?: string;
  /** Edits the finished fields. */
  edit?: (fields: Record<string, string>) => Record<string, string>;
}

/** The header a client would send for a nonce. */
export function header(offered: string, changes: Changes = {}): string {
  const {
    user = 'user',
    pass = 'pass',
    verb = 'GET',
    uri = '/get_height',
    cnonce = 'abc',
  } = changes;
  const { algorithm = 'MD5', qop = 'auth', nc = '00000001', nonce = offered } = changes;
  const response = digestResponse({ username: user, password: pass }, verb, {
    algorithm: algorithm.replaceAll('"', ''),
    realm: changes.realm ?? 'monero-rpc',
    nonce,
    nc,
    cnonce,
    qop,
    uri,
  });
  const quoted = { username: user, realm: 'monero-rpc', nonce, uri, response };
  const fields: Record<string, string> = Object.fromEntries(
    Object.entries(quoted).map(([name, value]) => [name, `"${value}"`]),
  );
  if (algorithm !== '') fields['algorithm'] = algorithm;
  if (qop !== '') Object.assign(fields, { qop, nc, cnonce: `"${cnonce}"` });
  const edited = changes.edit?.(fields) ?? fields;
  return `Digest ${Object.entries(edited)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ')}`;
}

/** Returns the nonce of a challenge. */
export const offeredBy = (challenge: readonly string[] | undefined): string =>
  /nonce="([^"]+)"/.exec(challenge?.[1] ?? '')?.[1] ?? '';
/** Returns `in`, or the `stale` of a challenge. */
export const outcome = (challenge: readonly string[] | undefined): string =>
  challenge === undefined ? 'in' : (/stale=(\w+)/.exec(challenge[1] ?? '')?.[1] ?? '');
