import { setTimeout as delay } from 'node:timers/promises';
import { monotonicMilliseconds, stderrLogger, type Logger } from '@monero-node/base';
import {
  checkOptions,
  NEEDED,
  OPTIONAL,
  OptionError,
  type OptionTable,
} from '@monero-node/base/options';
import { DecodeError } from '@monero-node/codec';
import { jetstreamManager, type JetStreamManager, type JsMsg } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { eventNames, type EventNames, type EventNaming } from '../broker/names.ts';
import { RefusedPulls } from '../broker/refused-pulls.ts';
import { ABORTS, takeMessages, whyOver } from '../broker/take-messages.ts';
import { watchConnection } from '../broker/watch-status.ts';
import { growingDelay } from '../growing-delay.ts';
import type { EventMessage } from '../messages/tables.ts';
import { reasonOf, Trouble } from '../trouble.ts';
import { groupConsumer, type GroupSettings } from './group-consumer.ts';
import { TrimmedError, wholeMessage } from './whole-message.ts';

export interface EventGroupOptions extends EventNaming {
  /** Name that the members share: letters, digits, `_` and `-`, at most 64 of them. */
  readonly group: string;
  /** Whose events: `chain` (default) or `pool`, without the figures of the chain. */
  readonly events?: 'chain' | 'pool';
  /** Where a group that there was not before begins: at the `first` message that the stream keeps (default), or with `new` ones. */
  readonly begin?: 'first' | 'new';
  /** Whether all members together handle one event at a time, in the order of the stream; false when absent. */
  readonly inOrder?: boolean;
  /** Events that this member handles at a time, 1 to 100; 1 when absent. */
  readonly concurrency?: number;
  /** Seconds after which another member gets the events of one that is gone, 1 to 3600; 30 when absent. The same for all members. */
  readonly takeOverSeconds?: number;
}

const OPTIONS: OptionTable<EventGroupOptions> = {
  prefix: NEEDED,
  stream: NEEDED,
  group: NEEDED,
  events: OPTIONAL,
  begin: OPTIONAL,
  inOrder: OPTIONAL,
  concurrency: OPTIONAL,
  takeOverSeconds: OPTIONAL,
};

/** An event for one member of a group. */
export interface GroupEvent {
  readonly event: EventMessage;
  /** Of its message in the stream, the last one if it came in parts. */
  readonly sequence: number;
  /** How often a member has been given it, 1 at first. */
  readonly delivery: number;
}

export interface EventGroupDependencies {
  /** See `connectEvents`. It is not closed. */
  readonly connection: NatsConnection;
  /**
   * Handles an event. When it rejects, a member of the group gets the event again, after a pause that grows to a minute. It may get one
   * again that it has handled: when the connection was lost, or this program killed, before the broker knew.
   */
  readonly handle: (event: GroupEvent) => Promise<void>;
  /** Absent: warnings, and the line that says that all is well again, go to standard error. */
  readonly logger?: Logger;
}

const MAX_CONCURRENCY = 100;
const MAX_TAKE_OVER_SECONDS = 3600;
/** Milliseconds for which the broker keeps a question for the next event. A server of a cluster that is gone has forgotten it. */
const ASK_MS = 5000;
/** Longest pauses, milliseconds: between attempts at the broker, and before an event comes again that was not handled. */
const LAST_PAUSE_MS = 3000;
const LAST_RETRY_MS = 60_000;
/** Milliseconds that the broker may be away before there is a line about it. */
const GRACE_MS = 2000;

/**
 * A member of a group of programs that share the events of a stream: each event goes to one of them, and to another one if that one
 * is killed before it has handled it. Events that the members handle at the same time have no order between them, unless `inOrder` is set.
 */
export class EventGroup {
  readonly #settings: GroupSettings;
  readonly #concurrency: number;
  readonly #deps: EventGroupDependencies;
  readonly #logger: Logger;
  readonly #trouble: Trouble;
  readonly #pulls: RefusedPulls;
  readonly #stopping = new AbortController();
  /** Aborted when the connection is back: the broker may have forgotten what it was asked. */
  #session = new AbortController();
  #running: Promise<unknown> | undefined;
  /** Sequence after which lost messages have been told of. */
  #toldLost = 0;

  /** Throws RangeError for a prefix or a name of a stream that NATS does not take, and OptionError for another wrong option. */
  constructor(options: EventGroupOptions, dependencies: EventGroupDependencies) {
    checkOptions('EventGroup', options, OPTIONS);
    const names = eventNames(options);
    this.#settings = settingsOf(names, options);
    this.#concurrency = options.concurrency ?? 1;
    mustBeWithin('concurrency', this.#concurrency, MAX_CONCURRENCY);
    this.#deps = dependencies;
    this.#logger = dependencies.logger ?? stderrLogger();
    this.#pulls = new RefusedPulls(names);
    const who = `The group ${options.group} of ${this.#settings.stream}`;
    this.#trouble = new Trouble(
      {
        warning: (error) =>
          `${who} does not get on: ${reasonOf(error)}. It is tried again until it works (docs/operating/events.md).`,
        relief: `${who} gets on again.`,
        grace: GRACE_MS,
      },
      this.#logger,
    );
  }

  /** Begins to take events; resolves at once. */
  start(): Promise<void> {
    const members = Array.from({ length: this.#concurrency }, (_, i) => this.#loop(`member ${i}`));
    this.#running = Promise.all(members);
    void this.#watch();
    return Promise.resolve();
  }

  /** Takes no more events and finishes those under way. Others of the group get on meanwhile. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  /** The same as {@link EventGroup.stop}. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  #watch(): Promise<void> {
    const onReconnect = (): void => {
      const before = this.#session;
      this.#session = new AbortController();
      before.abort();
    };
    const taker = { pulls: this.#pulls, trouble: this.#trouble, onReconnect };
    return watchConnection(this.#deps.connection, this.#stopping.signal, taker);
  }

  /** Takes events one after the other until it is stopped, and begins anew after a failure. */
  async #loop(name: string): Promise<void> {
    const { signal } = this.#stopping;
    for (let failures = 0; !signal.aborted; failures++) {
      const startedAt = monotonicMilliseconds();
      try {
        await this.#take(name);
      } catch (error) {
        if (signal.aborted) return;
        this.#trouble.failed(name, error);
      }
      if (monotonicMilliseconds() - startedAt > LAST_PAUSE_MS) failures = 0;
      await delay(growingDelay(failures, LAST_PAUSE_MS), undefined, { signal }).catch(
        () => undefined,
      );
    }
  }

  async #take(name: string): Promise<void> {
    const signal = AbortSignal.any([this.#stopping.signal, this.#session.signal]);
    const { connection } = this.#deps;
    const { stream } = this.#settings;
    const { consumer, lost } = await groupConsumer(connection, this.#settings);
    this.#tellLost(lost);
    const manager = await jetstreamManager(connection, { checkAPI: false });
    this.#pulls.take(stream);
    const onSound = (): void => this.#trouble.worked(name);
    while (!signal.aborted) {
      // One at a time: what waits here would be kept from members that have nothing to do.
      const messages = await consumer.fetch({ max_messages: 1, expires: ASK_MS, ...ABORTS });
      await takeMessages(messages, (message) => this.#handle(message, manager), {
        signal,
        maxWaiting: 2,
        whyOver: async () => (await whyOver(consumer)) ?? this.#pulls.take(stream),
        onSound,
      });
      onSound();
    }
  }

  /** Rejects only when the connection is closed: nobody but the broker gives an event again. */
  async #handle(message: JsMsg, manager: JetStreamManager): Promise<void> {
    const working = setInterval(() => message.working(), this.#settings.takeOverMs / 3);
    try {
      const event = await this.#eventOf(message, manager);
      if (event === 'skipped') return;
      if (event !== undefined && !(await this.#isHandled(event, message))) return;
      await this.#confirm(message);
    } finally {
      clearInterval(working);
    }
  }

  /**
   * Resolves to the event of a message, and to undefined for a part that is not the last one. A message that is lost or malformed is that at
   * each delivery: no member gets it again, and the log is told. One that cannot be read for now comes again.
   */
  async #eventOf(
    message: JsMsg,
    manager: JetStreamManager,
  ): Promise<EventMessage | undefined | 'skipped'> {
    try {
      const event = await wholeMessage(manager, this.#settings.stream, message);
      this.#trouble.worked('message');
      return event;
    } catch (error) {
      const isLost = error instanceof TrimmedError;
      if (isLost || error instanceof DecodeError) {
        if (isLost) this.#warnOfLost(1);
        else this.#warnOfMalformed(message.seq, error);
        // Without a reason, which servers before 2.10 do not take: they would give the message again.
        message.term();
      } else {
        this.#trouble.failed('message', error);
        askAgain(message);
      }
      return 'skipped';
    }
  }

  /** Resolves to whether the handler did what it is for; otherwise asks the broker to give the event again. */
  async #isHandled(event: EventMessage, message: JsMsg): Promise<boolean> {
    const delivery = message.info.deliveryCount;
    try {
      await this.#deps.handle({ event, sequence: message.seq, delivery });
    } catch (error) {
      this.#trouble.failed('handler', error);
      askAgain(message);
      return false;
    }
    this.#trouble.worked('handler');
    return true;
  }

  /** Resolves once the broker knows. Without its answer the event may come again, after the time that a member has. */
  async #confirm(message: JsMsg): Promise<void> {
    try {
      await message.ackAck();
      this.#trouble.worked('confirmation');
    } catch (error) {
      this.#trouble.failed('confirmation', error);
    }
  }

  /** Tells the log how many messages were dropped, unless it knows. */
  #tellLost(count: number): void {
    if (count === 0 || count === this.#toldLost) return;
    this.#toldLost = count;
    this.#warnOfLost(count);
  }

  #warnOfLost(count: number): void {
    const { group, stream } = this.#settings;
    this.#logger.warn(
      `The stream ${stream} dropped up to ${count} messages before the group ${group} had handled them: it keeps too little, or the group is too slow (docs/operating/events.md).`,
    );
  }

  #warnOfMalformed(sequence: number, error: DecodeError): void {
    const { group, stream } = this.#settings;
    this.#logger.warn(
      `The group ${group} leaves out message ${sequence} of ${stream}, which is malformed: ${reasonOf(error)}. No node writes such messages: look who else may publish there (docs/operating/events.md).`,
    );
  }
}

/** Asks the broker to give a message to a member again, after a pause that grows. */
function askAgain(message: JsMsg): void {
  message.nak(growingDelay(message.info.deliveryCount - 1, LAST_RETRY_MS));
}

/** Returns what a group takes, and how. Throws OptionError. */
function settingsOf(names: EventNames, options: EventGroupOptions): GroupSettings {
  const { group, events = 'chain', begin = 'first', inOrder = false } = options;
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(group)) throw wrong('group', 'is no name of a group');
  if (events !== 'chain' && events !== 'pool') throw wrong('events', 'is neither chain nor pool');
  if (begin !== 'first' && begin !== 'new') throw wrong('begin', 'is neither first nor new');
  const { takeOverSeconds = 30 } = options;
  mustBeWithin('takeOverSeconds', takeOverSeconds, MAX_TAKE_OVER_SECONDS);
  return {
    stream: events === 'chain' ? names.chainStream : names.poolStream,
    subject: events === 'chain' ? names.chainSubject : names.poolSubjects,
    isLog: events === 'chain',
    ...{ group, begin, inOrder, takeOverMs: takeOverSeconds * 1000 },
  };
}

function mustBeWithin(option: string, value: number, most: number): void {
  if (!Number.isSafeInteger(value) || value < 1 || value > most) {
    throw wrong(option, `is no integer from 1 to ${most}`);
  }
}

function wrong(option: string, text: string): OptionError {
  return new OptionError('bad-option', `EventGroup: ${option} ${text}`, { option });
}
