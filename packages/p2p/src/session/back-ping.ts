import type { Logger, MillisecondClock } from '@monero-node/base';
import { encodeMessage } from '@monero-node/codec';
import { LevinConnection } from '../levin/connection.ts';
import type { LevinConnectionOptions } from '../levin/connection.ts';
import { LEVIN_ERROR_NO_HANDLER } from '../levin/frame.ts';
import { SHORT_INVOKE_TIMEOUT_MS } from '../levin/pending-invokes.ts';
import { EMPTY_REQUEST, PING_OK, PING_RESPONSE } from '../messages/admin.ts';
import { COMMANDS } from '../messages/commands.ts';
import { decodeBody } from '../messages/decode.ts';
import type { NetAddress } from '../net/address.ts';
import type { RateLimiters } from '../net/rate-limiters.ts';
import type { Peer } from '../peers/peer.ts';
import type { ChainSync } from '../sync/chain-sync.ts';
import type { Transport } from '../transport/transport.ts';
import type { Zones } from '../zones/zones.ts';
import type { TrafficTotals } from './traffic.ts';

/** Milliseconds allowed for connecting. */
const CONNECT_TIMEOUT_MS = 2_000;

/**
 * Returns whether the peer with that id answers at an address. Never rejects.
 * Source: try_ping in src/p2p/net_node.inl
 */
async function pingBack(
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
      restartOnProgress: false,
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

export interface BackPingDependencies {
  readonly zones: Zones;
  readonly sync: ChainSync;
  readonly limiters: RateLimiters;
  readonly traffic: TrafficTotals;
  readonly logger: Logger;
  /** Aborted when the node stops. */
  readonly signal: AbortSignal;
  readonly now: MillisecondClock;
  /** Milliseconds since 1970. */
  readonly unixNow: MillisecondClock;
}

/** Finds out which incoming peers can be reached at the port they announce. */
export class BackPing {
  readonly #deps: BackPingDependencies;

  constructor(deps: BackPingDependencies) {
    this.#deps = deps;
  }

  /**
   * Adds an incoming peer to the white list if it answers at that port; only peers that come directly and that a list may hold
   * are asked. Never rejects.
   */
  async check(peer: Peer, port: number): Promise<void> {
    const { limiters, logger, now, signal, sync, traffic, unixNow, zones } = this.#deps;
    const { list, proxied, transport } = zones.ofPeer(peer);
    const address: NetAddress = { ...peer.address, port };
    if (!transport || proxied || !list.isAllowed(address)) return;
    const { peerId, rpcCreditsPerHash, rpcPort } = peer.identity;
    const connection = { limiters, logger, now, onTraffic: traffic.add };
    if (!(await pingBack(address, peerId, { transport, signal, connection }))) return;
    const { pruningSeed } = sync.stateOf(peer);
    const lastSeen = Math.floor(unixNow() / 1000);
    list.addWhite(
      { address, id: peerId, lastSeen, pruningSeed, rpcPort, rpcCreditsPerHash },
      false,
    );
  }
}
