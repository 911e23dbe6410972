import { DecodeError } from '@monero-node/codec';
import type { EntryFacts } from './entry-facts.ts';

/** Longest payload of a message, bytes. A quarter of what a NATS server takes by default. */
export const PART_BYTES = 262_144;

/** Most bytes that are put together from parts. */
const MAX_WHOLE_BYTES = 256 << 20;

/**
 * Cuts bytes into parts of at most `size` bytes; one part when there are none. The parts are views. Throws RangeError for a
 * size that is not a positive integer.
 */
export function cutIntoParts(bytes: Uint8Array, size: number): Uint8Array[] {
  if (!Number.isSafeInteger(size) || size < 1) throw new RangeError(`parts of ${size} bytes`);
  const parts: Uint8Array[] = [];
  for (let at = 0; at === 0 || at < bytes.length; at += size) {
    parts.push(bytes.subarray(at, at + size));
  }
  return parts;
}

/**
 * Joins the parts of messages. A message that was cut off, because the node that published it was killed, is published again
 * from its first part: that one drops what was kept.
 */
export class PartJoiner {
  #kept: Uint8Array[] = [];
  #bytes = 0;
  #id = '';

  /**
   * Returns the whole payload when this was the last part, else undefined. Throws DecodeError for a part that does not
   * follow the one before, and when there is more than a block can have.
   */
  add(facts: EntryFacts, payload: Uint8Array): Uint8Array | undefined {
    if (facts.part === 0) {
      this.#forget();
      this.#id = facts.id;
    } else if (facts.id !== this.#id || facts.part !== this.#kept.length) {
      throw new DecodeError(
        `part ${facts.part} of ${facts.parts} does not follow part ${this.#kept.length - 1}`,
      );
    }
    this.#kept.push(payload);
    this.#bytes += payload.length;
    if (this.#bytes > MAX_WHOLE_BYTES) {
      this.#forget();
      throw new DecodeError(`message of more than ${MAX_WHOLE_BYTES} bytes`);
    }
    if (facts.part + 1 < facts.parts) return undefined;
    const whole = this.#kept.length === 1 ? payload : Buffer.concat(this.#kept);
    this.#forget();
    return whole;
  }

  #forget(): void {
    this.#kept = [];
    this.#bytes = 0;
    this.#id = '';
  }
}
