import { DecodeError } from '@monero-node/codec';
import { HANDSHAKE_RESPONSE, TIMED_SYNC_RESPONSE } from '../../messages/admin.ts';
import { decodeBody } from '../../messages/decode.ts';
import { recordedFrame } from '../../testing/recorded/frames.ts';
import { acceptPeerList } from './received-list.ts';

export const maxLength = 30_000;
export const seeds = (['handshakeResponse', 'timedSyncResponse'] as const).map(
  (name) => recordedFrame(name).body,
);
export const tokens = [
  'local_peerlist_new',
  'adr',
  'addr',
  'm_ip',
  'm_port',
  'type',
  'host',
  'port',
];

/** A received list of peers is usable or refused. */
export function fuzz(input: Uint8Array): void {
  for (const table of [HANDSHAKE_RESPONSE, TIMED_SYNC_RESPONSE]) {
    const message = decoded(table, input);
    if (message !== undefined) acceptPeerList(message.local_peerlist_new, 'public');
  }
}

function decoded(table: typeof HANDSHAKE_RESPONSE | typeof TIMED_SYNC_RESPONSE, input: Uint8Array) {
  try {
    return decodeBody(table, input);
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}
