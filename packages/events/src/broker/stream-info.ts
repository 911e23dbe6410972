import { DecodeError } from '@monero-node/codec';
import type { NatsConnection } from '@nats-io/transport-node';

/** Milliseconds that a server has for an answer, and longest answer, bytes. */
const TIMEOUT_MS = 5000;
const MAX_ANSWER_BYTES = 65_536;

const NO_STREAM = 10059;

/** Sequences of the messages of a stream. */
export interface StreamInfo {
  readonly firstSequence: number;
  readonly lastSequence: number;
}

/**
 * Asks a server about a stream; resolves to undefined when there is none. Rejects with DecodeError for an answer of another
 * kind, with the server's refusal, and with errors of the connection. The call of the client library asks again for as long as
 * the server says that there is more.
 * Source: $JS.API.STREAM.INFO in the reference of JetStream
 */
export async function streamInfo(
  connection: Pick<NatsConnection, 'request'>,
  stream: string,
): Promise<StreamInfo | undefined> {
  const { data } = await connection.request(`$JS.API.STREAM.INFO.${stream}`, undefined, {
    timeout: TIMEOUT_MS,
  });
  const { error, state } = read(data);
  if (error !== undefined) {
    const { err_code: code, description } = error as { err_code?: unknown; description?: unknown };
    if (code === NO_STREAM) return undefined;
    throw new Error(
      `the server refuses to tell about ${stream}: ${String(description).slice(0, 200)}`,
    );
  }
  const { first_seq: first, last_seq: last } = (state ?? {}) as Record<string, unknown>;
  if (!isSequence(first) || !isSequence(last)) {
    throw new DecodeError('answer about a stream without valid sequences');
  }
  return { firstSequence: first, lastSequence: last };
}

function read(data: Uint8Array): { readonly error?: object; readonly state?: object } {
  if (data.length > MAX_ANSWER_BYTES) throw new DecodeError('long answer about a stream');
  let answer: unknown;
  try {
    answer = JSON.parse(new TextDecoder().decode(data));
  } catch {
    throw new DecodeError('answer about a stream that is not JSON');
  }
  const { error, state } = (answer ?? {}) as Record<string, unknown>;
  if (typeof error === 'object' && error !== null) return { error };
  return typeof state === 'object' && state !== null ? { state } : {};
}

function isSequence(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
