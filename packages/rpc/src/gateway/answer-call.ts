import type { Yielder } from '@monero-node/base';
import type { RpcContext } from '../context.ts';
import { AbandonedCallError } from './admission.ts';
import type { AnswerMemory } from './answer-memory.ts';
import type { AppParts } from './app-parts.ts';
import type { Connection } from './connection.ts';
import { dispatch } from './dispatch.ts';
import { forward } from './forward.ts';
import { Place } from './place.ts';
import { SERVER_ERROR, type Reply } from './reply.ts';

/** A call with a longer request needs a place from its start, bytes: its parameters may take many times that memory. */
const MAX_BYTES_WITHOUT_PLACE = 64 * 1024;
/** The reply to a client that left before its turn. */
const NOBODY_WAITS: Reply = SERVER_ERROR;

/** Where a call came from. */
export interface CallOrigin {
  readonly connection: Connection;
  /** Counts what the answer takes. */
  readonly memory: AnswerMemory;
  /** Whether a web page of an origin that is not allowed has made the call. */
  readonly fromForeignPage: boolean;
}

/**
 * Answers a call of this listener, with the time and the places that its host and its listener have left. Rejects with
 * AbandonedCallError when the client leaves while a long call is prepared.
 */
export async function answerCall(
  parts: AppParts,
  origin: CallOrigin,
  url: string,
  body: Uint8Array,
): Promise<Reply> {
  const { scheduler, services, budgets, steady, routes } = parts;
  const { connection } = origin;
  const { caller } = connection;
  const place = new Place(budgets.admission, caller, () => connection.isGone);
  let untrusted = false;
  if (services.bootstrap.isSet) {
    // Before it takes time or a place: a call that waits for another daemon must not hold up calls to this one.
    const facts = { yielder: scheduler.begin(), place, untrusted };
    const passed = await forward(url, body, routes, contextOf(parts, origin, facts));
    if (passed.reply !== undefined) return passed.reply;
    untrusted = passed.failed;
  }
  try {
    if (body.length > MAX_BYTES_WITHOUT_PLACE) await place.enter();
    const claim = { caller, beforeSlice: () => place.enter() };
    return await scheduler.run(claim, async (yielder) => {
      if (connection.isGone) return NOBODY_WAITS;
      const keep = steady.begin(url, body);
      const context = contextOf(parts, origin, { yielder, place, untrusted });
      const reply = await dispatch(url, body, routes, context);
      keep(reply);
      return reply;
    });
  } finally {
    place.end();
  }
}

function contextOf(
  { services, restricted, connections, hostFailed }: AppParts,
  { connection, memory, fromForeignPage }: CallOrigin,
  { yielder, place, untrusted }: { yielder: Yielder; place: Place; untrusted: boolean },
): RpcContext {
  return {
    services,
    restricted,
    untrusted,
    rpcConnections: connections.total,
    yielder,
    resting: (work) => {
      place.rest();
      return work;
    },
    holds: (bytes) => {
      memory.keep(bytes);
      if (connection.isGone) throw new AbandonedCallError();
    },
    client: { host: connection.caller, isGone: () => connection.isGone },
    fromForeignPage,
    hostFailed: () => {
      hostFailed(connection.address);
    },
  };
}
