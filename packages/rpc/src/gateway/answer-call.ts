import { monotonicMilliseconds, type Yielder } from '@monero-node/base';
import type { RpcContext } from '../context.ts';
import { AskMainError } from '../errors.ts';
import { AbandonedCallError } from './limits/admission.ts';
import type { AnswerMemory } from './limits/answer-memory.ts';
import type { AppParts } from './app-parts.ts';
import type { ClientRequest } from './call-request.ts';
import type { MainProcess } from './main-process.ts';
import { dispatch, noteUse } from './answers/dispatch.ts';
import { forward } from './answers/forward.ts';
import { LongCallSlot } from './limits/long-call-slot.ts';
import { OVERLOADED, SERVER_ERROR, TOO_MANY_CALLS, type Reply } from './answers/reply.ts';
import { OverloadError } from '../scheduling/call-scheduler.ts';

/** A call with a longer request needs a slot from its start, bytes: its parameters may take many times that memory. */
const MAX_BYTES_WITHOUT_SLOT = 64 * 1024;
/** Milliseconds that a call at a restricted port may wait until it begins. */
const PATIENCE_MS = 5000;
/** The reply to a client that left before its turn. */
const NOBODY_WAITS: Reply = SERVER_ERROR;

/** A request that is let in. */
export interface Call extends ClientRequest {
  /** Counts what the answer takes. */
  readonly memory: AnswerMemory;
}

/**
 * Answers a request that is let in, with an answer that is still valid or by calling a method, here or in the main process.
 * `request.body` is UTF-8 JSON or the bytes of portable storage. Rejects with AbandonedCallError when the client leaves while a
 * long call is prepared.
 */
export function answerRequest(parts: AppParts, call: Call): Reply | Promise<Reply> {
  const { request } = call;
  const kept = request.fromForeignPage ? undefined : parts.steady.get(request.url, request.body);
  if (kept?.steady !== undefined) {
    noteUse(kept.steady, parts.services, 0);
    return kept;
  }
  return parts.main === undefined ? answerCall(parts, call) : answerOrPass(parts, call, parts.main);
}

/**
 * Answers a call in a worker, or has the main process answer it whole. The call has given back its time and its slot when it
 * is passed on: those of the main process count then.
 */
async function answerOrPass(parts: AppParts, call: Call, main: MainProcess): Promise<Reply> {
  if (main.takesAll) return main.pass(call.request, call.origin);
  try {
    return await answerCall(parts, call);
  } catch (error) {
    if (!(error instanceof AskMainError)) throw error;
    return main.pass(call.request, call.origin);
  }
}

/** Answers a call of this listener, with the time and the slots that its host and its listener have left. */
async function answerCall(parts: AppParts, call: Call): Promise<Reply> {
  const { scheduler, services, budgets, steady, routes } = parts;
  const { origin } = call;
  const { url, body } = call.request;
  const { caller } = origin;
  const slot = new LongCallSlot(budgets.admission, caller, () => origin.isGone);
  let untrusted = false;
  if (services.bootstrap.isSet) {
    // Before it takes time or a slot: a call that waits for another daemon must not hold up calls to this one.
    const facts = { yielder: scheduler.begin(), slot, untrusted };
    const passed = await forward(url, body, routes, contextOf(parts, call, facts));
    if (passed.reply !== undefined) return passed.reply;
    untrusted = passed.failed;
  }
  try {
    const begin = monotonicMilliseconds();
    const whole = parts.restricted ? PATIENCE_MS : undefined;
    if (body.length > MAX_BYTES_WITHOUT_SLOT) await slot.enter(whole);
    const patience = whole && Math.max(0, whole - (monotonicMilliseconds() - begin));
    const claim = { caller, patience, beforeSlice: () => slot.enter() };
    return await scheduler.run(claim, async (yielder) => {
      if (origin.isGone) return NOBODY_WAITS;
      const keep = steady.begin(url, body);
      const context = contextOf(parts, call, { yielder, slot, untrusted });
      const reply = await dispatch(url, body, routes, context);
      keep(reply);
      return reply;
    });
  } catch (error) {
    if (!(error instanceof OverloadError)) throw error;
    return error.isCallers ? TOO_MANY_CALLS : OVERLOADED;
  } finally {
    slot.end();
  }
}

function contextOf(
  { services, restricted, connections, hostFailed }: AppParts,
  { origin, memory, request }: Call,
  { yielder, slot, untrusted }: { yielder: Yielder; slot: LongCallSlot; untrusted: boolean },
): RpcContext {
  return {
    services,
    restricted,
    untrusted,
    rpcConnections: connections.total,
    yielder,
    resting: (work) => {
      slot.rest();
      return work;
    },
    holds: (bytes) => {
      memory.keep(bytes);
      if (origin.isGone) throw new AbandonedCallError();
    },
    client: { host: origin.caller, isGone: () => origin.isGone },
    fromForeignPage: request.fromForeignPage,
    hostFailed: () => {
      hostFailed(origin.address);
    },
  };
}
