import { PORTS } from './ports';

/** Choices of the owner, made in the actions. */
export interface Settings {
  readonly login: { readonly username: string; readonly password: string } | null;
  readonly pruned: boolean;
  readonly zmq: boolean;
  readonly tor: boolean;
  readonly outPeers: number | null;
  readonly inPeers: number | null;
  readonly limitRateUp: number | null;
  readonly limitRateDown: number | null;
}

/** Facts of the system. */
export interface Surroundings {
  /** IP:PORT of the SOCKS proxy of Tor. */
  readonly torProxy: string;
  /** The Tor address of the peer interface, without a port; undefined until there is one. */
  readonly onion: string | undefined;
  /** Names and IP addresses by which browsers open the page of the node. */
  readonly hostNames: readonly string[];
}

/**
 * Returns the options of the daemon that follow those of its image. The login is not among them, because every
 * process can read them: it is in the environment, as RPC_LOGIN.
 */
export function daemonArguments(settings: Settings, { torProxy, onion, hostNames }: Surroundings) {
  const { tor, outPeers, inPeers, limitRateUp, limitRateDown } = settings;
  const number = (name: string, value: number | null) =>
    value === null ? [] : [`--${name}=${value}`];
  // The node lets every IP address pass.
  const names = hostNames.filter((name) => /[a-z]/i.test(name) && !name.includes(':'));
  return [
    '--rpc-bind-ip=0.0.0.0',
    '--confirm-external-bind',
    '--rpc-restricted-bind-ip=0.0.0.0',
    `--rpc-restricted-bind-port=${PORTS.restricted}`,
    ...(names.length > 0 ? [`--rpc-allowed-hosts=${names.join(',')}`] : []),
    ...(settings.pruned ? ['--prune-blockchain'] : []),
    ...(settings.zmq ? [`--zmq-pub=tcp://0.0.0.0:${PORTS.zmq}`] : []),
    ...(tor ? [`--tx-proxy=tor,${torProxy},16`] : []),
    // The node serves Tor only if it also sends over it.
    ...(tor && onion !== undefined
      ? [`--anonymous-inbound=${onion}:${PORTS.peers},127.0.0.1:${PORTS.onion},16`]
      : []),
    ...number('out-peers', outPeers),
    ...number('in-peers', inPeers),
    ...number('limit-rate-up', limitRateUp),
    ...number('limit-rate-down', limitRateDown),
  ];
}
