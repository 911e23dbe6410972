import type { JsonValue } from '@monero-node/codec';
import type { JsonObject } from '@monero-node/rpc';

/**
 * Reads fields of an answer, wherever it comes from: what is absent or of another type counts as zero, "", false or
 * none.
 */
export class Answer {
  readonly #object: JsonObject;

  constructor(object: JsonObject) {
    this.#object = object;
  }

  text(name: string): string {
    const value = this.#object[name];
    return typeof value === 'string' ? value : '';
  }

  integer(name: string): bigint {
    const value = this.#object[name];
    if (typeof value === 'bigint') return value;
    return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : 0n;
  }

  number(name: string): number {
    return Number(this.integer(name));
  }

  flag(name: string): boolean {
    return this.#object[name] === true;
  }

  /** A big number that is sent as `0x…`. */
  wide(name: string): bigint {
    const text = this.text(name);
    return /^0x[0-9a-f]+$/i.test(text) ? BigInt(text) : 0n;
  }

  object(name: string): Answer {
    return answerOf(this.#object[name]);
  }

  objects(name: string): Answer[] {
    return this.#list(name).map(answerOf);
  }

  texts(name: string): string[] {
    return this.#list(name).filter((item) => typeof item === 'string');
  }

  numbers(name: string): number[] {
    return this.#list(name).filter((item) => typeof item === 'number');
  }

  #list(name: string): readonly JsonValue[] {
    const value = this.#object[name];
    return Array.isArray(value) ? value : [];
  }
}

function answerOf(value: JsonValue | undefined): Answer {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return new Answer(isObject ? value : {});
}
