import type { AllowedDifference } from '../harness/allowed-difference.ts';
import { isAboutInstalled } from '../harness/allowed-differences.ts';
import { ALLOWED_DIFFERENCES } from '../harness/differences-table.ts';
import { isObject, parseJson, type Json } from '../harness/json.ts';
import { decodeStorage, type Section, type Value } from '../harness/portable-storage.ts';
import type { RawAnswer } from './raw-http.ts';
import type { Listener, ReplayRequest } from './request.ts';

/** A value in which two answers differ; undefined where an answer lacks it. */
export interface Mismatch {
  readonly path: string;
  readonly ours: string | undefined;
  readonly theirs: string | undefined;
}

type Flat = Map<string, string>;

/** Headers that may differ. Lengths follow the body and are checked against it instead. */
const FREE_HEADERS = new Set(['last-modified', 'content-length']);

/** Our answers of more bytes come in chunks, as docs/reference/rpc-differences.md says; monerod's never do. */
const LONGEST_IN_ONE_PIECE = 1024 * 1024;

/** Returns the headers of a long answer in chunks as if it had its length among them. */
function headersOf({ headers, body, isChunked }: RawAnswer): RawAnswer['headers'] {
  if (!isChunked || body.length <= LONGEST_IN_ONE_PIECE) return headers;
  return headers.map(([name, value]) =>
    name === 'Transfer-Encoding' ? ['Content-Length', String(body.length)] : [name, value],
  );
}

/** Returns the compared parts of an answer other than its body. */
function frame(answer: RawAnswer, bodyless: boolean): Flat {
  const { outcome, statusLine, body, closedAfter } = answer;
  const headers = headersOf(answer);
  const flat: Flat = new Map([['http.outcome', outcome]]);
  if (outcome !== 'answered') return flat;
  flat.set('http.status', statusLine);
  flat.set('http.closed', String(closedAfter));
  flat.set('http.headers', headers.map(([name]) => name).join(', '));
  for (const [name, value] of headers) {
    if (!FREE_HEADERS.has(name.toLowerCase())) flat.set(`http.header ${name}`, value);
  }
  const length = headers.find(([name]) => name.toLowerCase() === 'content-length')?.[1].trim();
  const right = bodyless ? body.length === 0 : length === String(body.length);
  flat.set('http.length', right ? 'as sent' : `${String(length)} for ${body.length} bytes`);
  return flat;
}

function flatten(value: Json | Value | undefined, path: string, into: Flat): void {
  if (Array.isArray(value)) {
    if (value.length === 0) into.set(path, '[]');
    for (const [i, item] of value.entries()) flatten(item, `${path}.${i}`, into);
  } else if (value instanceof Uint8Array) {
    into.set(path, `0x${Buffer.from(value).toString('hex')}`);
  } else if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value as { [name: string]: Json });
    if (members.length === 0) into.set(path, '{}');
    for (const [name, item] of members) flatten(item, path === '' ? name : `${path}.${name}`, into);
  } else {
    into.set(path, typeof value === 'string' ? JSON.stringify(value) : String(value));
  }
}

/** Returns a JSON-RPC answer with its result at the top, as in the answers of JSON paths. */
function unwrapped(document: Json): Json {
  if (!isObject(document) || document['jsonrpc'] === undefined) return document;
  const { result, ...rest } = document;
  return isObject(result)
    ? { envelope: rest, ...result }
    : { envelope: rest, result: result ?? null };
}

function bodyOf({ headers, body }: RawAnswer): Flat {
  const flat: Flat = new Map();
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1].trim();
  try {
    if (type === 'application/json') {
      // latin1, because some strings hold raw bytes
      flatten(unwrapped(parseJson(body.toString('latin1'))), '', flat);
      return flat;
    }
    if (type === 'application/octet-stream') {
      flatten(decodeStorage(body) as Section, '', flat);
      return flat;
    }
  } catch {
    // Malformed bodies are compared as text.
  }
  if (body.length > 0) flat.set('body', JSON.stringify(body.toString('latin1').slice(0, 200)));
  return flat;
}

function differing(ours: Flat, theirs: Flat): Mismatch[] {
  const paths = new Set([...ours.keys(), ...theirs.keys()]);
  return [...paths]
    .filter((path) => ours.get(path) !== theirs.get(path))
    .map((path) => ({ path, ours: ours.get(path), theirs: theirs.get(path) }));
}

/** Returns all differences between two answers to the same request. */
export function mismatches(ours: RawAnswer, theirs: RawAnswer, bodyless = false): Mismatch[] {
  const around = differing(frame(ours, bodyless), frame(theirs, bodyless));
  if (ours.body.equals(theirs.body)) return around;
  const within = differing(bodyOf(ours), bodyOf(theirs));
  if (within.length > 0) return [...around, ...within];
  return [
    ...around,
    { path: 'layout', ours: ours.body.toString(), theirs: theirs.body.toString() },
  ];
}

/** Returns whether a pattern matches a path: `*` matches one step, a final `**` everything below. */
function covers(field: string, path: string): boolean {
  const wanted = field.split('.');
  const steps = path.split('.');
  const open = wanted.at(-1) === '**';
  if (open ? steps.length < wanted.length - 1 : steps.length !== wanted.length) return false;
  return (open ? wanted.slice(0, -1) : wanted).every(
    (step, i) => step === '*' || step === steps[i],
  );
}

/** Returns the allowed difference that covers a mismatch; undefined when there is none. */
export function excuseFor(
  { call, name }: ReplayRequest,
  listener: Listener,
  { path, ours, theirs }: Mismatch,
): AllowedDifference | undefined {
  return ALLOWED_DIFFERENCES.find(
    (rule) =>
      isAboutInstalled(rule) &&
      (rule.call === call || rule.call === '*') &&
      (rule.request === undefined || rule.request.test(name)) &&
      (rule.listener === undefined || rule.listener === listener) &&
      (rule.values === undefined || (rule.values[0] === ours && rule.values[1] === theirs)) &&
      covers(rule.field, path) &&
      (rule.kind !== 'newer' || (theirs === undefined && ours !== undefined)),
  );
}

/** Seconds by which monerod may be late: it is asked again after 1.2 s when it did not read a connection. */
const LATE_SECONDS = 3;

/** Fields that hold the daemon's time, or a time counted from when the daemon heard of a ban. */
const CLOCK_FIELDS: readonly { readonly calls: readonly string[]; readonly path: RegExp }[] = [
  { calls: ['get_bans'], path: /^bans\.\d+\.seconds$/ },
  { calls: ['banned'], path: /^seconds$/ },
  { calls: ['/get_blocks.bin', '/getblocks.bin'], path: /^daemon_time$/ },
];

/** Returns whether two answers differ only because the daemons answered at different moments. */
export function isClockDifference(
  { call }: Pick<ReplayRequest, 'call'>,
  { path, ours, theirs }: Mismatch,
): boolean {
  const isTime = CLOCK_FIELDS.some((field) => field.calls.includes(call) && field.path.test(path));
  return isTime && Math.abs(Number(ours) - Number(theirs)) <= LATE_SECONDS;
}
