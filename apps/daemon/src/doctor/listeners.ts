import { isIpv6, unbracketed } from '@monero-node/p2p/hosts';
import { DEFAULT_RPC_OPTIONS } from '@monero-node/rpc/options';
import type { DaemonSettings } from '../cli/daemon-settings.ts';
import { listenOptions } from '../ending/listen-failure.ts';
import type { Endpoint } from './probes/listening.ts';

/** The hosts on which the two ports of the RPC listen; the second is empty when there is none. */
export interface RpcHosts {
  readonly owner: readonly string[];
  readonly restricted: readonly string[];
}

/** Returns the hosts on which the RPC listens. */
export function rpcHosts({ rpc }: Pick<DaemonSettings, 'rpc'>): RpcHosts {
  const {
    bindIp = DEFAULT_RPC_OPTIONS.bindIp,
    restrictedBindIp = DEFAULT_RPC_OPTIONS.restrictedBindIp,
    bindIpv6Address = DEFAULT_RPC_OPTIONS.bindIpv6Address,
    restrictedBindIpv6Address = DEFAULT_RPC_OPTIONS.restrictedBindIpv6Address,
    useIpv6 = false,
    restrictedBindPort,
  } = rpc;
  const restricted = [restrictedBindIp, ...(useIpv6 ? [restrictedBindIpv6Address] : [])];
  return {
    owner: [bindIp, ...(useIpv6 ? [bindIpv6Address] : [])],
    restricted: restrictedBindPort === undefined ? [] : restricted,
  };
}

/** An address that a node listens on. */
export interface WantedListener extends Endpoint {
  /** Whether a node starts without it. */
  readonly isOptional: boolean;
}

/** Returns every address that a node with these settings listens on, without ports that the system chooses. */
export function wantedListeners(settings: DaemonSettings): WantedListener[] {
  const { rpc, zmq, stratum, metrics } = settings;
  const hosts = rpcHosts(settings);
  const rpcAt = (host: string, port = 0): WantedListener =>
    listener(host, port, isIpv6(host) || rpc.ignoreIpv4 === true);
  const all = [
    ...peerListeners(settings),
    ...hosts.owner.map((host) => rpcAt(host, rpc.bindPort)),
    ...hosts.restricted.map((host) => rpcAt(host, rpc.restrictedBindPort)),
    zmq && listener(zmq.rpcBindIp, zmq.rpcBindPort),
    stratum && listener(stratum.bindIp, stratum.bindPort),
    metrics && listener(metrics.bindIp, metrics.bindPort),
  ];
  return all.filter((each) => each !== undefined).filter(({ port }) => port !== 0);
}

function listener(host: string, port: number, isOptional = false): WantedListener {
  return { host: unbracketed(host), port, isOptional };
}

/** Returns the addresses for peers, those to which Tor and I2P forward included. */
function peerListeners({ p2p }: DaemonSettings): WantedListener[] {
  if (p2p.offline) return [];
  const { anonymityZones = [], bindIp, bindIpv6, bindPort, bindPortIpv6 = bindPort } = p2p;
  const hidden = anonymityZones.flatMap(({ inbound }) => inbound ?? []);
  return [
    listener(bindIp, bindPort, p2p.ignoreIpv4),
    ...(p2p.useIpv6 === true ? [listener(bindIpv6, bindPortIpv6, true)] : []),
    ...hidden.map((each) => listener(each.bindIp, each.bindPort)),
  ];
}

/** Returns the option that sets a port, in words; that of peers of Tor and I2P has no port of its own. */
export function optionOf({ host, port }: Endpoint, settings: DaemonSettings): string {
  const found = listenOptions(settings, isIpv6(host)).find((each) => each.port === port);
  return found?.ofPort ?? '--anonymous-inbound';
}
