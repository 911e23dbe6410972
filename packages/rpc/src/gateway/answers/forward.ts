import { inSlices } from '@monero-node/base';
import { defineTable, f, type Kind } from '@monero-node/codec/portable-storage';
import {
  JSON_RPC_PATH,
  JsonParseError,
  parseWireJsonSteps,
  RPC_ERROR,
  type WireObject,
  wireText,
  type WireValue,
} from '@monero-node/rpc-schema';
import type { RpcContext } from '../../context.ts';
import { echoedId, NO_ID } from './call-id.ts';
import { errorBody, resultBody, type Body } from './write-answer.ts';
import { asFailed, binaryReply, jsonReply, type Reply } from './reply.ts';
import type { Routes } from './routes.ts';
import {
  rewriteStorage,
  rewriteJson,
  type Changes,
  type Rewritten,
} from '../../bootstrap/rewrite.ts';

const UNSUPPORTED = 'This command is unsupported for bootstrap daemon';
const NO_CHANGES: Changes = new Map();

/** The outcome of passing a request on. */
export interface Forwarded {
  /** Its answer; undefined when this node has to answer. */
  readonly reply: Reply | undefined;
  /** The other daemon was asked and failed; this node then marks its own answer as untrusted, as monerod does. */
  readonly failed: boolean;
}

const NOT_FORWARDED: Forwarded = { reply: undefined, failed: false };

/** Passes a request (its body as bytes) on to the bootstrap daemon, if one is in use and may answer the method. */
export async function forward(
  url: string,
  body: Uint8Array,
  routes: Routes,
  context: RpcContext,
): Promise<Forwarded> {
  const {
    services: { bootstrap },
  } = context;
  if (!bootstrap.isSet) return NOT_FORWARDED;
  if (url === JSON_RPC_PATH) {
    const call = await parseCall(body, context);
    const called = call && routes.names.get(call.method);
    if (call === undefined || called === undefined) return NOT_FORWARDED;
    const method = called.name;
    const unsupported = UNSUPPORTED_METHODS.get(method);
    if (unsupported === undefined && called.isForwarded !== true) return NOT_FORWARDED;
    if (!(await bootstrap.active())) return NOT_FORWARDED;
    if (unsupported !== undefined) {
      const reply = asFailed(jsonReply(await unsupported(call.id, context)));
      return { reply: { ...reply, method }, failed: false };
    }
    const answer = await bootstrap.ask(url, body);
    const changes = changesFor(method, context);
    const { reply, failed } = finish(
      answer && (await rewriteJson(answer, { nested: true, changes }, context.yielder)),
      false,
    );
    return { reply: reply && { ...reply, method }, failed };
  }
  const asked = routes.jsonPaths.get(url) ?? routes.binaryPaths.get(url);
  if (asked?.isForwarded !== true || !(await bootstrap.active())) return NOT_FORWARDED;
  const answer = await bootstrap.ask(url, body);
  const binary = routes.binaryPaths.has(url);
  if (answer === undefined) return finish(undefined, binary);
  const { yielder } = context;
  const rewritten = binary
    ? rewriteStorage(answer, yielder)
    : rewriteJson(answer, { nested: false, changes: changesFor(asked.name, context) }, yielder);
  return finish(await rewritten, binary);
}

function finish(chunks: Rewritten | undefined, binary: boolean): Forwarded {
  if (chunks === undefined) return { reply: undefined, failed: true };
  const whole: Body = { chunks, length: chunks.reduce((sum, { length }) => sum + length, 0) };
  return { reply: binary ? binaryReply(whole) : jsonReply(whole), failed: false };
}

/** Returns the fields about this node in the other daemon's `get_info`. */
function changesFor(method: string, { services: { bootstrap, chain } }: RpcContext): Changes {
  if (method !== 'get_info') return NO_CHANGES;
  return new Map<string, WireValue>([
    ['bootstrap_daemon_address', Buffer.from(bootstrap.address)],
    ['height_without_bootstrap', chain.height],
    ['was_bootstrap_ever_used', true],
  ]);
}

interface Call {
  readonly method: string;
  /** As it is echoed. */
  readonly id: string;
}

/** Returns undefined for a request that this node refuses before it looks at the method. */
async function parseCall(body: Uint8Array, { yielder }: RpcContext): Promise<Call | undefined> {
  try {
    const request: WireObject = await inSlices(parseWireJsonSteps(body), yielder);
    const method = request.get('method');
    const given = request.get('id');
    const id = given === undefined ? NO_ID : echoedId(given);
    if (!(method instanceof Uint8Array) || id === undefined) return undefined;
    return { method: wireText(method), id };
  } catch (error) {
    if (error instanceof JsonParseError) return undefined;
    throw error;
  }
}

type Unsupported = (id: string, context: RpcContext) => Body | Promise<Body>;

const COUNT: Kind = {
  kind: 'object',
  table: defineTable({ count: f.u64(), status: f.text(), untrusted: f.bool() }),
};

const blockCount: Unsupported = (id, { yielder }) =>
  resultBody(id, { kind: COUNT, value: { status: UNSUPPORTED } }, yielder);
const blockHash: Unsupported = (id, { yielder }) =>
  resultBody(id, { kind: { kind: 'text' }, value: UNSUPPORTED }, yielder);
const submitBlock: Unsupported = (id) =>
  errorBody(id, RPC_ERROR.unsupportedWithBootstrap, UNSUPPORTED);

/** Answers to the calls that a bootstrap daemon cannot serve; monerod uses another form for each. */
const UNSUPPORTED_METHODS: ReadonlyMap<string, Unsupported> = new Map([
  ['get_block_count', blockCount],
  ['on_get_block_hash', blockHash],
  ['submit_block', submitBlock],
]);
