import type { JetStreamManager, JsMsg } from '@nats-io/jetstream';
import { readEncoding, readEntryHeaders } from '../broker/entry-facts.ts';
import { PartJoiner } from '../broker/payload-parts.ts';
import { messageAt } from '../broker/streams.ts';
import { decodeEvent } from '../encoding/encoding.ts';
import type { EventMessage } from '../messages/tables.ts';

/** Parts of a message are not in the stream any more. */
export class TrimmedError extends Error {
  override readonly name = 'TrimmedError';
}

/**
 * Resolves to the event of a message of either stream. One that came in parts is that of its last part: the others, which may have
 * gone to other members of a group, are read from the stream. Resolves to undefined for an earlier part. Rejects with TrimmedError
 * when the stream has dropped an earlier part, with DecodeError for what is malformed, and with errors of the broker.
 */
export async function wholeMessage(
  manager: JetStreamManager,
  stream: string,
  message: JsMsg,
): Promise<EventMessage | undefined> {
  const type = message.headers?.get('Monero-Type') ?? '';
  if (!type.startsWith('block.')) {
    return decodeEvent(message.data, type, readEncoding(message.headers));
  }
  const facts = readEntryHeaders(message.headers);
  if (facts.part + 1 < facts.parts) return undefined;
  const joiner = new PartJoiner();
  // The parts of a message follow each other: nothing else is stored between them.
  for (let part = 0; part < facts.part; part++) {
    const earlier = await messageAt(manager, stream, message.seq - facts.part + part);
    if (earlier === undefined) throw new TrimmedError(`part ${part} of block ${facts.height}`);
    joiner.add(readEntryHeaders(earlier.header), earlier.data);
  }
  const payload = joiner.add(facts, message.data);
  return payload && decodeEvent(payload, facts.type, facts.encoding);
}
