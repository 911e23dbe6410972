/** The events of the stream, by the names that NATS messages have too. */
type EventName = 'position' | 'block.added' | 'block.removed' | 'pool.added' | 'pool.removed';

/** A block that a client of the stream has got, with all below it. */
export interface Position {
  readonly height: number;
  /** 64 hex digits. */
  readonly id: string;
}

/** A position is too long, or of another form. */
export class PositionError extends Error {
  override readonly name = 'PositionError';
}

const FORM = /^(\d{1,10})(?:-([0-9a-f]{64}))?$/;
/** Longest position, characters. */
const MAX_LENGTH = 10 + 1 + 64;

/**
 * Reads a position as clients send it: `HEIGHT-ID`, or `HEIGHT` for the block that the node has there, for which `id` is undefined.
 *
 * Throws PositionError for another text.
 */
export function readPosition(text: string): { height: number; id: string | undefined } {
  const [, height = '', id] = (text.length <= MAX_LENGTH ? FORM.exec(text) : null) ?? [];
  if (height === '') throw new PositionError('HEIGHT or HEIGHT-ID expected');
  return { height: Number(height), id };
}

/**
 * Returns an event as it is sent, UTF-8.
 *
 * @param position what the client has got with it; undefined for an event that is no block
 */
export function eventMessage(
  name: EventName,
  data: Readonly<Record<string, string | number>>,
  position?: Position,
): Uint8Array {
  const id = position === undefined ? '' : `id: ${position.height}-${position.id}\n`;
  return Buffer.from(`${id}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
}
