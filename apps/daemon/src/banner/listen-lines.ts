import { BlockList, isIP, isIPv6 } from 'node:net';

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

interface Address {
  readonly host: string;
  readonly port: number;
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');
const PRIVATE = new BlockList();
PRIVATE.addSubnet('10.0.0.0', 8, 'ipv4');
PRIVATE.addSubnet('172.16.0.0', 12, 'ipv4');
PRIVATE.addSubnet('192.168.0.0', 16, 'ipv4');
PRIVATE.addSubnet('169.254.0.0', 16, 'ipv4');
PRIVATE.addSubnet('fc00::', 7, 'ipv6');
PRIVATE.addSubnet('fe80::', 10, 'ipv6');

/** Returns from where an address can be reached, unless a firewall is in between. */
function reach(host: string): string {
  if (host === 'localhost') return 'local only';
  // An empty address means all of them.
  if (isIP(host) === 0) return 'public';
  const family = isIPv6(host) ? 'ipv6' : 'ipv4';
  if (LOOPBACK.check(host, family)) return 'local only';
  return PRIVATE.check(host, family) ? 'local network' : 'public';
}

function shown({ host, port }: Address): string {
  return `${isIPv6(host) ? `[${host}]` : host || '*'}:${port}`;
}

/** Returns the lines of the log with every address that a node listens on, and from where each can be reached. */
export function listenLines({ offline, p2p, rpc, zmq, stratum, libp2p }: ListenFacts): string[] {
  return [
    ...(offline ? ['P2P: offline'] : []),
    ...p2p.map((at) => `P2P: ${shown(at)} (${reach(at.host)})`),
    // Tests and operators read these addresses from the log.
    ...libp2p.map((address) => `libp2p: reached at ${address}`),
    ...rpc.map(
      (at) => `RPC${at.restricted ? ', restricted' : ''}: ${shown(at)} (${reach(at.host)})`,
    ),
    ...(zmq === undefined ? [] : zmqLines(zmq)),
    ...(stratum === undefined
      ? []
      : [`Stratum listens on ${shown(stratum)} (${reach(stratum.host)})`]),
  ];
}

function zmqLines({ rpc, restricted, events }: NonNullable<ListenFacts['zmq']>): string[] {
  return [
    `ZMQ RPC${restricted ? ', restricted' : ''}: tcp://${shown(rpc)} (${reach(rpc.host)})`,
    ...events.map((address) => `ZMQ events: ${address}${reachOfUrl(address)}`),
  ];
}

/** Files have no place in the network. */
function reachOfUrl(address: string): string {
  const [, host] = /^tcp:\/\/\[?([^\]]*)\]?:\d+$/.exec(address) ?? [];
  return host === undefined ? '' : ` (${reach(host)})`;
}
