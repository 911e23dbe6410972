import { md5 as md5Bytes } from '@noble/hashes/legacy.js';
import { latin1ToBytes, utf8AsLatin1 } from '../wire/text.ts';
import { toHex } from '@monero-node/codec/bytes';

/** A user name and password as people wrote them. */
export interface Login {
  readonly username: string;
  readonly password: string;
}

/** The realm that monerod announces. */
export const REALM = 'monero-rpc';

/** The inputs of the response of a digest login; one character per byte, absent parts empty. */
export interface DigestInput {
  readonly algorithm: string;
  readonly realm: string;
  readonly nonce: string;
  readonly nc: string;
  readonly cnonce: string;
  readonly qop: string;
  readonly uri: string;
}

/** Text as its UTF-8 bytes, one character per byte: the form in which headers are read. */
export function asBytes(text: string): string {
  return utf8AsLatin1(text);
}

/**
 * The `response` that proves knowledge of the password: RFC 2617 with `qop`, RFC 2069 without. Algorithms that end in
 * `-sess` bind the key to the nonces first.
 */
export function digestResponse(login: Login, verb: string, input: DigestInput): string {
  const { algorithm, realm, nonce, nc, cnonce, qop, uri } = input;
  const base = md5(asBytes(login.username), realm, asBytes(login.password));
  const key = algorithm.toLowerCase().endsWith('-sess') ? md5(base, nonce, cnonce) : base;
  const request = md5(verb, uri);
  return qop === '' ? md5(key, nonce, request) : md5(key, nonce, nc, cnonce, qop, request);
}

function md5(...parts: readonly string[]): string {
  return toHex(md5Bytes(latin1ToBytes(parts.join(':'))));
}
