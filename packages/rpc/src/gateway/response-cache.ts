import { bytesEqual } from '@monero-node/codec';
import { LRUCache } from 'lru-cache';
import type { RpcServices } from '../context.ts';
import type { Reply } from './reply.ts';

/** Longer requests are not remembered, bytes. */
const MAX_REQUEST_BYTES = 512;
const MAX_KEPT_ANSWERS = 1000;
const MAX_KEPT_BYTES = 4 * 1024 * 1024;

type Services = Pick<RpcServices, 'chain' | 'p2p' | 'bootstrap'>;

/**
 * Keeps answers that stay valid until the chain changes. Explorers, pools and wallets ask the same few questions
 * about the chain many times between two blocks; reading and writing the same text again costs more than the rest of
 * the call.
 */
export class ResponseCache {
  readonly #services: Services;
  readonly #kept = new LRUCache<string, Reply>({
    max: MAX_KEPT_ANSWERS,
    maxSize: MAX_KEPT_BYTES,
    sizeCalculation: ({ body }, request) => body.length + request.length,
  });
  /** The chain state that the kept answers belong to. */
  #topId: Uint8Array = new Uint8Array(0);
  #synchronized = false;

  constructor(services: Services) {
    this.#services = services;
  }

  /** Returns the answer to the same request (body bytes), if nothing has changed since. */
  get(url: string, body: Uint8Array): Reply | undefined {
    if (body.length > MAX_REQUEST_BYTES || !this.#isCurrent()) return undefined;
    return this.#kept.get(keyOf(url, body));
  }

  /**
   * Called before a request is served. Returns a function that keeps its answer, which has no effect when the chain
   * has changed meanwhile or a bootstrap daemon may answer.
   */
  begin(url: string, body: Uint8Array): (reply: Reply) => void {
    const { chain, p2p, bootstrap } = this.#services;
    const { topId } = chain;
    const { synchronized } = p2p;
    return (reply) => {
      if (reply.steady === undefined || body.length > MAX_REQUEST_BYTES || bootstrap.isSet) return;
      if (!bytesEqual(topId, chain.topId) || synchronized !== p2p.synchronized) return;
      if (!this.#isCurrent()) {
        this.#kept.clear();
        this.#topId = topId;
        this.#synchronized = synchronized;
      }
      this.#kept.set(keyOf(url, body), reply);
    };
  }

  #isCurrent(): boolean {
    const { chain, p2p, bootstrap } = this.#services;
    return (
      !bootstrap.isSet &&
      this.#synchronized === p2p.synchronized &&
      bytesEqual(this.#topId, chain.topId)
    );
  }
}

const keyOf = (url: string, body: Uint8Array): string =>
  `${url} ${Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1')}`;
