import { fromHex, type JsonValue } from '@monero-node/codec';

/** A malformed request, with monerod's message. It is answered with `Malformed json`. */
export class ZmqInputError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ZmqInputError';
  }
}

/** Converts a JSON value to a parameter of a method. Throws ZmqInputError when it does not fit. */
export interface Reader<T> {
  (value: JsonValue): T;
  /** Does the same in steps; only readers of lists, and of objects with such members, have it. */
  readonly steps?: (value: JsonValue) => Generator<undefined, T>;
}

/** Items of a list that are read between two stops. */
const ITEMS_PER_STEP = 512;

/** Converts a value in steps, so that other work can run between the items of a long list. Throws ZmqInputError. */
export function* readSteps<T>(reader: Reader<T>, value: JsonValue): Generator<undefined, T> {
  return reader.steps === undefined ? reader(value) : yield* reader.steps(value);
}

type JsonObject = { readonly [key: string]: JsonValue };
/** Readers of the members of an object. */
export type Readers<T> = { readonly [K in keyof T]: Reader<T[K]> };

const wrongType = (expected: string): ZmqInputError =>
  new ZmqInputError(`Json value has incorrect type, expected: ${expected}`);
const badInput = (): ZmqInputError =>
  new ZmqInputError('An item failed to convert from json object to native object');

/** Returns whether a value is an object, neither null nor an array. */
export function isObject(value: JsonValue): value is { [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a member of an object. Throws ZmqInputError when it is missing. */
export function member(object: JsonObject, key: string): JsonValue {
  const value = object[key];
  if (value === undefined) throw new ZmqInputError(`Key "${key}" missing from object.`);
  return value;
}

function integer(bits: 8 | 32 | 64): Reader<bigint> {
  return (value) => {
    const isInteger = typeof value === 'bigint' || Number.isSafeInteger(value);
    if (!isInteger || (value as bigint | number) < 0) throw wrongType('unsigned integer');
    const number = BigInt(value as bigint | number);
    // A value outside of monerod's integer type is not an integer to monerod.
    if (number >> (bits === 64 ? 64n : 32n) > 0n) throw wrongType('unsigned integer');
    if (number >> BigInt(bits) > 0n) throw wrongType('numeric overflow');
    return number;
  };
}

const u8Integer = integer(8);
const u32Integer = integer(32);
const u64Integer = integer(64);

const hash: Reader<Uint8Array> = (value) => hex(value, 32);

function list<T>(item: Reader<T>): Reader<T[]> {
  function* steps(value: JsonValue): Generator<undefined, T[]> {
    const result: T[] = [];
    for (const each of checkedArray(value)) {
      result.push(item.steps === undefined ? item(each) : yield* item.steps(each));
      if (result.length % ITEMS_PER_STEP === 0) yield undefined;
    }
    return result;
  }
  return Object.assign((value: JsonValue) => checkedArray(value).map((each) => item(each)), {
    steps,
  });
}

function checkedArray(value: JsonValue): readonly JsonValue[] {
  if (!Array.isArray(value)) throw wrongType('json array');
  return value;
}

/** An object whose members must all be there; others are not looked at. */
function object<T extends object>(readers: Readers<T>): Reader<T> {
  const names = Object.keys(readers) as (string & keyof T)[];
  // Methods without parameters take anything for them.
  if (names.length === 0) return () => ({}) as T;
  const whole = (value: JsonValue): T => {
    const members = checkedObject(value);
    return Object.fromEntries(
      names.map((name) => [name, readers[name](member(members, name))]),
    ) as T;
  };
  if (names.every((name) => readers[name].steps === undefined)) return whole;
  function* steps(value: JsonValue): Generator<undefined, T> {
    const members = checkedObject(value);
    const result: Partial<T> = {};
    for (const name of names) {
      result[name] = yield* readSteps(readers[name], member(members, name));
    }
    return result as T;
  }
  return Object.assign(whole, { steps });
}

function checkedObject(value: JsonValue): JsonObject {
  if (!isObject(value)) throw wrongType('json object');
  return value;
}

/** Readers of the kinds of values that requests hold. */
export const read = {
  u8: ((value) => Number(u8Integer(value))) satisfies Reader<number>,
  u32: ((value) => Number(u32Integer(value))) satisfies Reader<number>,
  u64: u64Integer,
  /** A 64-bit integer of which only small values mean anything. */
  u64Number: ((value) => Number(u64Integer(value))) satisfies Reader<number>,
  /** -128 … 127. */
  i8: ((value) => {
    if (!Number.isSafeInteger(value) || Math.abs(value as number) >= 2 ** 31) {
      throw wrongType('integer');
    }
    if ((value as number) < -128) throw wrongType('numeric underflow');
    if ((value as number) > 127) throw wrongType('numeric overflow');
    return value as number;
  }) satisfies Reader<number>,
  bool: ((value) => {
    if (typeof value !== 'boolean') throw wrongType('boolean');
    return value;
  }) satisfies Reader<boolean>,
  text: ((value) => {
    if (typeof value !== 'string') throw wrongType('string');
    return value;
  }) satisfies Reader<string>,
  /** Hex of any length. */
  bytes: ((value) => hex(value)) satisfies Reader<Uint8Array>,
  /** Hex of 32 bytes. */
  hash,
  /** Reads hex of `size` bytes. */
  fixed:
    (size: number): Reader<Uint8Array> =>
    (value) =>
      hex(value, size),
  hashes: list(hash),
  u64s: list(u64Integer),
  list,
  object,
};

function hex(value: JsonValue, size?: number): Uint8Array {
  if (typeof value !== 'string') throw wrongType('string');
  if (size !== undefined && value.length !== size * 2) throw badInput();
  try {
    return fromHex(value);
  } catch {
    throw badInput();
  }
}
