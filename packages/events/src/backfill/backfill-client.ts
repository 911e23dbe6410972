import { DecodeError } from '@monero-node/codec';
import type { MsgHdrs, NatsConnection } from '@nats-io/transport-node';
import { MAX_PARTS, readEncoding } from '../broker/entry-facts.ts';
import { decodeEvent } from '../encoding/encoding.ts';
import type { EventBlock } from '../messages/block-table.ts';
import { encodeBackfillRequest, type BackfillRequest } from './protocol.ts';

/** Milliseconds that a node has for an answer. */
const TIMEOUT_MS = 30_000;
/** Longest block that is put together from parts, bytes. */
const MAX_BLOCK_BYTES = 256 << 20;

/** A node could not answer a request for older blocks; another time it may. */
export class BackfillError extends Error {
  override readonly name = 'BackfillError';
  /** What the node said; `bad-answer` for blocks that were not asked for. */
  readonly code: string;

  constructor(message: string, code = 'bad-answer') {
    super(message);
    this.code = code;
  }
}

type Range = Pick<BackfillRequest, 'from' | 'to'>;

/**
 * Resolves to blocks of the main chain, in order, beginning with `from`: at least one, as many as fit in an answer. Rejects
 * with BackfillError when a node refuses, with DecodeError for a malformed answer, and with errors of the connection.
 */
export async function requestBlocks(
  connection: NatsConnection,
  subject: string,
  range: Range,
): Promise<EventBlock[]> {
  const first = await ask(connection, subject, { version: 1, ...range });
  const encoding = readEncoding(first.headers);
  const parts = Number(first.headers?.get('Monero-Parts') ?? 1);
  if (parts > MAX_PARTS) throw new DecodeError(`answer of ${parts} parts`);
  const payloads =
    parts > 1
      ? [await remainingParts({ connection, subject, range, parts }, first.data)]
      : split(first.data, first.headers?.get('Monero-Lengths') ?? '');
  return payloads.map((payload) => {
    const message = decodeEvent(payload, 'block.added', encoding);
    if (message.type !== 'block.added') throw new DecodeError('answer without a block');
    return message.block;
  });
}

interface Answer {
  readonly headers?: MsgHdrs | undefined;
  readonly data: Uint8Array;
}

async function ask(
  connection: NatsConnection,
  subject: string,
  request: BackfillRequest,
): Promise<Answer> {
  const answer = await connection.request(subject, encodeBackfillRequest(request), {
    timeout: TIMEOUT_MS,
  });
  const failure = answer.headers?.get('Monero-Error') ?? '';
  if (failure !== '')
    throw new BackfillError(`a node cannot send older blocks: ${failure}`, failure);
  return answer;
}

async function remainingParts(
  wanted: {
    readonly connection: NatsConnection;
    readonly subject: string;
    readonly range: Range;
    readonly parts: number;
  },
  first: Uint8Array,
): Promise<Uint8Array> {
  const { connection, subject, range, parts } = wanted;
  const pieces = [first];
  let bytes = first.length;
  for (let part = 1; part < parts; part++) {
    const { data } = await ask(connection, subject, { version: 1, ...range, part });
    bytes += data.length;
    if (bytes > MAX_BLOCK_BYTES) throw new DecodeError('block of too many parts');
    pieces.push(data);
  }
  return Buffer.concat(pieces);
}

function split(data: Uint8Array, lengths: string): Uint8Array[] {
  const payloads: Uint8Array[] = [];
  let at = 0;
  for (const text of lengths.split(',')) {
    const length = Number(text);
    if (!/^\d{1,9}$/.test(text) || at + length > data.length) {
      throw new DecodeError('answer of other lengths');
    }
    payloads.push(data.subarray(at, at + length));
    at += length;
  }
  return payloads;
}
