import { monotonicMilliseconds, silentLogger, TokenBucket } from '@monero-node/base';
import { checkOptions, OPTIONAL, type OptionTable } from '@monero-node/base/options';
import { untilAborted } from '@monero-node/base/signals';
import { bytesEqual, DecodeError, encodeMessage } from '@monero-node/codec';
import type { Network } from '@monero-node/consensus';
import { LevinConnection } from '../levin/connection.ts';
import { LEVIN_ERROR_NO_HANDLER } from '../levin/frame.ts';
import {
  HANDSHAKE_REQUEST,
  HANDSHAKE_RESPONSE,
  type HandshakeRequest,
  type HandshakeResponse,
} from '../messages/admin.ts';
import { COMMANDS } from '../messages/commands.ts';
import { decodeBody } from '../messages/decode.ts';
import { formatPeerAddress, zoneOf, type NetAddress } from '../net/address.ts';
import { parseHostPort } from '../net/parse-address.ts';
import { Identity } from '../peers/identity.ts';
import type { KnownPeer } from '../peers/list/known-peer.ts';
import { acceptPeerList } from '../peers/list/received-list.ts';
import {
  noResolver,
  resolveAddresses,
  systemResolver,
  type Resolver,
} from '../peers/seeds/seeds.ts';
import { createTcpTransport } from '../transport/tcp.ts';
import type { Transport, TransportStream } from '../transport/transport.ts';
import { HandshakeError } from './handshake-error.ts';
import { mayHoldNode } from './public-address.ts';

const DEFAULT_TIMEOUT_MS = 10_000;
/**
 * Messages that a node may send before its answer, each of at most 256 KiB: it may ask for support flags, and it offers
 * its pool to a node that is as high as itself.
 */
const MAX_OTHER_MESSAGES = 16;

/** Options of {@link handshake}. */
export interface HandshakeOptions {
  /** Milliseconds for the look-up of the name, the connection and the answer together; 10,000 by default. */
  readonly timeoutMs?: number;
  /** Ends the visit; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** TCP by default; `createSocksTransport` goes through a proxy and to onion addresses. */
  readonly transport?: Transport;
  /**
   * Keeps the peers on private and loopback addresses that a node names, for tests on a network of one's own; false by default,
   * because a stranger could otherwise lead a crawl into the network of its user.
   */
  readonly allowPrivate?: boolean;
  /** Looks up host names; the system's resolver by default, and none with another transport. */
  readonly resolver?: Resolver;
}

/** The options of a visit. */
export const HANDSHAKE_OPTIONS: OptionTable<HandshakeOptions> = {
  timeoutMs: OPTIONAL,
  signal: OPTIONAL,
  transport: OPTIONAL,
  allowPrivate: OPTIONAL,
  resolver: OPTIONAL,
};

/** The claims of a node about itself. Nothing of it is verified. */
export interface NodeIntroduction {
  /** `host:port` at which it was reached. */
  readonly address: string;
  readonly peerId: bigint;
  /** Number of its blocks. */
  readonly height: number;
  /** Id of its top block, 32 bytes. */
  readonly topId: Uint8Array;
  /** Fork version of its top block. */
  readonly topVersion: number;
  readonly cumulativeDifficulty: bigint;
  /** 0 if it keeps all blocks whole. */
  readonly pruningSeed: number;
  /** The port for peers; 0 if it cannot be reached. */
  readonly port: number;
  /** The port of its public RPC; 0 if it has none. */
  readonly rpcPort: number;
  /** At most 250 peers that it knows, without addresses of private networks unless they are allowed. */
  readonly peers: readonly KnownPeer[];
}

/**
 * Makes a handshake with a node, as a node with an empty chain that cannot be reached, and closes the connection.
 *
 * Rejects with HandshakeError when the node does not introduce itself, with RangeError for an address that is malformed, with
 * OptionError for an unknown option, and with the reason of `signal` when it is aborted.
 *
 * @param address `host:port`, `[ipv6]:port` or an `.onion` address; the port is the network's when absent
 * @example
 * ```js
 * import { NETWORKS } from '@monero-node/consensus';
 * import { handshake } from '@monero-node/p2p';
 *
 * const node = await handshake('127.0.0.1:18080', NETWORKS.mainnet);
 * console.log(node.height, node.peers.length);
 * ```
 */
export async function handshake(
  address: string,
  network: Network,
  options: HandshakeOptions = {},
): Promise<NodeIntroduction> {
  checkOptions('handshake', options, HANDSHAKE_OPTIONS);
  return introduce(address, network, options);
}

/** Does what {@link handshake} does, for a caller whose options were checked; they may have others too. Rejects as it does. */
export async function introduce(
  address: string,
  network: Network,
  options: HandshakeOptions,
): Promise<NodeIntroduction> {
  const { timeoutMs = DEFAULT_TIMEOUT_MS, signal } = options;
  if (parseHostPort(address, network.ports.p2p) === undefined) {
    throw new RangeError(`${JSON.stringify(address)} is not host:port`);
  }
  const deadline = AbortSignal.timeout(timeoutMs);
  const ends = signal === undefined ? deadline : AbortSignal.any([signal, deadline]);
  try {
    return await untilAborted(visit(address, network, options, ends), ends);
  } catch (error) {
    signal?.throwIfAborted();
    if (deadline.aborted) {
      const reason = `no answer within ${timeoutMs} ms`;
      throw new HandshakeError('no-answer', address, reason, { cause: error });
    }
    throw error;
  }
}

async function visit(
  text: string,
  network: Network,
  options: HandshakeOptions,
  signal: AbortSignal,
): Promise<NodeIntroduction> {
  const { timeoutMs = DEFAULT_TIMEOUT_MS, transport = createTcpTransport() } = options;
  const resolver = options.resolver ?? (options.transport ? noResolver : SYSTEM);
  const [address] = await resolveAddresses([text], network.ports.p2p, resolver);
  if (address === undefined) throw new HandshakeError('unreachable', text, 'the name is unknown');
  let stream: TransportStream;
  try {
    stream = await transport.connect(address, { timeoutMs, signal });
  } catch (error) {
    throw new HandshakeError('unreachable', text, messageOf(error), { cause: error });
  }
  const response = await ask(stream, { text, network, timeoutMs, signal });
  return introductionOf(address, response, {
    network,
    allowPrivate: options.allowPrivate ?? false,
  });
}

const SYSTEM: Resolver = systemResolver({ ipv6: false });

/** Sends the request on a stream, waits for the answer and closes the stream. */
async function ask(
  stream: TransportStream,
  options: { text: string; network: Network; timeoutMs: number; signal: AbortSignal },
): Promise<HandshakeResponse> {
  const { text, network, timeoutMs, signal } = options;
  const connection = connectionOn(stream);
  const onAbort = (): void => connection.close('aborted');
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    if (signal.aborted) onAbort();
    const body = encodeMessage(HANDSHAKE_REQUEST, requestFor(network));
    const answer = connection.invoke(COMMANDS.handshake, body, {
      timeoutMs,
      restartOnProgress: false,
    });
    return decodeBody(HANDSHAKE_RESPONSE, await answer);
  } catch (error) {
    const code = error instanceof DecodeError ? 'bad-answer' : 'no-answer';
    throw new HandshakeError(code, text, connection.closeReason ?? messageOf(error), {
      cause: error,
    });
  } finally {
    signal.removeEventListener('abort', onAbort);
    connection.close('the visit is over');
  }
}

/** Opens a connection without limits of rate that answers no question and ignores other messages. */
function connectionOn(stream: TransportStream): LevinConnection {
  const unlimited = new TokenBucket(Number.MAX_SAFE_INTEGER, monotonicMilliseconds);
  const connection = new LevinConnection({
    stream,
    incoming: false,
    limiters: { up: unlimited, down: unlimited },
    logger: silentLogger,
    now: monotonicMilliseconds,
  });
  let others = 0;
  const ignore = (): void => {
    if (++others > MAX_OTHER_MESSAGES) connection.close('it talks and does not answer');
  };
  connection.open({
    onInvoke: () => {
      ignore();
      return { returnCode: LEVIN_ERROR_NO_HANDLER, body: new Uint8Array() };
    },
    onNotify: ignore,
    onClose: () => undefined,
  });
  return connection;
}

/** Returns the request of a node that has only the first block. */
function requestFor(network: Network): HandshakeRequest {
  const identity = new Identity({ network, announcedPort: () => 0, rpcPort: 0 });
  return {
    node_data: identity.nodeData(),
    payload_data: {
      cumulative_difficulty: 1n,
      cumulative_difficulty_top64: 0n,
      current_height: 1,
      pruning_seed: 0,
      top_id: network.genesisId,
      top_version: 1,
    },
  };
}

function introductionOf(
  remote: NetAddress,
  { node_data: node, payload_data: chain, local_peerlist_new: list }: HandshakeResponse,
  { network, allowPrivate }: { network: Network; allowPrivate: boolean },
): NodeIntroduction {
  const address = formatPeerAddress(remote);
  if (!bytesEqual(node.network_id, network.networkId)) {
    throw new HandshakeError('other-network', address, `it is no node of ${network.name}`);
  }
  const peers = acceptPeerList(list, zoneOf(remote), { allowPrivate });
  if (peers === undefined) {
    throw new HandshakeError('bad-answer', address, 'its list of peers is not acceptable');
  }
  return {
    address,
    peerId: node.peer_id,
    height: chain.current_height,
    topId: chain.top_id,
    topVersion: chain.top_version,
    cumulativeDifficulty: (chain.cumulative_difficulty_top64 << 64n) | chain.cumulative_difficulty,
    pruningSeed: chain.pruning_seed,
    port: node.my_port,
    rpcPort: node.rpc_port,
    peers: peers.filter((peer) => mayHoldNode(peer.address, { allowPrivate })),
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
