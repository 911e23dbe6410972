import type { EventEmitter } from 'node:events';
import { checkOptions } from '@monero-node/base/options';
import { plainHost } from '@monero-node/p2p/hosts';
import type { ChainEvents } from '@monero-node/blockchain';
import type { PoolTransaction } from '@monero-node/mempool';
import {
  type ChainCaches,
  createServices,
  type FinishedCall,
  type ResolvedRpcDependencies,
  shownRequest,
} from '@monero-node/rpc/shared';
import { type ZmqAnswer, ZmqEndpoint } from './endpoint.ts';
import { type ZmqMining, zmqMining } from './mining.ts';
import type { PublishedTransaction } from './new-transactions.ts';
import { rpcAddress, ZMQ_OPTIONS, type ZmqOptions } from './options.ts';
import { ZmqPublisher } from './publisher.ts';
import { type EndOfRequest, ReplySocket } from './zmtp/reply-socket.ts';

/** Returns a ZeroMQ call that has ended; without an answer when the client left before its turn. */
function finishedCall(answer: ZmqAnswer | undefined, end: EndOfRequest): FinishedCall {
  return {
    ...end,
    interface: 'zmq',
    address: end.address === undefined ? undefined : plainHost(end.address),
    request: shownRequest(answer?.called ?? ''),
    method: answer?.method ?? 'unknown',
    status: answer === undefined ? 'aborted' : answer.failed ? 'error' : 'ok',
  };
}

/** The parts of the node that {@link ZmqServer} is built from. */
export interface ZmqDependencies extends Pick<
  ResolvedRpcDependencies,
  'blockchain' | 'p2p' | 'node' | 'pool' | 'transactions' | 'miner' | 'now' | 'logger' | 'onCall'
> {
  /** Those of the node's HTTP server, so that each result is computed once; its own by default. */
  readonly caches?: ChainCaches;
  /** Emits the new blocks. */
  readonly chainEvents: Pick<EventEmitter<ChainEvents>, 'on' | 'off'>;
  /** Replaces the node's miner. Without either, calls about mining are not served. */
  readonly mining?: ZmqMining;
  /** Sets a log level 0 to 4; without it that is not served. */
  readonly setLogLevel?: (level: number) => void;
}

/** The ZeroMQ interface: an RPC, and events for subscribers where asked for. */
export class ZmqServer {
  readonly #options: ZmqOptions;
  readonly #address: string;
  readonly #deps: ZmqDependencies;
  readonly #endpoint: ZmqEndpoint;
  readonly #publisher: ZmqPublisher | undefined;
  #socket: ReplySocket<ZmqAnswer> | undefined;
  #rpcPort: number | undefined;
  #publishedAt: readonly string[] = [];

  /**
   * Throws RpcOptionsError for a malformed address or one that needs a confirmation, and OptionError for a missing or an unknown
   * option.
   */
  constructor(options: ZmqOptions, deps: ZmqDependencies) {
    checkOptions('ZmqServer', options, ZMQ_OPTIONS);
    this.#options = options;
    this.#address = rpcAddress(options);
    this.#deps = deps;
    const services = createServices(deps, { caches: deps.caches });
    this.#endpoint = new ZmqEndpoint({
      services,
      restricted: options.restricted,
      mining: deps.mining ?? zmqMining(services),
      setLogLevel: deps.setLogLevel,
    });
    this.#publisher =
      options.publishAt.length === 0 ? undefined : new ZmqPublisher(options.publishAt, services);
  }

  /** Port of the RPC; undefined while not listening. */
  get rpcPort(): number | undefined {
    return this.#rpcPort;
  }

  /** Addresses that events are published at, with the ports the system chose. */
  get publishedAt(): readonly string[] {
    return this.#publishedAt;
  }

  /** Listens. Rejects when an address can't be bound; nothing is left listening then. */
  async start(): Promise<void> {
    const { logger, onCall } = this.#deps;
    try {
      const socket = new ReplySocket((frames) => this.#endpoint.answer(frames), {
        onEnd: onCall && ((answer, end) => onCall(finishedCall(answer, end))),
      });
      this.#socket = socket;
      const endpoint = await bind(socket, this.#address);
      this.#rpcPort = Number(endpoint.slice(endpoint.lastIndexOf(':') + 1));
      logger.info(`ZeroMQ RPC${this.#options.restricted ? ' (restricted)' : ''} on ${endpoint}`);
      if (this.#publisher !== undefined) {
        this.#publishedAt = await this.#publisher.start();
        for (const address of this.#publishedAt) logger.info(`ZeroMQ events at ${address}`);
      }
    } catch (error) {
      await this.stop();
      throw error;
    }
    this.#deps.chainEvents.on('alternative-block', this.#onAlternative);
    this.#deps.chainEvents.on('reorg', this.#onReorg);
    this.#deps.chainEvents.on('blocks-added', this.#onBlocks);
  }

  /** Stops serving; a call under way gets no answer. */
  stop(): Promise<void> {
    this.#deps.chainEvents.off('alternative-block', this.#onAlternative);
    this.#deps.chainEvents.off('reorg', this.#onReorg);
    this.#deps.chainEvents.off('blocks-added', this.#onBlocks);
    this.#socket?.close();
    this.#socket = undefined;
    this.#rpcPort = undefined;
    this.#publisher?.stop();
    this.#publishedAt = [];
    return Promise.resolve();
  }

  /** The same as {@link ZmqServer.stop}. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  /** Publishes transactions that have become public. */
  transactionsAdded(transactions: readonly PublishedTransaction[]): void {
    this.#publisher?.transactionsAdded(transactions);
  }

  /** To be called when a transaction leaves the pool for a block, before 'blocks-added' arrives here. */
  transactionMined(transaction: PoolTransaction): void {
    this.#publisher?.transactionMined(transaction);
  }

  readonly #onAlternative = (...[{ bundle }]: ChainEvents['alternative-block']): void => {
    this.#publisher?.alternativeAdded(bundle);
  };

  readonly #onReorg = (...[{ removed }]: ChainEvents['reorg']): void => {
    this.#publisher?.blocksRemoved(removed);
  };

  readonly #onBlocks = (...[blocks]: ChainEvents['blocks-added']): void => {
    this.#publisher?.blocksAdded(blocks);
  };
}

async function bind(socket: ReplySocket<ZmqAnswer>, address: string): Promise<string> {
  try {
    return await socket.bind(address);
  } catch (error) {
    throw new Error(`ZeroMQ RPC on ${address}: ${(error as Error).message}`, { cause: error });
  }
}
