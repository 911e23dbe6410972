import {
  DecodeError,
  decodeStorage,
  encodeStorage,
  type StorageLimits,
  type StorageSection,
} from '@monero-node/codec';
import {
  echoJson,
  JsonParseError,
  parseWireJson,
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

/** Changes to the members of an answer. */
export type Changes = ReadonlyMap<string, WireValue>;

/**
 * Marks the JSON answer of another daemon as untrusted and makes `changes`. Returns the new body as UTF-8 bytes;
 * undefined unless the answer is a success.
 * @param nested whether the answer is the `result` of JSON-RPC
 */
export function rewriteJson(
  body: Uint8Array,
  nested: boolean,
  changes: Changes,
): Uint8Array | undefined {
  const document = tryParse(() => parseWireJson(body));
  const answer = nested ? document?.get('result') : document;
  if (document === undefined || !(answer instanceof Map) || !isSuccess(answer)) return undefined;
  answer.set('untrusted', true);
  for (const [name, value] of changes) answer.set(name, value);
  return Buffer.from(echoJson(document, 0), 'latin1');
}

/**
 * Marks a portable storage answer of another daemon as untrusted. Returns the new bytes; undefined unless the answer is
 * a success.
 */
export function rewriteStorage(body: Uint8Array): Uint8Array | undefined {
  const answer = tryParse(() => decodeStorage(body, LIMITS));
  if (answer === undefined || !isBinarySuccess(answer)) return undefined;
  answer.set('untrusted', { type: 'bool', value: true });
  return encodeStorage(answer);
}

function isSuccess(answer: WireObject): boolean {
  const status = answer.get('status');
  return status instanceof Uint8Array && wireText(status) === 'OK';
}

function isBinarySuccess(answer: StorageSection): boolean {
  const status = answer.get('status');
  return status?.type === 'string' && wireText(status.value) === 'OK';
}

function tryParse<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch (error) {
    if (error instanceof JsonParseError || error instanceof DecodeError) return undefined;
    throw error;
  }
}
