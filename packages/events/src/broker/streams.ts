import { JetStreamApiError, type JetStreamManager, type StoredMsg } from '@nats-io/jetstream';
import { nanos, type NatsConnection } from '@nats-io/transport-node';
import type { EventNames } from './names.ts';
import { readEntryHeaders, tipAfter, tipBefore, type StreamTip } from './entry-facts.ts';
import { streamInfo } from './stream-info.ts';

const DAY_MS = 86_400_000;
/** How long the server remembers ids of messages, milliseconds. */
const DUPLICATE_WINDOW_MS = 120_000;
/** A transaction waits for at most seven days; an entry that nobody has removed goes after eight. */
const POOL_DAYS = 8;

const NO_MESSAGE = 10037;
const NAME_IN_USE = 10058;
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
  /** The newest block; undefined for a stream without messages. */
  readonly tip: StreamTip | undefined;
}

/** Makes the two streams of a chain where they are missing. Existing ones keep their settings. */
export async function makeStreams(
  broker: Broker,
  names: EventNames,
  { keepDays }: { readonly keepDays: number },
): Promise<void> {
  await makeStream(broker, {
    name: names.chainStream,
    subjects: [names.chainSubject],
    max_age: nanos(keepDays * DAY_MS),
    duplicate_window: nanos(DUPLICATE_WINDOW_MS),
  });
  await makeStream(broker, {
    name: names.poolStream,
    subjects: [names.poolSubjects, names.countersSubject],
    max_age: nanos(POOL_DAYS * DAY_MS),
    max_msgs_per_subject: 1,
    duplicate_window: nanos(DUPLICATE_WINDOW_MS),
  });
}

async function makeStream(
  { connection, manager }: Broker,
  config: Parameters<JetStreamManager['streams']['add']>[0],
): Promise<void> {
  if ((await streamInfo(connection, config.name)) !== undefined) return;
  try {
    await manager.streams.add(config);
  } catch (error) {
    // Another node may have made it in this moment.
    if (!hasCode(error, NAME_IN_USE)) throw error;
  }
}

/** Returns the state of the chain's stream; undefined when there is no such stream. Throws DecodeError for foreign messages. */
export async function chainStreamState(
  { connection, manager }: Broker,
  { chainStream, chainSubject }: Pick<EventNames, 'chainStream' | 'chainSubject'>,
): Promise<ChainStreamState | undefined> {
  const info = await streamInfo(connection, chainStream);
  if (info === undefined) return undefined;
  const last = await lastMessage(manager, chainStream, chainSubject);
  if (last === undefined) {
    const { lastSequence } = info;
    return { firstSequence: lastSequence + 1, lastSequence, tip: undefined };
  }
  const facts = readEntryHeaders(last.header);
  const isWhole = facts.part + 1 === facts.parts;
  return {
    firstSequence: info.firstSequence,
    lastSequence: last.seq,
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

async function found(message: Promise<StoredMsg | null>): Promise<StoredMsg | undefined> {
  try {
    return (await message) ?? undefined;
  } catch (error) {
    if (hasCode(error, NO_MESSAGE)) return undefined;
    throw error;
  }
}

function hasCode(error: unknown, code: number): boolean {
  return error instanceof JetStreamApiError && error.code === code;
}
