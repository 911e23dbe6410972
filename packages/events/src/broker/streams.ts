import {
  JetStreamApiError,
  type JetStreamManager,
  type StoredMsg,
  type StreamConfig,
} from '@nats-io/jetstream';
import { InvalidArgumentError, nanos, type NatsConnection } from '@nats-io/transport-node';
import type { EventNames } from './names.ts';
import { readEntryHeaders, tipAfter, tipBefore, type StreamTip } from './entry-facts.ts';
import { checkFit, checkTakesParts, UnfitStreamError } from './fit-stream.ts';
import { streamInfo, streamNames, type StreamInfo } from './stream-info.ts';

const DAY_MS = 86_400_000;
/** How long the server remembers ids of messages, milliseconds. */
const DUPLICATE_WINDOW_MS = 120_000;
/** A transaction waits for at most seven days; an entry that nobody has removed goes after eight. */
const POOL_DAYS = 8;

const NO_MESSAGE = 10037;
const NAME_IN_USE = 10058;
const TOO_LONG = 10054;
const SUBJECT_IN_USE = 10065;
const NO_CLUSTER = 10074;
/** The codes of a message that does not follow the one that it was to follow. */
const WRONG_LAST = [10071, 10164];

/** A connection, and the client of JetStream on it. */
export interface Broker {
  readonly connection: Pick<NatsConnection, 'request'>;
  readonly manager: JetStreamManager;
}

/** The state of the chain's stream. */
export interface ChainStreamState {
  /** Sequence of the oldest message; one above `lastSequence` when there is none. */
  readonly firstSequence: number;
  readonly lastSequence: number;
  /** Longest message with its headers, bytes; undefined when the stream has no limit. */
  readonly maxMessageBytes: number | undefined;
  /** The newest block; undefined for a stream without messages. */
  readonly tip: StreamTip | undefined;
}

/** A stream as it is. */
export interface MadeStream {
  readonly info: StreamInfo;
  /** Whether it was missing. */
  readonly isNew: boolean;
}

/**
 * Makes the stream of a chain if it is missing. An existing one keeps its settings. Rejects with UnfitStreamError when it cannot
 * hold blocks, and with errors of the broker.
 */
export async function makeChainStream(
  broker: Broker,
  { chainStream, chainSubject }: EventNames,
  { keepDays, replicas }: { readonly keepDays: number; readonly replicas?: number },
): Promise<MadeStream> {
  const made = await makeStream(broker, {
    name: chainStream,
    subjects: [chainSubject],
    max_age: nanos(keepDays * DAY_MS),
    ...(replicas !== undefined && { num_replicas: replicas }),
    duplicate_window: nanos(DUPLICATE_WINDOW_MS),
  });
  checkTakesParts(chainStream, made.info.settings);
  return made;
}

/** Makes the stream of the pool, as `makeChainStream` does that of the chain. */
export function makePoolStream(
  broker: Broker,
  { poolStream, poolSubjects, countersSubject }: EventNames,
  { replicas }: { readonly replicas?: number },
): Promise<MadeStream> {
  return makeStream(broker, {
    name: poolStream,
    subjects: [poolSubjects, countersSubject],
    max_age: nanos(POOL_DAYS * DAY_MS),
    max_msgs_per_subject: 1,
    ...(replicas !== undefined && { num_replicas: replicas }),
  });
}

async function makeStream(
  { connection, manager }: Broker,
  config: { readonly name: string; readonly subjects: string[] } & Partial<StreamConfig>,
): Promise<MadeStream> {
  const { name, subjects } = config;
  const before = await streamInfo(connection, name);
  if (before === undefined) await addStream({ connection, manager }, config);
  const info = before ?? (await streamInfo(connection, name));
  if (info === undefined) throw new Error(`the stream ${name} is gone again`);
  checkFit(name, info.settings, subjects);
  return { info, isNew: before === undefined };
}

async function addStream(
  { connection, manager }: Broker,
  config: { readonly name: string; readonly subjects: string[] } & Partial<StreamConfig>,
): Promise<void> {
  try {
    await manager.streams.add(config);
  } catch (error) {
    // Another node may have made it in this moment.
    if (hasCode(error, NAME_IN_USE)) return;
    if (hasCode(error, NO_CLUSTER)) {
      throw new UnfitStreamError(
        `the stream ${config.name} cannot be made with ${config.num_replicas} replicas by a server without a cluster`,
        'Name the servers of a cluster with --events, or leave out --events-replicas',
      );
    }
    if (!hasCode(error, SUBJECT_IN_USE)) throw error;
    const others: string[] = [];
    for (const subject of config.subjects) others.push(...(await streamNames(connection, subject)));
    throw new UnfitStreamError(
      `the stream ${config.name} cannot be made: ${others[0] ?? 'another stream'} takes the subject ${config.subjects[0]}`,
      'Choose the name of that stream with --events-stream, or other subjects with --events-prefix',
    );
  }
}

/** Resolves to an error that says which streams there are instead of one that is missing. */
export async function missingStream(
  connection: Broker['connection'],
  stream: string,
): Promise<Error> {
  const others = (await streamNames(connection)).filter((name) => name !== stream);
  const found = others.length === 0 ? 'none that this login may see' : others.join(', ');
  return new Error(
    `the broker has no stream ${stream}, but ${found}; is it the right network, and does a node publish there?`,
  );
}

/** Returns the state of the chain's stream; undefined when there is no such stream. Throws DecodeError for foreign messages. */
export async function chainStreamState(
  { connection, manager }: Broker,
  { chainStream, chainSubject }: Pick<EventNames, 'chainStream' | 'chainSubject'>,
): Promise<ChainStreamState | undefined> {
  const info = await streamInfo(connection, chainStream);
  if (info === undefined) return undefined;
  const { maxMessageBytes } = info.settings;
  const last = await lastMessage(manager, chainStream, chainSubject);
  if (last === undefined) {
    const { lastSequence } = info;
    return { firstSequence: lastSequence + 1, lastSequence, maxMessageBytes, tip: undefined };
  }
  const facts = readEntryHeaders(last.header);
  const isWhole = facts.part + 1 === facts.parts;
  return {
    firstSequence: info.firstSequence,
    lastSequence: last.seq,
    maxMessageBytes,
    tip: isWhole ? tipAfter(facts) : tipBefore(facts),
  };
}

/** Returns the message with a sequence; undefined when there is none any more. */
export async function messageAt(
  manager: JetStreamManager,
  stream: string,
  sequence: number,
): Promise<StoredMsg | undefined> {
  return found(manager.streams.getMessage(stream, { seq: sequence }));
}

/** Returns the newest message on a subject. */
export async function lastMessage(
  manager: JetStreamManager,
  stream: string,
  subject: string,
): Promise<StoredMsg | undefined> {
  return found(manager.streams.getMessage(stream, { last_by_subj: subject }));
}

/** Returns whether a server refused a message because the stream had gone on meanwhile. */
export function isWrongLast(error: unknown): boolean {
  return WRONG_LAST.some((code) => hasCode(error, code));
}

/** Returns whether a message is longer than the stream takes, or than the client library sends to this server. */
export function isTooLong(error: unknown): boolean {
  return hasCode(error, TOO_LONG) || exceedsPayload(error);
}

/** Returns whether the client library refused a message because it is longer than the server takes. */
export function exceedsPayload(error: unknown): boolean {
  return error instanceof InvalidArgumentError && error.message.includes('max_payload');
}

async function found(message: Promise<StoredMsg | null>): Promise<StoredMsg | undefined> {
  try {
    return (await message) ?? undefined;
  } catch (error) {
    if (hasCode(error, NO_MESSAGE)) return undefined;
    throw error;
  }
}

/** Returns whether a server refused something with a code of JetStream. */
export function hasCode(error: unknown, code: number): boolean {
  return error instanceof JetStreamApiError && error.code === code;
}
