import { parseWireJson } from './wire/json-parser.ts';
import { JsonParseError } from './wire/json-scanner.ts';
import { ALL_METHODS } from './methods/index.ts';
import { echoJson } from './wire/echo-json.ts';
import { FieldTypeError, readKind } from './wire/read.ts';
import { WireDouble, type WireObject, type WireValue } from './wire/value.ts';

const text = (value: string) => new TextEncoder().encode(value);
export const seeds = [
  '{"jsonrpc":"2.0","id":"0","method":"get_block","params":{"height":5,"hash":"ab"}}',
  '{"a":[1,2,3],"b":[true,false],"c":["x","\\u00e9\\n"],"d":[{"e":1},{"e":-1.5e3}],"n":null}',
  '{"amounts":[0,1,18446744073709551615],"start_height":-1,"txids":["00","zz"],"a":{"b":{"c":{}}}}',
  '{"block_ids":"' + '\\u0000'.repeat(32) + '","start_height":1,"prune":true}',
  '  ',
  '{"a":1',
].map(text);
export const tokens = [
  ...['{"', '":', '[', ']', '}', ',', '"', '\\u', '\\', 'null', 'TRUE', 'false', '\v', '1e400'],
  ...ALL_METHODS.flatMap(({ request }) =>
    request.kind === 'object' ? Object.keys(request.table.fields) : [],
  ).map((name) => `"${name}":`),
];

/** Reads the request of every method from the object, which may only fail with FieldTypeError. */
function readAll(object: WireObject): void {
  for (const { request } of ALL_METHODS) {
    try {
      readKind(request, request.kind === 'object' ? object : [object]);
    } catch (error) {
      if (!(error instanceof FieldTypeError)) throw error;
    }
  }
}

function hasDouble(value: WireValue): boolean {
  if (value instanceof Map) return [...value.values()].some(hasDouble);
  return Array.isArray(value) ? value.some(hasDouble) : value instanceof WireDouble;
}

/**
 * A request body is read or refused with JsonParseError; its echo is read again to the same echo, unless it has floating
 * point numbers, which may be echoed as integers.
 */
export function fuzz(input: Uint8Array): void {
  let object: WireObject;
  try {
    object = parseWireJson(input);
  } catch (error) {
    if (error instanceof JsonParseError) return;
    throw error;
  }
  readAll(object);
  const echo = echoJson(object, 0);
  if (hasDouble(object)) return;
  const again = echoJson(parseWireJson(Buffer.from(echo, 'latin1')), 0);
  if (again !== echo) throw new Error('the echo differs');
}
