import { setTimeout as delay } from 'node:timers/promises';
import { monotonicMilliseconds, type Logger } from '@monero-node/base';
import { httpGet, type AnswerHead, type GetLimits, type GetOptions } from '../updates/http-get.ts';
import { UpdateError } from '../updates/update-error.ts';
import { MAX_MANIFEST, readManifest, type SeedManifest, type SeedPart } from './manifest.ts';
import { answerProof, authorizationOf, isSame, newNonce, PROOF_FIELD, sha256 } from './proof.ts';
import { SeedError, SeedGoneError, SeedRefusedError } from './seed-error.ts';

/** Limits of one answer: a part has to come through a proxy too. */
const LIMITS = { totalMs: 600_000, idleMs: 30_000 } as const;
/** Milliseconds in which nothing may arrive before the copy is given up. */
const PATIENCE = 600_000;
/** Milliseconds until a request that failed is sent again: the first time, and at most. */
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 15_000;

export interface SeedSourceOptions extends Omit<GetOptions, 'headers' | 'onHead'> {
  /** Of the manifest. */
  readonly url: URL;
  /** Which the source must have too; undefined: the manifest must hold the digests. */
  readonly key: string | undefined;
  readonly logger: Pick<Logger, 'warn'>;
  /** Milliseconds; ten minutes by default. */
  readonly patience?: number;
}

/** What is asked for. */
interface Wanted {
  readonly url: URL;
  /** Value of the field Range. */
  readonly range?: string;
  /** SHA-256 in hex of what the receiver has. */
  readonly known?: string | undefined;
  /** Bytes of the longest body. */
  readonly longest: number;
}

interface Got {
  readonly status: number;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly digest: string;
}

/** Another node, or a web server with a backup, from which a new node gets its chain. */
export class SeedSource {
  readonly #options: SeedSourceOptions;

  constructor(options: SeedSourceOptions) {
    this.#options = options;
  }

  /**
   * Resolves with the manifest. Rejects with SeedError, SeedRefusedError when the source lies or is none, and the reason of the
   * signal.
   */
  async manifest(): Promise<SeedManifest> {
    const { url, key } = this.#options;
    const { body } = await this.#patiently({ url, longest: MAX_MANIFEST });
    const manifest = readManifest(new TextDecoder().decode(body));
    if (key === undefined && manifest.digests === undefined)
      throw new SeedRefusedError(
        `${url.origin}: the manifest holds no digests of the parts, and there is no key (--seed-key-file)`,
      );
    return manifest;
  }

  /**
   * Resolves with the bytes of a part, proven or as the manifest says; with undefined when they are those of `known`. Rejects as
   * `manifest` does, and with SeedGoneError when the source has another image now.
   *
   * @param known SHA-256 in hex of what the receiver has of the part
   */
  async part(
    { file, digests }: SeedManifest,
    { index, at, length }: SeedPart,
    known: string | undefined,
  ): Promise<Uint8Array | undefined> {
    const wanted = digests?.[index];
    if (known !== undefined && known === wanted) return undefined;
    const url = new URL(file, this.#options.url);
    const range = `bytes=${at}-${at + length - 1}`;
    const got = await this.#patiently({
      url,
      range,
      known: wanted === undefined ? known : undefined,
      longest: length,
    });
    if (got.status === 304) return undefined;
    const name = `bytes ${at} to ${at + length - 1} of ${file}`;
    if (got.status !== 206)
      throw new SeedRefusedError(
        `${url.origin}: it serves no ranges of a file (status ${got.status})`,
      );
    if (got.body.length !== length)
      throw new SeedRefusedError(`${url.origin}: ${name} are ${got.body.length} bytes`);
    if (wanted !== undefined && got.digest !== wanted)
      throw new SeedRefusedError(`${url.origin}: ${name} are not those of the manifest`);
    return got.body;
  }

  /** Sends a request again and again while it fails for a reason that may pass. */
  async #patiently(wanted: Wanted): Promise<Got> {
    const { signal, patience = PATIENCE, logger } = this.#options;
    const begin = monotonicMilliseconds();
    for (
      let pause = FIRST_PAUSE, tries = 1;
      ;
      pause = Math.min(2 * pause, LONGEST_PAUSE), tries += 1
    ) {
      try {
        return await this.#get(wanted);
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof UpdateError)) throw error;
        if (error.cause instanceof SeedError) throw error.cause;
        if (monotonicMilliseconds() - begin + pause > patience)
          throw new SeedError(`${error.message}; what has arrived is kept: start again to go on`);
        if (tries === 2) logger.warn(`${error.message}; asking again`);
        await delay(pause, undefined, { signal }).catch(() => signal.throwIfAborted());
      }
    }
  }

  async #get({ url, range, known, longest }: Wanted): Promise<Got> {
    const { key, dial, signal } = this.#options;
    const nonce = newNonce();
    const seen = { nonce, target: `${url.pathname}${url.search}`, range: range ?? '' };
    const headers = {
      ...(range !== undefined && { Range: range }),
      ...(known !== undefined && { 'If-None-Match': `"${known}"` }),
      ...(key !== undefined && { Authorization: authorizationOf(key, seen) }),
    };
    let head: AnswerHead | undefined;
    const onHead = (answer: AnswerHead): void => {
      head = answer;
      if (Number(answer.headers['content-length'] ?? 0) > longest) throw tooLong(url, longest);
      checkStatus(url, answer, { isRange: range !== undefined, hasKnown: known !== undefined });
    };
    // Above what is refused here, with a reason that no later attempt changes. A chunk has at most 64 KiB.
    const limits: GetLimits = { ...LIMITS, maxBytes: longest + 2 ** 20 };
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of httpGet(url, limits, { dial, signal, headers, onHead })) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > longest) throw tooLong(url, longest);
    }
    const body = Buffer.concat(chunks, length);
    const status = head?.statusCode ?? 0;
    const digest = status === 304 ? (known ?? '') : await sha256(body);
    if (key !== undefined) checkProof(url, head, answerProof(key, seen, { status, digest }));
    return { status, body, digest };
  }
}

const tooLong = ({ origin }: URL, longest: number): SeedRefusedError =>
  new SeedRefusedError(`${origin}: its answer is longer than the ${longest} bytes asked for`);

/** Throws UpdateError for a reason that may pass, and SeedError otherwise. */
function checkStatus(
  { origin }: URL,
  { statusCode = 0, headers }: AnswerHead,
  { isRange, hasKnown }: { readonly isRange: boolean; readonly hasKnown: boolean },
): void {
  if (statusCode === 200 || statusCode === 206 || (statusCode === 304 && hasKnown)) {
    const type = headers['content-encoding'] ?? 'identity';
    if (type === 'identity') return;
    throw new SeedRefusedError(`${origin}: it sent an encoding that was not asked for`);
  }
  const answered = `it answered with status ${statusCode}`;
  if (statusCode === 429 || statusCode >= 500) throw new UpdateError(answered);
  if (statusCode === 401 || statusCode === 403)
    throw new SeedError(`${origin}: ${answered}: its key is another one, or it wants a login`);
  if (isRange && (statusCode === 404 || statusCode === 410))
    throw new SeedGoneError(`${origin}: ${answered}`);
  if (isRange && statusCode === 416)
    throw new SeedRefusedError(`${origin}: its file is shorter than it says`);
  throw new SeedError(`${origin}: ${answered}`);
}

function checkProof({ origin }: URL, head: AnswerHead | undefined, proof: string): void {
  const sent = head?.headers[PROOF_FIELD];
  if (typeof sent !== 'string' || !isSame(sent, proof))
    throw new SeedRefusedError(
      `${origin}: the answer is not proven by the key: the source has another one, or something between changed the answer`,
    );
}
