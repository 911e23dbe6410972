import { RpcAnswerError } from '../errors.ts';
import { Failure } from '../failure.ts';

/** An event of the stream of a node. */
export interface ServerEvent {
  /** `position`, `block.added`, `block.removed`, `pool.added` or `pool.removed`; a newer node may have others. */
  readonly name: string;
  /** The fields; numbers of 64 bits and more are decimal texts. */
  readonly data: Readonly<Record<string, unknown>>;
  /** The block that you have with it, `HEIGHT-ID`: what to go on after. Undefined for an event of the pool. */
  readonly position: string | undefined;
}

/** What to go on after: `HEIGHT` or `HEIGHT-ID`, the latter in an event. It becomes part of a URL, and of the header of a login. */
export const EVENT_POSITION = /^\d{1,10}(-[0-9a-f]{64})?$/;
/** Longest event, characters. Those of a node have a few hundred. */
const MOST_CHARACTERS = 65_536;

/**
 * Takes server-sent events apart, whose bytes come in pieces of any length. Source: https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export class EventLines {
  readonly #decoder = new TextDecoder();
  /** What has come of the present line, and how many characters the present event has. */
  #line = '';
  #length = 0;
  #wasReturn = false;
  #name = '';
  #data: string[] = [];
  #position: string | undefined;

  /**
   * Yields the events that end in these bytes. Throws Failure for an event that is too long, and RpcAnswerError for one that is no JSON
   * object or whose position has another form.
   */
  *take(bytes: Uint8Array): Generator<ServerEvent, void> {
    const text = this.#decoder.decode(bytes, { stream: true });
    let from = 0;
    // A line ends with CR, LF or both.
    for (let at = 0; at < text.length; at++) {
      const character = text[at];
      if (character !== '\n' && character !== '\r') continue;
      const isSecond = character === '\n' && this.#wasReturn && at === from && this.#line === '';
      this.#wasReturn = character === '\r';
      if (!isSecond) {
        const event = this.#end(this.#line + text.slice(from, at));
        if (event !== undefined) yield event;
      }
      this.#line = '';
      from = at + 1;
    }
    if (from < text.length) this.#wasReturn = false;
    this.#line += text.slice(from);
    if (this.#length + this.#line.length > MOST_CHARACTERS) throw tooLong();
  }

  /** Takes a line. Returns the event that it ends. */
  #end(line: string): ServerEvent | undefined {
    if (line === '') return this.#event();
    this.#length += line.length;
    if (this.#length > MOST_CHARACTERS) throw tooLong();
    const colon = line.indexOf(':');
    // A comment; nothing of it is kept.
    if (colon === 0) {
      this.#length -= line.length;
      return undefined;
    }
    const [field, value] =
      colon < 0 ? [line, ''] : [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')];
    if (field === 'event') this.#name = value;
    else if (field === 'data') this.#data.push(value);
    else if (field === 'id') this.#position = value;
    return undefined;
  }

  #event(): ServerEvent | undefined {
    const [name, data, position] = [this.#name, this.#data.join('\n'), this.#position];
    this.#length = 0;
    this.#name = '';
    this.#data = [];
    this.#position = undefined;
    // Without data there is no event: so is the first message, which says how soon to come back.
    if (data === '') return undefined;
    if (position !== undefined && !EVENT_POSITION.test(position)) {
      throw new RpcAnswerError('an event with a position that is none');
    }
    return { name, data: fieldsOf(data), position };
  }
}

function fieldsOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // Said below.
  }
  throw new RpcAnswerError('an event that is no JSON object');
}

const tooLong = (): Failure =>
  new Failure('too-large', `an event of more than ${MOST_CHARACTERS} characters`);
