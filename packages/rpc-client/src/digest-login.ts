import { toHex } from '@monero-node/codec/bytes';
import {
  asBytes,
  digestResponse,
  parseAuthorization,
  type Login,
} from '@monero-node/rpc-schema/login';

interface Challenge {
  readonly realm: string;
  readonly nonce: string;
  readonly opaque: string;
  readonly algorithm: string;
}

/** Signs requests for a server that asks for a digest login (RFC 2617, MD5). */
export class DigestLogin {
  readonly #login: Login;
  #challenge: Challenge | undefined;
  #requests = 0;

  constructor(login: Login) {
    this.#login = login;
  }

  /**
   * Takes the `WWW-Authenticate` headers of a refusal. Returns whether it is worth asking again: not when the login was
   * already tried with a nonce that the server does not call stale.
   */
  challenged(headers: readonly string[]): boolean {
    const tried = this.#challenge !== undefined;
    for (const header of headers) {
      const fields = parseAuthorization(header);
      if (fields === undefined || fields.nonce === '') continue;
      if (!/^(md5)?$/i.test(fields.algorithm) || !/(^|[, ])auth($|[, ])/i.test(fields.qop))
        continue;
      this.#challenge = fields;
      this.#requests = 0;
      return !tried || fields.stale.toLowerCase() === 'true';
    }
    return false;
  }

  /** The connection is a new one: nonces of the last are worthless. */
  forget(): void {
    this.#challenge = undefined;
  }

  /** Value of the `Authorization` header for a request; undefined as long as nothing was asked for. */
  authorization(verb: string, uri: string): string | undefined {
    if (this.#challenge === undefined) return undefined;
    this.#requests++;
    const { realm, nonce, opaque, algorithm } = this.#challenge;
    const nc = this.#requests.toString(16).padStart(8, '0');
    const cnonce = toHex(crypto.getRandomValues(new Uint8Array(16)));
    const input = { algorithm, realm, nonce, nc, cnonce, qop: 'auth', uri };
    const response = digestResponse(this.#login, verb, input);
    const username = asBytes(this.#login.username);
    return (
      `Digest username="${username}", realm="${realm}", nonce="${nonce}", uri="${uri}", ` +
      `response="${response}", qop=auth, nc=${nc}, cnonce="${cnonce}"` +
      (algorithm === '' ? '' : `, algorithm=${algorithm}`) +
      (opaque === '' ? '' : `, opaque="${opaque}"`)
    );
  }
}
