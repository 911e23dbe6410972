import { encodeMessage } from '@monero-node/codec';
import { SHORT_INVOKE_TIMEOUT_MS, LevinConnection } from '../levin/connection.ts';
import type { LevinConnectionOptions } from '../levin/connection.ts';
import { LEVIN_ERROR_NO_HANDLER } from '../levin/frame.ts';
import { EMPTY_REQUEST, PING_OK, PING_RESPONSE } from '../messages/admin.ts';
import { COMMANDS } from '../messages/commands.ts';
import { decodeBody } from '../messages/decode.ts';
import type { NetAddress } from '../net/address.ts';
import type { Transport } from '../transport/transport.ts';

/** Milliseconds to connect. */
const CONNECT_TIMEOUT_MS = 2_000;

/**
 * Asks an address whether the peer of that id answers there
 * (`src/p2p/net_node.inl`, try_ping). Never rejects.
 */
export async function pingBack(
  address: NetAddress,
  peerId: bigint,
  options: {
    transport: Transport;
    signal: AbortSignal;
    connection: Pick<LevinConnectionOptions, 'limiters' | 'logger' | 'now' | 'onTraffic'>;
  },
): Promise<boolean> {
  let connection: LevinConnection | undefined;
  const abort = (): void => connection?.close('stopping');
  try {
    const stream = await options.transport.connect(address, {
      timeoutMs: CONNECT_TIMEOUT_MS,
      signal: options.signal,
    });
    connection = new LevinConnection({ ...options.connection, stream, incoming: false });
    connection.open({
      onInvoke: () => ({ returnCode: LEVIN_ERROR_NO_HANDLER, body: new Uint8Array(0) }),
      onNotify: () => {},
      onClose: () => {},
    });
    options.signal.addEventListener('abort', abort, { once: true });
    const request = encodeMessage(EMPTY_REQUEST, {});
    const answer = await connection.invoke(COMMANDS.ping, request, {
      timeoutMs: SHORT_INVOKE_TIMEOUT_MS,
    });
    const { peer_id, status } = decodeBody(PING_RESPONSE, answer);
    return status === PING_OK && peer_id === peerId;
  } catch {
    return false;
  } finally {
    options.signal.removeEventListener('abort', abort);
    connection?.close('the ping is done');
  }
}
