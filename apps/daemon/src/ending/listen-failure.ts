import { types } from 'node:util';
import { systemCodeOf } from '@monero-node/storage/system';
import type { DaemonSettings } from '../cli/daemon-settings.ts';

/** Parts of the settings that name ports. */
export type PortSettings = {
  readonly p2p: Pick<DaemonSettings['p2p'], 'bindPort' | 'bindPortIpv6'>;
  readonly rpc: Pick<DaemonSettings['rpc'], 'bindPort' | 'restrictedBindPort'>;
  readonly zmq?: { readonly rpcBindPort: number } | undefined;
  readonly stratum?: { readonly bindPort: number } | undefined;
  readonly metrics?: { readonly bindPort: number } | undefined;
};

/** A port that this node listens on, and the options of the port and of its address. */
export interface ListenOptions {
  readonly port: number | undefined;
  readonly ofPort: string;
  readonly ofAddress: string;
}

/**
 * Returns the options for every port of a node.
 * @param isIpv6 whether the address is one of IPv6, which has options of its own
 */
export function listenOptions(
  { p2p, rpc, zmq, stratum, metrics }: PortSettings,
  isIpv6: boolean,
): ListenOptions[] {
  const all: [number | undefined, string, string][] = [
    isIpv6
      ? [p2p.bindPortIpv6, '--p2p-bind-port-ipv6', '--p2p-bind-ipv6-address']
      : [p2p.bindPort, '--p2p-bind-port', '--p2p-bind-ip'],
    [rpc.bindPort, '--rpc-bind-port', isIpv6 ? '--rpc-bind-ipv6-address' : '--rpc-bind-ip'],
    [
      rpc.restrictedBindPort,
      '--rpc-restricted-bind-port',
      isIpv6 ? '--rpc-restricted-bind-ipv6-address' : '--rpc-restricted-bind-ip',
    ],
    [zmq?.rpcBindPort, '--zmq-rpc-bind-port', '--zmq-rpc-bind-ip'],
    [stratum?.bindPort, '--stratum-bind-port', '--stratum-bind-ip'],
    [metrics?.bindPort, '--metrics-bind-port', '--metrics-bind-ip'],
  ];
  return all.map(([port, ofPort, ofAddress]) => ({ port, ofPort, ofAddress }));
}

/** Sentences for the reasons why an address cannot be listened on. */
const SENTENCES: Readonly<Record<string, (address: string, options: ListenOptions[]) => string>> = {
  EADDRINUSE: (address, options) =>
    options.length > 1
      ? `${address} is asked for by ${portsOf(options)}: choose different ports`
      : `another program uses ${address}: stop it, or choose another port with ${portsOf(options)}`,
  EACCES: (address, options) =>
    `this user is not allowed to listen on ${address}: choose a port above 1023 with ${portsOf(options)}`,
  EADDRNOTAVAIL: (address, options) =>
    `${address} is not an address of this machine: choose one with ${options.map(({ ofAddress }) => ofAddress).join(' or ')}`,
};

const portsOf = (options: ListenOptions[]): string =>
  options.map(({ ofPort }) => ofPort).join(' and ');

/** Returns what to say when an address could not be listened on; undefined for any other error. */
export function listenFailure(error: unknown, settings: PortSettings): string | undefined {
  const sentence = SENTENCES[systemCodeOf(error) ?? ''];
  if (sentence === undefined || !types.isNativeError(error)) return undefined;
  const { address, port } = error as Error & { address?: unknown; port?: unknown };
  if (typeof address !== 'string') return undefined;
  const isIpv6 = address.includes(':');
  const options = listenOptions(settings, isIpv6).filter((each) => each.port === port);
  if (options.length === 0) return undefined;
  return sentence(`${isIpv6 ? `[${address}]` : address}:${String(port)}`, options);
}
