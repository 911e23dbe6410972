import { BYTE, JsonScanner } from './json-scanner.ts';
import { WireDouble, type WireArray, type WireObject, type WireValue } from './value.ts';

const MAX_DEPTH = 100;
/** More than any useful request of 1 MiB holds; monerod has no such limit. */
const MAX_OBJECTS = 65_536;
/** Members and array items that one step reads: well below a millisecond. */
const VALUES_PER_STEP = 512;

/**
 * Reads a JSON object as epee does: a body of white space is an empty object; a document that just
 * ends inside an object, text after the object and a comma before the closing brace are accepted; words are
 * case-insensitive; nulls and empty arrays are left out; of equal keys the last wins, two objects of one name are
 * merged. Refused: anything but an object at the top, arrays in arrays, arrays of mixed kinds, integers beyond 64
 * bits, depth over 100. Strings without escapes are views of `body`.
 *
 * @throws JsonParseError
 */
export function parseWireJson(body: Uint8Array): WireObject {
  const parser = new Parser(body);
  while (!parser.advance(VALUES_PER_STEP));
  return parser.root;
}

/**
 * Reads the same in steps, so that the caller can let other work run between them: a body of 1 MiB may hold half a
 * million values.
 *
 * @throws JsonParseError
 */
export function* parseWireJsonSteps(body: Uint8Array): Generator<undefined, WireObject> {
  const parser = new Parser(body);
  while (!parser.advance(VALUES_PER_STEP)) yield undefined;
  return parser.root;
}

/** An object or array whose end has not been read yet. */
interface OpenSection {
  readonly section: WireObject;
  readonly depth: number;
  /** A value was read, so that a comma or the end must follow. */
  separated: boolean;
}

interface OpenArray {
  readonly items: WireArray;
  /** The kind of its items; undefined before the first. */
  kind: string | undefined;
  /** Where the array goes with its first item: an empty one counts as absent. */
  readonly owner: WireObject;
  readonly name: string;
  readonly depth: number;
  separated: boolean;
}

/** Keeps what is open on a stack of its own, so that it can stop after any value. */
class Parser {
  readonly root: WireObject = new Map();
  readonly #scanner: JsonScanner;
  readonly #open: (OpenSection | OpenArray)[] = [];
  #objects = 0;
  #begun = false;

  constructor(bytes: Uint8Array) {
    this.#scanner = new JsonScanner(bytes);
  }

  /** Reads up to `most` values; returns whether the document has ended, be it in the middle of an object. */
  advance(most: number): boolean {
    if (!this.#begun && !this.#begin()) return true;
    for (let i = 0; i < most; i++) {
      const top = this.#open.at(-1);
      if (top === undefined) return true;
      if (!('section' in top ? this.#member(top) : this.#item(top))) return true;
    }
    return false;
  }

  #begin(): boolean {
    this.#begun = true;
    const c = this.#scanner.skipSpace();
    if (c === undefined) return false;
    if (c !== BYTE.openBrace) throw this.#scanner.error('not an object');
    this.#openSection(this.root, 0);
    return true;
  }

  #openSection(section: WireObject, depth: number): void {
    if (depth >= MAX_DEPTH) throw this.#scanner.error('too deep');
    if (++this.#objects > MAX_OBJECTS) throw this.#scanner.error('too many objects');
    this.#scanner.advance();
    this.#open.push({ section, depth, separated: false });
  }

  /** Reads one member, or the end of the object; returns false at the end of the document. */
  #member(top: OpenSection): boolean {
    const scanner = this.#scanner;
    let c = scanner.skipSpace();
    if (c === BYTE.comma && top.separated) {
      scanner.advance();
      c = scanner.skipSpace();
    } else if (top.separated && c !== undefined && c !== BYTE.closeBrace) {
      throw scanner.error('expected a comma');
    }
    top.separated = true;
    if (c === undefined) return false;
    if (c === BYTE.closeBrace) {
      scanner.advance();
      this.#open.pop();
      return true;
    }
    if (c !== BYTE.quote) throw scanner.error('expected a name');
    const name = scanner.name();
    c = scanner.skipSpace();
    if (c === undefined) return false;
    if (c !== BYTE.colon) throw scanner.error('expected a colon');
    scanner.advance();
    c = scanner.skipSpace();
    if (c === undefined) return false;
    this.#value(top, name, c);
    return true;
  }

  #value({ section, depth }: OpenSection, name: string, c: number): void {
    if (c === BYTE.openBrace) {
      const present = section.get(name);
      const inner: WireObject = present instanceof Map ? present : new Map();
      section.set(name, inner);
      this.#openSection(inner, depth + 1);
    } else if (c === BYTE.openBracket) {
      this.#scanner.advance();
      const place = { owner: section, name, depth };
      this.#open.push({ items: [], kind: undefined, ...place, separated: false });
    } else {
      const value = this.#scanner.scalar(c);
      if (value !== undefined) section.set(name, value);
    }
  }

  /** Reads one item, or the end of the array; returns false at the end of the document. */
  #item(top: OpenArray): boolean {
    const scanner = this.#scanner;
    let c = scanner.skipSpace();
    if (c === undefined) return false;
    if (c === BYTE.closeBracket && (top.separated || top.kind === undefined)) {
      scanner.advance();
      this.#open.pop();
      return true;
    }
    if (top.separated) {
      if (c !== BYTE.comma) throw scanner.error('expected a comma');
      scanner.advance();
      c = scanner.skipSpace();
      // As with objects, a document that ends here is accepted.
      if (c === undefined) return false;
    }
    top.separated = true;
    this.#add(top, c);
    return true;
  }

  #add(top: OpenArray, c: number): void {
    const inner: WireObject | undefined = c === BYTE.openBrace ? new Map() : undefined;
    const value = inner ?? (c === BYTE.openBracket ? undefined : this.#scanner.scalar(c));
    if (value === undefined) throw this.#scanner.error('not allowed in an array');
    const kind = kindOf(value);
    if (top.kind === undefined) {
      top.kind = kind;
      top.owner.set(top.name, top.items);
    } else if (top.kind !== kind) {
      throw this.#scanner.error('array of mixed kinds');
    }
    top.items.push(value);
    if (inner !== undefined) this.#openSection(inner, top.depth + 1);
  }
}

/** The kinds of values that an array may not mix. Integers below zero are another kind than the others. */
function kindOf(value: WireValue): string {
  if (value instanceof Map) return 'object';
  if (value instanceof Uint8Array) return 'string';
  if (typeof value === 'number' || typeof value === 'bigint') {
    return value < 0 ? 'signed' : 'unsigned';
  }
  return value instanceof WireDouble ? 'double' : typeof value;
}
