/**
 * Fields of an `Authorization: Digest …` header as they were sent; `nc` and `response` are hex. Absent ones are
 * empty.
 */
export interface DigestFields {
  algorithm: string;
  cnonce: string;
  domain: string;
  nc: string;
  nonce: string;
  opaque: string;
  qop: string;
  realm: string;
  response: string;
  stale: string;
  uri: string;
  username: string;
}

type FieldName = keyof DigestFields;

const SPACE = '[ \\t\\n\\v\\f\\r]*';
/** A backslash keeps a quote from ending the string; it is not removed. Never empty, and ASCII only. */
// eslint-disable-next-line no-control-regex -- every ASCII character is allowed
const QUOTED = /"((?:\\"|\\(?!")|[\x00-\x21\x23-\x5b\x5d-\x7f])+)"/y;
const TOKEN = /[!#$%&'*+.\-\w^`|~]+/y;
const COUNT = /[0-9a-f]{8}/iy;
const HEX = /"((?:[0-9a-f]{2})+)"/iy;
const SCHEME = new RegExp(`${SPACE}digest${SPACE}`, 'iy');
const COMMA = new RegExp(`,${SPACE}`, 'y');
const SPACES = new RegExp(SPACE, 'y');

/** How each field's value is written, alternatives in order. */
const VALUES: Readonly<Record<FieldName, readonly RegExp[]>> = {
  algorithm: [TOKEN, QUOTED],
  cnonce: [QUOTED],
  domain: [QUOTED],
  nc: [COUNT],
  nonce: [QUOTED],
  opaque: [QUOTED],
  qop: [TOKEN, QUOTED],
  realm: [QUOTED],
  response: [HEX],
  stale: [TOKEN, QUOTED],
  uri: [QUOTED],
  username: [QUOTED],
};
const NAME = new RegExp(`(${Object.keys(VALUES).join('|')})${SPACE}=${SPACE}`, 'iy');

/** Reads at a moving position. */
class Cursor {
  readonly #text: string;
  #position = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get atEnd(): boolean {
    return this.#position === this.#text.length;
  }

  /**
   * Returns the first capture of the pattern at this place, or the whole match; undefined, without moving, when it
   * does not match.
   */
  take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#position;
    const match = pattern.exec(this.#text);
    if (match === null) return undefined;
    this.#position = pattern.lastIndex;
    return match[1] ?? match[0];
  }
}

/**
 * Reads the value of an `Authorization` header, one character per byte; undefined when it is no digest login as
 * monerod reads it (contrib/epee/src/http_auth.cpp): known fields only, at least one, separated by single commas, of
 * repeated ones the last counts.
 */
export function parseAuthorization(header: string): DigestFields | undefined {
  const fields = emptyFields();
  const cursor = new Cursor(header);
  if (cursor.take(SCHEME) === undefined) return undefined;
  do {
    const name = cursor.take(NAME)?.toLowerCase() as FieldName | undefined;
    if (name === undefined) return undefined;
    const value = takeFirst(cursor, VALUES[name]);
    if (value === undefined) return undefined;
    fields[name] = value;
    cursor.take(SPACES);
  } while (cursor.take(COMMA) !== undefined);
  return cursor.atEnd ? fields : undefined;
}

function takeFirst(cursor: Cursor, patterns: readonly RegExp[]): string | undefined {
  for (const pattern of patterns) {
    const value = cursor.take(pattern);
    if (value !== undefined) return value;
  }
  return undefined;
}

function emptyFields(): DigestFields {
  return {
    algorithm: '',
    cnonce: '',
    domain: '',
    nc: '',
    nonce: '',
    opaque: '',
    qop: '',
    realm: '',
    response: '',
    stale: '',
    uri: '',
    username: '',
  };
}
