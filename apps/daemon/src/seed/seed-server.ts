import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { guardServer } from '@monero-node/base';
import { ConnectionCounter } from '@monero-node/rpc';
import type { CopyStatus } from './copy-progress.ts';
import { ImageDesk, type ImageDeskDependencies } from './image-desk.ts';
import { MANIFEST_NAME, PART_SIZE, writeManifest } from './manifest.ts';
import { answerProof, PROOF_FIELD, provenNonce, sha256, type SeedRequest } from './proof.ts';

/** Connections at a time; a receiver needs two, and each of its requests opens one. */
const LIMITS = { perPublicIp: 8, perPrivateIp: 16, total: 32, fullHost: 'replaces' } as const;
const MAX_HEADER_BYTES = 8192;
/** Time for a receiver to send a request, milliseconds. */
const REQUEST_MS = 10_000;
/** Time after which a connection on which nothing moves is closed, milliseconds. */
const STALL_MS = 30_000;
/** Seconds after which a receiver that was put off asks again. */
const RETRY_SECONDS = 2;

/** Where new nodes may copy the chain. */
export interface SeedServerSettings {
  readonly bindIp: string;
  readonly bindPort: number;
  readonly key: string;
}

export interface SeedServerDependencies extends ImageDeskDependencies {
  /** Why this node is not ready; empty when it is. */
  readonly notReady: () => readonly string[];
}

/** What is answered. */
interface Answer {
  readonly status: number;
  readonly body: Uint8Array<ArrayBuffer>;
  /** Of the body in hex, or of what the receiver has. */
  readonly digest?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Serves the chain of this node to new nodes that have its key: a manifest, and the data file of the store as of one block, by
 * ranges. A part that the receiver has already (If-None-Match) is not sent.
 */
export class SeedServer {
  readonly #settings: SeedServerSettings;
  readonly #deps: SeedServerDependencies;
  readonly #desk: ImageDesk;
  readonly #server: Server;
  readonly #connections = new ConnectionCounter(LIMITS);
  readonly #serving = new Set<Promise<void>>();
  #warnedAt = -Infinity;

  constructor(settings: SeedServerSettings, dependencies: SeedServerDependencies) {
    this.#settings = settings;
    this.#deps = dependencies;
    this.#desk = new ImageDesk(dependencies);
    const options = {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: REQUEST_MS,
      requestTimeout: REQUEST_MS,
    };
    this.#server = guardServer(
      createServer(options, (request, response) => this.#take(request, response)),
    );
    this.#server.prependListener('connection', (socket) => {
      if (!this.#connections.admit(socket)) socket.destroy();
    });
    this.#server.setTimeout(STALL_MS);
  }

  /** How far new nodes are that copy the chain; a size of 0 while none does. */
  get status(): CopyStatus {
    return this.#desk.progress.status;
  }

  /** The port that it listens at. */
  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Listens. Rejects when the address cannot be listened on. */
  async start(): Promise<void> {
    const { bindIp, bindPort } = this.#settings;
    const { logger } = this.#deps;
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen({ host: bindIp, port: bindPort }, () => {
        this.#server.off('error', reject);
        resolve();
      });
    });
    this.#server.on('error', (error) => logger.error(`seeds: ${error.message}`));
    this.#desk.start();
    const shown = bindIp.includes(':') ? `[${bindIp}]` : bindIp;
    logger.info(
      `new nodes with the key of --seed-key-file may copy the chain: --seed-from ${shown}:${this.port}`,
    );
  }

  /** Ends copies that are under way. */
  async stop(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
    await Promise.all(this.#serving);
    await this.#desk.stop();
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    const seat = this.#connections.seatOf(request.socket);
    seat.note('serving');
    response.once('finish', () => seat.note('sending'));
    response.once('close', () => seat.note('idle'));
    const serving = this.#serve(request, response).finally(() => this.#serving.delete(serving));
    this.#serving.add(serving);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    const { key } = this.#settings;
    const seen = { target: url, range: headers.range ?? '' };
    const nonce = provenNonce(key, headers.authorization, seen);
    if (nonce === undefined)
      return send(response, refusal(401, 'Only for those who have the key.'));
    if (method !== 'GET') return send(response, refusal(405, 'Only GET.'));
    let answer: Answer;
    try {
      answer = await this.#answer({ ...seen, nonce }, headers['if-none-match']);
    } catch (error) {
      this.#warn(error as Error);
      answer = refusal(500, 'The chain could not be read; see the log of the source.');
    }
    const { status, body } = answer;
    const digest = answer.digest ?? (await sha256(body));
    const proof = answerProof(key, { ...seen, nonce }, { status, digest });
    send(response, { ...answer, headers: { ...answer.headers, [PROOF_FIELD]: proof } });
  }

  async #answer({ target, range }: SeedRequest, known: string | undefined): Promise<Answer> {
    if (target === `/${MANIFEST_NAME}`) return this.#manifest();
    const id = /^\/(image-[0-9a-f-]{36})\/data\.mdb$/.exec(target)?.[1] ?? '';
    const size = this.#desk.sizeOf(id);
    if (size === undefined) return refusal(410, 'This image of the chain is not kept any more.');
    const [, first = '', last = ''] = /^bytes=(\d{1,15})-(\d{1,15})$/.exec(range) ?? [];
    const [at, end] = [Number(first), Number(last) + 1];
    if (first === '' || end <= at || end > size || end - at > PART_SIZE)
      return refusal(416, `Ranges of at most ${PART_SIZE} bytes.`);
    const body = await this.#desk.read(at, end - at);
    if (body === undefined) return busy('Too many parts are being read.');
    const digest = await sha256(body);
    const isKnown = known === `"${digest}"`;
    this.#desk.progress.add(end, isKnown ? 0 : body.length);
    if (isKnown) return { status: 304, body: new Uint8Array(), digest };
    const headers = { 'Content-Range': `bytes ${at}-${end - 1}/${size}`, ETag: `"${digest}"` };
    return { status: 206, body, digest, headers };
  }

  async #manifest(): Promise<Answer> {
    const [reason] = this.#deps.notReady();
    if (reason !== undefined) return busy(`The source is not ready: ${reason}.`);
    return { status: 200, body: bytesOf(writeManifest(await this.#desk.manifest())) };
  }

  /** Writes at most one line a minute: a disk that has failed would write one for each request. */
  #warn({ message }: Error): void {
    const now = performance.now();
    if (now - this.#warnedAt < 60_000) return;
    this.#warnedAt = now;
    this.#deps.logger.warn(`a new node did not get the chain: ${message}`);
  }
}

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

const refusal = (status: number, text: string): Answer => ({ status, body: bytesOf(`${text}\n`) });

const busy = (text: string): Answer => ({
  ...refusal(503, text),
  headers: { 'Retry-After': String(RETRY_SECONDS) },
});

function send(response: ServerResponse, { status, body, headers }: Answer): void {
  response.writeHead(status, {
    'Content-Type': status < 300 ? 'application/octet-stream' : 'text/plain',
    // Each request comes with a connection of its own, and a refused one may have a body that is not read.
    Connection: 'close',
    'Cache-Control': 'no-store',
    ...(status === 304 ? {} : { 'Content-Length': String(body.length) }),
    ...headers,
  });
  response.end(body);
}
