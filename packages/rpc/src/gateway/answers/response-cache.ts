import { bytesEqual } from '@monero-node/codec';
import { LRUCache } from 'lru-cache';
import type { RpcServices } from '../../context.ts';
import type { Reply } from './reply.ts';

/** Longer requests are not remembered, bytes. */
const MAX_REQUEST_BYTES = 512;
const MAX_KEPT_ANSWERS = 4000;
const MAX_KEPT_BYTES = 4 * 1024 * 1024;
/** Requests that are remembered without their answers. */
const REMEMBERED = 1024;

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
    sizeCalculation: sizeOf,
  });
  /** Hashes of requests that found no room, each in the place that it names. */
  readonly #turnedAway = new Uint32Array(REMEMBERED);
  /** The chain state that the kept answers belong to. */
  #topId: Uint8Array = new Uint8Array(0);
  #synchronized = false;
  /** The request for which a key was made last. */
  #last: { readonly url: string; readonly body: Uint8Array; readonly key: string } | undefined;

  constructor(services: Services) {
    this.#services = services;
  }

  /** Returns the answer to the same request (body bytes), if nothing has changed since. */
  get(url: string, body: Uint8Array): Reply | undefined {
    if (body.length > MAX_REQUEST_BYTES || !this.#isCurrent()) return undefined;
    return this.#kept.get(this.#keyOf(url, body));
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
      if (this.#synchronized !== synchronized || !bytesEqual(this.#topId, topId)) {
        this.#kept.clear();
        this.#topId = topId;
        this.#synchronized = synchronized;
      }
      const key = this.#keyOf(url, body);
      if (this.#hasRoom(key, reply) || this.#wasTurnedAway(key)) this.#kept.set(key, reply);
    };
  }

  /** Returns the key of a request. It is looked up and, if its answer takes no time, kept at once: the key is made once for both. */
  #keyOf(url: string, body: Uint8Array): string {
    if (this.#last?.body !== body || this.#last.url !== url) {
      this.#last = { url, body, key: keyOf(url, body) };
    }
    return this.#last.key;
  }

  /** Returns whether an answer can be kept without another one being dropped, which costs more than to make most answers. */
  #hasRoom(request: string, reply: Reply): boolean {
    const kept = this.#kept;
    const bytes = kept.calculatedSize + sizeOf(reply, request);
    return kept.size < MAX_KEPT_ANSWERS && bytes <= MAX_KEPT_BYTES;
  }

  /**
   * Returns whether a request was turned away lately, and remembers that it is now. An answer takes the place of another one
   * only when it is asked for again: clients that number their calls, or ask for every block, never repeat one.
   */
  #wasTurnedAway(key: string): boolean {
    let hash = 0;
    for (let i = 0; i < key.length; i++) hash = (Math.imul(hash, 31) + key.charCodeAt(i)) >>> 0;
    const place = hash % REMEMBERED;
    const wasThere = this.#turnedAway[place] === hash;
    this.#turnedAway[place] = hash;
    return wasThere;
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

/** Returns the bytes that an answer and the request it belongs to take. */
function sizeOf({ body }: Reply, request: string): number {
  return body.length + request.length;
}

const keyOf = (url: string, body: Uint8Array): string =>
  `${url} ${Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1')}`;
