import { DecodeError } from '@monero-node/codec';
import { JetStreamApiError } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { withoutControls } from '../without-controls.ts';

/** Milliseconds that a server has for an answer, and longest answer, bytes. */
const TIMEOUT_MS = 5000;
const MAX_ANSWER_BYTES = 65_536;
const MAX_REASON_LENGTH = 200;
const MAX_NAME_LENGTH = 256;

/** The code of JetStream for a stream that is not there. */
export const NO_STREAM = 10059;

/** What a server tells of a stream. */
export interface StreamInfo {
  readonly firstSequence: number;
  readonly lastSequence: number;
  readonly messages: number;
  /** When it was made, as the server writes it: tells a stream from one of the same name that was deleted. */
  readonly created: string;
  /** The server of a cluster that takes the messages; undefined without a cluster, and in an election. */
  readonly leader: string | undefined;
  readonly settings: StreamSettings;
}

/** The settings of a stream that decide whether it can hold events. */
export interface StreamSettings {
  readonly subjects: readonly string[];
  /** `limits`, `interest` or `workqueue`. */
  readonly retention: string;
  /** Longest message with its headers, bytes; undefined when it has no limit of its own. */
  readonly maxMessageBytes: number | undefined;
  /** Whether the server says nothing when it has stored a message. */
  readonly isSilent: boolean;
  /** Whether nothing can be added any more. */
  readonly isSealed: boolean;
}

/**
 * Asks a server about a stream; resolves to undefined when there is none. Rejects with DecodeError for an answer of another
 * kind, with JetStreamApiError when the server refuses, and with errors of the connection. The call of the client library asks
 * again for as long as the server says that there is more.
 * Source: $JS.API.STREAM.INFO in the reference of JetStream
 */
export async function streamInfo(
  connection: Pick<NatsConnection, 'request'>,
  stream: string,
): Promise<StreamInfo | undefined> {
  const answer = await askServer(connection, `STREAM.INFO.${stream}`);
  const { error, state, config, created, cluster } = answer;
  if (error !== undefined) {
    const refusal = refusalOf(error);
    if (refusal.code === NO_STREAM) return undefined;
    throw refusal;
  }
  const { first_seq: first, last_seq: last, messages = 0 } = objectOf(state);
  if (!isCount(first) || !isCount(last) || !isCount(messages)) {
    throw new DecodeError('answer about a stream without valid sequences');
  }
  const { leader } = objectOf(cluster);
  return {
    firstSequence: first,
    lastSequence: last,
    messages,
    created: typeof created === 'string' ? created.slice(0, 64) : '',
    leader:
      typeof leader === 'string' && leader !== '' ? leader.slice(0, MAX_NAME_LENGTH) : undefined,
    settings: settingsOf(objectOf(config)),
  };
}

/**
 * Resolves to the names of the first streams of a server, those that take a subject if one is given; to none when the server does
 * not tell.
 * Source: $JS.API.STREAM.NAMES in the reference of JetStream
 */
export async function streamNames(
  connection: Pick<NatsConnection, 'request'>,
  subject?: string,
): Promise<string[]> {
  const question = subject === undefined ? undefined : JSON.stringify({ subject });
  const answer = await askServer(connection, 'STREAM.NAMES', question).catch(() => undefined);
  return textsOf(answer?.['streams']).slice(0, 8);
}

async function askServer(
  connection: Pick<NatsConnection, 'request'>,
  call: string,
  question?: string,
): Promise<Record<string, unknown>> {
  const { data } = await connection.request(`$JS.API.${call}`, question, { timeout: TIMEOUT_MS });
  if (data.length > MAX_ANSWER_BYTES) throw new DecodeError('long answer about a stream');
  try {
    return objectOf(JSON.parse(new TextDecoder().decode(data)));
  } catch {
    throw new DecodeError('answer about a stream that is not JSON');
  }
}

function refusalOf(error: unknown): JetStreamApiError {
  const { code, err_code: kind, description } = objectOf(error);
  return new JetStreamApiError({
    code: Number(code),
    err_code: Number(kind),
    description: withoutControls(String(description).slice(0, MAX_REASON_LENGTH)),
  });
}

function settingsOf(config: Record<string, unknown>): StreamSettings {
  const { max_msg_size: size, no_ack: isSilent, sealed: isSealed } = config;
  const { retention = 'limits', subjects } = config;
  return {
    subjects: textsOf(subjects),
    retention: withoutControls(String(retention).slice(0, 32)),
    maxMessageBytes: isCount(size) && size > 0 ? size : undefined,
    isSilent: isSilent === true,
    isSealed: isSealed === true,
  };
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function textsOf(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value
    .filter((text): text is string => typeof text === 'string' && text.length <= MAX_NAME_LENGTH)
    .map(withoutControls);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
