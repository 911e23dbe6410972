import { timingSafeEqual } from 'node:crypto';
import {
  asBytes,
  digestResponse,
  parseAuthorization,
  REALM,
  type DigestFields,
  type Login,
} from '@monero-node/rpc-schema/login';
import type { NonceUses } from './nonce-uses.ts';
import type { Nonces } from './nonces.ts';

/** The login of a port, and what all its connections share. */
export interface ListenerLogin {
  readonly login: Login;
  readonly nonces: Nonces;
  readonly uses: NonceUses;
}

/** Headers of a challenge, names and values alternating; undefined to let a request in. */
export type Challenge = readonly string[] | undefined;

/**
 * The digest login of one connection, with the rules of monerod (contrib/epee/src/http_auth.cpp) for the nonce of this
 * connection: the first `nc` after a challenge may be any, then each must be one more than the number of requests before;
 * without `qop` (RFC 2069) a nonce is valid once. The `uri` that was signed is not compared with the requested path, nor the
 * realm with ours, because clients differ in both.
 *
 * Unlike in monerod, a fresh nonce of another connection is valid too, for clients that open a connection for each request: with a
 * higher `nc` each time, and unless it has been used on its own connection.
 */
export class DigestSession {
  readonly #login: ListenerLogin;
  #nonce: string | undefined;
  #requests = 0;

  constructor(login: ListenerLogin) {
    this.#login = login;
  }

  /**
   * Returns undefined to let a request in, else a challenge; a promise of it when another process has to say whether a nonce
   * has been used.
   *
   * @param authorization value of the `Authorization` header, if there is one
   */
  challenge(verb: string, authorization: string | undefined): Challenge | Promise<Challenge> {
    if (authorization === undefined) return this.#newChallenge(false);
    this.#requests++;
    const fields = parseAuthorization(authorization);
    if (fields === undefined || !this.#isRight(verb, fields)) return this.#newChallenge(false);
    const fresh = this.#isFresh(fields);
    if (fresh instanceof Promise) return fresh.then((isFresh) => this.#outcome(isFresh));
    return this.#outcome(fresh);
  }

  #outcome(isFresh: boolean): Challenge {
    return isFresh ? undefined : this.#newChallenge(true);
  }

  #newChallenge(stale: boolean): readonly string[] {
    this.#requests = 0;
    this.#nonce = this.#login.nonces.make();
    return challengeHeaders(this.#nonce, stale);
  }

  #isRight(verb: string, fields: DigestFields): boolean {
    const { login } = this.#login;
    const known = fields.algorithm === '' || /^md5/i.test(fields.algorithm);
    if (!known || !/^(auth)?$/i.test(fields.qop)) return false;
    if (fields.username !== asBytes(login.username)) return false;
    const input = { ...fields, realm: REALM };
    const expected = Buffer.from(digestResponse(login, verb, input));
    const given = Buffer.from(fields.response.toLowerCase());
    return given.length === expected.length && timingSafeEqual(given, expected);
  }

  #isFresh({ nonce, qop, nc }: DigestFields): boolean | Promise<boolean> {
    const { uses } = this.#login;
    const count = Number.parseInt(nc, 16);
    if (nonce !== this.#nonce) {
      // A request with another nonce does not count on this connection.
      this.#requests--;
      return uses.spend(nonce, qop === '' ? Infinity : count);
    }
    if (this.#requests === 1) return uses.claim(nonce);
    return qop !== '' && count === this.#requests;
  }
}

function challengeHeaders(nonce: string, stale: boolean): readonly string[] {
  return ['MD5', 'MD5-sess'].flatMap((algorithm) => [
    'WWW-authenticate',
    `Digest qop="auth",algorithm=${algorithm},realm="${REALM}",nonce="${nonce}",stale=${String(stale)}`,
  ]);
}
