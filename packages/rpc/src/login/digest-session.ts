import { randomBytes, timingSafeEqual } from 'node:crypto';
import {
  asBytes,
  digestResponse,
  parseAuthorization,
  REALM,
  type DigestFields,
  type Login,
} from '@monero-node/rpc-schema/login';

const NONCE_BYTES = 16;

/**
 * The digest login of one connection, with the rules of monerod (contrib/epee/src/http_auth.cpp): a nonce is valid on
 * its connection only; the first `nc` after a challenge may be any, then each must be one more than the number of
 * requests before; without `qop` (RFC 2069) a nonce is valid once. The `uri` that was signed is not compared with the
 * requested path, nor the realm with ours, because clients differ in both.
 */
export class DigestSession {
  readonly #login: Login;
  #nonce: string | undefined;
  #requests = 0;

  constructor(login: Login) {
    this.#login = login;
  }

  /**
   * Returns undefined to let a request in, else the headers of a challenge, names and values alternating.
   *
   * @param authorization value of the `Authorization` header, if there is one
   */
  challenge(verb: string, authorization: string | undefined): readonly string[] | undefined {
    let stale = false;
    if (authorization !== undefined) {
      this.#requests++;
      const fields = parseAuthorization(authorization);
      if (fields !== undefined && this.#isRight(verb, fields)) {
        if (this.#isFresh(fields)) return undefined;
        stale = true;
      }
    }
    this.#requests = 0;
    this.#nonce = randomBytes(NONCE_BYTES).toString('base64');
    return challengeHeaders(this.#nonce, stale);
  }

  #isRight(verb: string, fields: DigestFields): boolean {
    const known = fields.algorithm === '' || /^md5/i.test(fields.algorithm);
    if (!known || !/^(auth)?$/i.test(fields.qop)) return false;
    if (fields.username !== asBytes(this.#login.username)) return false;
    const input = { ...fields, realm: REALM };
    const expected = Buffer.from(digestResponse(this.#login, verb, input));
    const given = Buffer.from(fields.response.toLowerCase());
    return given.length === expected.length && timingSafeEqual(given, expected);
  }

  #isFresh({ nonce, qop, nc }: DigestFields): boolean {
    if (nonce !== this.#nonce) return false;
    return this.#requests === 1 || (qop !== '' && Number.parseInt(nc, 16) === this.#requests);
  }
}

function challengeHeaders(nonce: string, stale: boolean): readonly string[] {
  return ['MD5', 'MD5-sess'].flatMap((algorithm) => [
    'WWW-authenticate',
    `Digest qop="auth",algorithm=${algorithm},realm="${REALM}",nonce="${nonce}",stale=${String(stale)}`,
  ]);
}
