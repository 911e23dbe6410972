import { isIpv6, isLoopback, isPrivate } from '@monero-node/p2p/hosts';

/** Where a node listens. */
export interface ListenFacts {
  readonly offline: boolean;
  readonly p2p: readonly Address[];
  readonly rpc: readonly (Address & { readonly restricted: boolean })[];
  /** Undefined while ZeroMQ is off. */
  readonly zmq:
    | { readonly rpc: Address; readonly restricted: boolean; readonly events: readonly string[] }
    | undefined;
  /** Undefined while rigs are not served. */
  readonly stratum: Address | undefined;
  /** Multiaddresses. */
  readonly libp2p: readonly string[];
}

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** Returns from where an address can be reached, unless a firewall is in between. An empty address means all of them. */
export function reach(host: string): 'local only' | 'local network' | 'public' {
  if (isLoopback(host)) return 'local only';
  return isPrivate(host) ? 'local network' : 'public';
}

/** Returns an address as the log shows it: IPv6 in brackets, and `*` for all addresses. */
export function shownAddress({ host, port }: Address): string {
  return `${isIpv6(host) ? `[${host}]` : host || '*'}:${port}`;
}

/** Returns the lines of the log with every address that a node listens on, and from where each can be reached. */
export function listenLines({ offline, p2p, rpc, zmq, stratum, libp2p }: ListenFacts): string[] {
  return [
    ...(offline ? ['P2P: offline'] : []),
    ...p2p.map((at) => `P2P: ${shownAddress(at)} (${reach(at.host)})`),
    // Tests and operators read these addresses from the log.
    ...libp2p.map((address) => `libp2p: reached at ${address}`),
    ...rpc.map(
      (at) => `RPC${at.restricted ? ', restricted' : ''}: ${shownAddress(at)} (${reach(at.host)})`,
    ),
    ...(zmq === undefined ? [] : zmqLines(zmq)),
    ...(stratum === undefined
      ? []
      : [`Stratum listens on ${shownAddress(stratum)} (${reach(stratum.host)})`]),
  ];
}

function zmqLines({ rpc, restricted, events }: NonNullable<ListenFacts['zmq']>): string[] {
  return [
    `ZMQ RPC${restricted ? ', restricted' : ''}: tcp://${shownAddress(rpc)} (${reach(rpc.host)})`,
    ...events.map((address) => `ZMQ events: ${address}${reachOfUrl(address)}`),
  ];
}

/** Files have no place in the network. */
function reachOfUrl(address: string): string {
  const [, host] = /^tcp:\/\/\[?([^\]]*)\]?:\d+$/.exec(address) ?? [];
  return host === undefined ? '' : ` (${reach(host)})`;
}
