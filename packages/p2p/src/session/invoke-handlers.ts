import { encodeMessage } from '@monero-node/codec';
import { LEVIN_OK } from '../levin/frame.ts';
import type { LevinAnswer } from '../levin/handler.ts';
import {
  HANDSHAKE_REQUEST,
  PING_OK,
  PING_RESPONSE,
  SUPPORT_FLAGS_RESPONSE,
  TIMED_SYNC_REQUEST,
} from '../messages/admin.ts';
import { handlersByNumber, type HandlersOf } from '../messages/commands.ts';
import { decodeBody } from '../messages/decode.ts';
import type { Peer } from '../peers/peer.ts';
import type { Zones } from '../zones/zones.ts';
import type { Handshake } from './handshake.ts';
import type { TimedSync } from './timed-sync.ts';

/** Answers a request; undefined when the link was closed for it. */
export type InvokeHandler = (peer: Peer, body: Uint8Array) => LevinAnswer | undefined;

export interface InvokeHandlerDependencies {
  readonly zones: Zones;
  readonly handshake: Handshake;
  readonly timedSync: TimedSync;
}

/** Returns the handlers of the requests that have an answer, by command. */
export function invokeHandlers(
  deps: InvokeHandlerDependencies,
): ReadonlyMap<number, InvokeHandler> {
  const { handshake, timedSync, zones } = deps;
  const answer = (body: Uint8Array): LevinAnswer => ({ returnCode: LEVIN_OK, body });
  const handlers: HandlersOf<'request', InvokeHandler> = {
    handshake: (peer, body) => handshake.onRequest(peer, decodeBody(HANDSHAKE_REQUEST, body)),
    timedSync: (peer, body) => timedSync.onRequest(peer, decodeBody(TIMED_SYNC_REQUEST, body)),
    ping: (peer) => {
      const { peerId } = zones.ofPeer(peer).identity;
      return answer(encodeMessage(PING_RESPONSE, { peer_id: peerId, status: PING_OK }));
    },
    supportFlags: (peer) => {
      const { supportFlags } = zones.ofPeer(peer).identity;
      return answer(encodeMessage(SUPPORT_FLAGS_RESPONSE, { support_flags: supportFlags }));
    },
  };
  return handlersByNumber(handlers);
}
