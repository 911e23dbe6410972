import { inSlices, type Yielder } from '@monero-node/base';
import { DecodeError, encodeStorage, type StorageLimits } from '@monero-node/codec';
import { findTopLevel, joinTopLevel } from '@monero-node/codec/portable-storage';
import {
  echoJsonSteps,
  EchoTooLongError,
  JsonParseError,
  parseWireJsonSteps,
  type WireObject,
  wireText,
  type WireValue,
} from '@monero-node/rpc-schema';

/** Answers are far larger than requests. */
const LIMITS: StorageLimits = {
  objects: 1_000_000,
  fields: 10_000_000,
  strings: 10_000_000,
  items: 10_000_000,
};
/** Longest answer that is taken, bytes. Values of JSON take many times their text in memory. */
const MAX_JSON_BYTES = 16 << 20;
const MAX_STORAGE_BYTES = 128 << 20;
/** Longest text that is made of one: indentation can make it longer than it came. */
const MAX_REWRITTEN = 64 << 20;

/** Changes to the members of an answer. */
export type Changes = ReadonlyMap<string, WireValue>;

/** An answer in parts; a text stands for one byte per character. */
export type Rewritten = readonly (Uint8Array | string)[];

/**
 * Marks the bytes of a JSON answer of another daemon as untrusted and makes `changes`, in time slices. Resolves to undefined
 * unless the answer is a success of acceptable length.
 * @param options.nested whether the answer is the `result` of JSON-RPC
 */
export async function rewriteJson(
  body: Uint8Array,
  { nested, changes }: { readonly nested: boolean; readonly changes: Changes },
  yielder: Yielder,
): Promise<Rewritten | undefined> {
  if (body.length > MAX_JSON_BYTES) return undefined;
  try {
    const document: WireObject = await inSlices(parseWireJsonSteps(body), yielder);
    const answer = nested ? document.get('result') : document;
    if (!(answer instanceof Map) || !isSuccess(answer.get('status'))) return undefined;
    answer.set('untrusted', true);
    for (const [name, value] of changes) answer.set(name, value);
    return await inSlices(echoJsonSteps(document, 0, MAX_REWRITTEN), yielder);
  } catch (error) {
    if (error instanceof JsonParseError || error instanceof EchoTooLongError) return undefined;
    throw error;
  }
}

/**
 * Marks the bytes of a portable storage answer of another daemon as untrusted, in time slices and without building its
 * values. Resolves to undefined unless the answer is a success of acceptable length.
 */
export async function rewriteStorage(
  body: Uint8Array,
  yielder: Yielder,
): Promise<Rewritten | undefined> {
  if (body.length > MAX_STORAGE_BYTES) return undefined;
  try {
    const entries = await inSlices(findTopLevel(body, LIMITS), yielder);
    if (!isSuccess(entries.find(({ name }) => name === 'status')?.text)) return undefined;
    const kept = entries.filter(({ name }) => name !== 'untrusted');
    return joinTopLevel([...kept.map(({ start, end }) => body.subarray(start, end)), UNTRUSTED]);
  } catch (error) {
    if (error instanceof DecodeError || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The entry that marks an answer as untrusted: a document with only this entry, without its head. */
const UNTRUSTED = encodeStorage(new Map([['untrusted', { type: 'bool', value: true }]])).subarray(
  joinTopLevel([])[0]?.length,
);

function isSuccess(status: WireValue | undefined): boolean {
  return status instanceof Uint8Array && wireText(status) === 'OK';
}
