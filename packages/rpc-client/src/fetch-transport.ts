import { checkOptions } from '@monero-node/base/options';
import { concatBytes } from '@monero-node/codec/bytes';
import { DigestLogin } from './digest-login.ts';
import { Failure } from './failure.ts';
import {
  DEFAULT_MAX_ANSWER,
  HTTP_OPTIONS,
  HttpTransport,
  parseServerUrl,
  type HttpAnswer,
  type HttpOptions,
  type Poster,
  type RpcTransport,
} from './transport.ts';

/** Tries per request: nonces are bound to a connection, and `fetch` may change it. */
const MAX_TRIES = 3;

/**
 * Returns a transport over the platform's `fetch`, for browsers and Node. It cannot pin certificates or use a proxy: see
 * `createNodeTransport`. Throws TypeError for an address that is not a URL with http or https, RangeError for a time-out or a
 * concurrency that is not positive, and OptionError for a missing or an unknown option.
 */
export function createFetchTransport(options: HttpOptions): RpcTransport {
  checkOptions('createFetchTransport', options, HTTP_OPTIONS);
  const url = parseServerUrl(options.url);
  return new HttpTransport(url, options, new FetchPoster(url.origin, options));
}

class FetchPoster implements Poster {
  readonly #origin: string;
  readonly #options: HttpOptions;
  readonly #login: DigestLogin | undefined;

  constructor(origin: string, options: HttpOptions) {
    this.#origin = origin;
    this.#options = options;
    this.#login = options.login === undefined ? undefined : new DigestLogin(options.login);
  }

  async post(
    path: string,
    contentType: string,
    body: Uint8Array,
    ends: AbortSignal,
  ): Promise<HttpAnswer> {
    for (let tries = 1; ; tries++) {
      const { challenges, ...answer } = await this.#send(path, contentType, body, ends);
      if (this.#login !== undefined) await connectionIsFree();
      if (answer.status !== 401 || tries === MAX_TRIES) return answer;
      if (this.#login?.challenged(challenges) !== true) return answer;
    }
  }

  async #send(path: string, contentType: string, body: Uint8Array, ends: AbortSignal) {
    const { maxAnswer = DEFAULT_MAX_ANSWER } = this.#options;
    const authorization = this.#login?.authorization('POST', path);
    const response = await fetch(`${this.#origin}${path}`, {
      method: 'POST',
      headers: {
        'Content-Type': contentType,
        ...(authorization === undefined ? {} : { Authorization: authorization }),
      },
      body: body as Uint8Array<ArrayBuffer>,
      signal: ends,
      credentials: 'omit',
      redirect: 'error',
    });
    return {
      status: response.status,
      challenges: splitChallenges(response.headers.get('www-authenticate')),
      body: await readAtMost(response, maxAnswer),
    };
  }
}

/**
 * Nonces are bound to a connection, and `fetch` frees one only a turn after the body has ended: a request sent before
 * would go over another connection and be challenged again.
 */
function connectionIsFree(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve);
  });
}

/** Repeated headers arrive joined by commas, which separate the fields of a challenge too. */
export function splitChallenges(header: string | null): readonly string[] {
  return header === null ? [] : header.split(/,\s*(?=Digest\s)/i);
}

/** Throws Failure when the body has more than `limit` bytes. */
async function readAtMost({ body }: Response, limit: number): Promise<Uint8Array> {
  if (body === null) return new Uint8Array(0);
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return concatBytes(...chunks);
    length += value.length;
    if (length > limit) {
      await reader.cancel();
      throw new Failure('too-large', `answer of more than ${limit} bytes`);
    }
    chunks.push(value);
  }
}
