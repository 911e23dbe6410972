import type { Mutex } from '@monero-node/base';
import { toHex } from '@monero-node/codec';
import {
  DeliverPolicy,
  jetstream,
  jetstreamManager,
  type JetStreamManager,
  type JsMsg,
} from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { EventNames } from '../broker/names.ts';
import { readEntryHeaders, tipAfter, tipBefore } from '../broker/entry-facts.ts';
import { PartJoiner } from '../broker/payload-parts.ts';
import type { RefusedPulls } from '../broker/refused-pulls.ts';
import {
  chainStreamState,
  messageAt,
  missingStream,
  type ChainStreamState,
} from '../broker/streams.ts';
import { ABORTS, takeMessages, whyOver } from '../broker/take-messages.ts';
import { decodeEvent } from '../encoding/encoding.ts';
import { ChainState, NotContinuousError } from './chain-state.ts';
import { fillIn } from './fill-in.ts';
import type { ChainHandler, Position } from './handlers.ts';

/** Most messages that are fetched before they are needed; each is at most 256 KiB. */
const FETCHED = 128;

export interface ChainConsumerOptions {
  readonly names: EventNames;
  /** Height of the first block when the consumer has none. */
  readonly from: number;
}

export interface ChainConsumerDependencies {
  readonly connection: NatsConnection;
  readonly handler: ChainHandler;
  /** Keeps the calls of the chain's and the pool's handler apart. */
  readonly calls: Mutex;
  readonly pulls: RefusedPulls;
}

/** Follows the stream of a chain from wherever its handler is. */
export class ChainConsumer {
  readonly #options: ChainConsumerOptions;
  readonly #deps: ChainConsumerDependencies;
  readonly #state: ChainState;
  /** Whether the stream has turned out not to continue the consumer's chain. */
  #mustFillIn = false;

  constructor(options: ChainConsumerOptions, dependencies: ChainConsumerDependencies) {
    this.#options = options;
    this.#deps = dependencies;
    this.#state = new ChainState(oneAtATime(dependencies.handler, dependencies.calls));
  }

  /**
   * Follows the stream until the signal is aborted. Rejects with the first error of the broker, a node or the handler.
   *
   * @param onCurrent called whenever the handler has taken all that there is
   */
  async follow(signal: AbortSignal, onCurrent: () => void): Promise<void> {
    const { names } = this.#options;
    const { connection } = this.#deps;
    const manager = await jetstreamManager(connection, { checkAPI: false });
    const tip = await this.#state.load();
    const state = await chainStreamState({ connection, manager }, names);
    if (state === undefined) throw await missingStream(connection, names.chainStream);
    if (state.tip === undefined) throw new Error(`the stream ${names.chainStream} is empty`);
    const sequence = this.#mustFillIn
      ? undefined
      : await joinSequence(manager, names.chainStream, { tip, state });
    if (sequence === undefined) await this.#fillIn(state, signal);
    // Blocks may still be missing.
    if (signal.aborted) return;
    this.#mustFillIn = false;
    // A message whose last part is missing is no part of the state; the one after it begins anew.
    const next = sequence ?? state.lastSequence + 1;
    const isCurrent = next > state.lastSequence;
    if (isCurrent) await this.#state.caughtUp();
    try {
      await this.#read({ sequence: next, isCurrent }, signal, onCurrent);
    } catch (error) {
      this.#mustFillIn = error instanceof NotContinuousError;
      throw error;
    }
  }

  async #fillIn(state: ChainStreamState, signal: AbortSignal): Promise<void> {
    if (state.tip === undefined) return;
    await fillIn(this.#state, this.#deps.connection, {
      subject: this.#options.names.backfillSubject,
      target: state.tip,
      sequence: state.lastSequence,
      from: this.#options.from,
      signal,
    });
  }

  async #read(
    { sequence, isCurrent }: { readonly sequence: number; readonly isCurrent: boolean },
    signal: AbortSignal,
    onCurrent: () => void,
  ): Promise<void> {
    const { connection, pulls } = this.#deps;
    const { chainStream } = this.#options.names;
    const consumer = await jetstream(connection).consumers.get(chainStream, {
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: sequence,
    });
    pulls.take(chainStream);
    const messages = await consumer.consume({ max_messages: FETCHED, ...ABORTS });
    const joiner = new PartJoiner();
    const take = async (message: JsMsg): Promise<void> => {
      await this.#take(message, joiner);
      if (message.info.pending > 0) return;
      await this.#state.caughtUp();
      onCurrent();
    };
    await takeMessages(messages, take, {
      signal,
      maxWaiting: 2 * FETCHED,
      whyOver: async () => (await whyOver(consumer)) ?? pulls.take(chainStream),
      ...(isCurrent && { onSound: onCurrent }),
    });
  }

  async #take(message: JsMsg, joiner: PartJoiner): Promise<void> {
    const facts = readEntryHeaders(message.headers);
    const payload = joiner.add(facts, message.data);
    if (payload !== undefined) {
      await this.#change(decodeEvent(payload, facts.type, facts.encoding), message);
    }
  }

  async #change(event: ReturnType<typeof decodeEvent>, { seq }: JsMsg): Promise<void> {
    if (event.type === 'block.added') await this.#state.add(event.block, seq);
    else if (event.type === 'block.removed') await this.#state.remove(event, seq);
  }
}

/** Returns a handler whose calls wait for those of others. */
function oneAtATime(handler: ChainHandler, calls: Mutex): ChainHandler {
  const { applyMany, caughtUp } = handler;
  return {
    tip: () => calls.run(() => handler.tip()),
    apply: (block, position) => calls.run(() => handler.apply(block, position)),
    revert: (block, position) => calls.run(() => handler.revert(block, position)),
    ...(applyMany && { applyMany: (blocks) => calls.run(() => applyMany.call(handler, blocks)) }),
    ...(caughtUp && {
      caughtUp: (position: Position | undefined) =>
        calls.run(() => caughtUp.call(handler, position)),
    }),
  };
}

/**
 * Resolves to the sequence of the first message that a consumer lacks, or undefined when the stream does not continue the
 * consumer's chain: because it keeps too little, or is another one than before.
 */
async function joinSequence(
  manager: JetStreamManager,
  stream: string,
  { tip, state }: { readonly tip: Position | undefined; readonly state: ChainStreamState },
): Promise<number | undefined> {
  const sequence = tip?.sequence;
  if (tip === undefined || sequence === undefined || sequence > state.lastSequence)
    return undefined;
  if (sequence >= state.firstSequence) {
    const message = await messageAt(manager, stream, sequence);
    if (message === undefined) return undefined;
    const facts = readEntryHeaders(message.header);
    const isSame = facts.part + 1 === facts.parts && isAt(tip, tipAfter(facts));
    return isSame ? sequence + 1 : undefined;
  }
  if (sequence + 1 !== state.firstSequence) return undefined;
  const next = await messageAt(manager, stream, sequence + 1);
  if (next === undefined) return undefined;
  const facts = readEntryHeaders(next.header);
  return facts.part === 0 && isAt(tip, tipBefore(facts)) ? sequence + 1 : undefined;
}

function isAt(
  tip: Position,
  block: { readonly height: number; readonly id: string } | undefined,
): boolean {
  return block?.height === tip.height && block.id === toHex(tip.id);
}
