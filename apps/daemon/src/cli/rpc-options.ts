import { flag, ignored, list, number, text } from './option-builders.ts';
import { BYTES, DRAIN, PORT, U32 } from './option-ranges.ts';
import type { OptionSpec } from './option-types.ts';

const refused = { support: 'refused' } as const;
/** Source: src/rpc/core_rpc_server.cpp, which has these options in 0.18 but not on the master branch. */
const payment = { reason: 'monerod removed payment for RPC after 0.18' } as const;

/** The options of RPC, ZeroMQ and metrics. */
export const RPC_OPTIONS: readonly OptionSpec[] = [
  text('rpc-bind-ip', 'IP', 'Address to listen on', { default: '127.0.0.1' }),
  text('rpc-bind-ipv6-address', 'IP', 'IPv6 address to listen on', { default: '::1' }),
  number('rpc-bind-port', 'Port to listen on', PORT, { default: '18081, 28081 or 38081' }),
  text('rpc-restricted-bind-ip', 'IP', 'Address of the restricted port', { default: '127.0.0.1' }),
  text('rpc-restricted-bind-ipv6-address', 'IP', 'IPv6 address of the restricted port', {
    default: '::1',
  }),
  number('rpc-restricted-bind-port', 'Second port, which serves restricted RPC', PORT),
  flag('restricted-rpc', 'Serve restricted RPC on the main port'),
  flag('rpc-use-ipv6', 'Listen on IPv6 too'),
  flag('rpc-ignore-ipv4', 'Start even if the IPv4 port cannot be opened'),
  text(
    'rpc-login',
    'USER[:PASSWORD]',
    'Digest login required of clients; the environment variable RPC_LOGIN works too',
  ),
  text('rpc-login-file', 'FILE', 'Like --rpc-login; FILE holds one line, USER:PASSWORD'),
  flag('confirm-external-bind', 'Allow an --rpc-bind-ip that is not loopback'),
  text('rpc-access-control-origins', 'ORIGINS', 'Allowed CORS origins, separated by commas'),
  text(
    'rpc-allowed-hosts',
    'NAMES',
    'Host names, separated by commas, that clients may use for an unrestricted port on loopback and browsers for the web page of the owner on any address; IP addresses, localhost, .onion and .i2p names need no entry',
  ),
  text(
    'rpc-page',
    'MODE',
    'Ports that serve the web page at /: owner (unrestricted ports), all (restricted ports show public facts only) or none',
    { default: 'owner' },
  ),
  text('rpc-ssl', 'MODE', 'enabled, disabled or autodetect', { default: 'autodetect' }),
  text('rpc-ssl-private-key', 'FILE', 'TLS key, PEM'),
  text('rpc-ssl-certificate', 'FILE', 'TLS certificate, PEM; by default the daemon creates one'),
  text(
    'rpc-ssl-ca-certificates',
    'FILE',
    'Allowed client certificates or their certificate authorities, PEM',
  ),
  list('rpc-ssl-allowed-fingerprints', 'SHA256', 'Fingerprint of an allowed client certificate'),
  flag(
    'rpc-ssl-allow-chained',
    'Allow client certificates signed through intermediate authorities',
  ),
  flag('rpc-ssl-allow-any-cert', 'Allow any client certificate'),
  flag('disable-rpc-ban', 'Do not ban addresses whose RPC requests fail'),
  number(
    'rpc-max-connections-per-public-ip',
    'Largest number of connections per public address',
    U32,
    {
      default: '3',
    },
  ),
  number(
    'rpc-max-connections-per-private-ip',
    'Largest number of connections per private address',
    U32,
    {
      default: '25',
    },
  ),
  number('rpc-max-connections', 'Largest number of connections in total', U32, { default: '100' }),
  text(
    'rpc-trusted-proxy',
    'IP[/BITS]',
    'Reverse proxies, separated by commas, that may name their clients with the PROXY protocol or X-Forwarded-For',
  ),
  number(
    'rpc-workers',
    'Number of processes that answer the calls that read the chain (docs/operating/rpc-workers.md)',
    [0, 64],
    { default: 'half the cores, if there are four and another machine can connect, or 0' },
  ),
  number(
    'rpc-response-soft-limit',
    'Largest size in bytes of responses queued for sending',
    BYTES,
    {
      default: '26214400',
    },
  ),
  text(
    'rpc-version-string',
    'WHOSE',
    'Version that get_info reports: own, or monerod for programs that expect a version of monerod (docs/reference/rpc-differences.md)',
    { default: 'own' },
  ),
  number(
    'ready-max-lag',
    'Blocks that a node may lack and still be ready (/health/ready, docs/operating/fleet.md)',
    U32,
    { default: '3' },
  ),
  number(
    'ready-max-tip-age',
    'Largest age in seconds of the newest block of a node that is ready; 0 for any',
    U32,
    { default: '0' },
  ),
  number('ready-min-peers', 'Smallest number of peers of a node that is ready', U32, {
    default: '1',
  }),
  number(
    'ready-min-disk',
    'Smallest number of free bytes on the disk of the data directory of a node that is ready',
    BYTES,
    { default: '0' },
  ),
  list(
    'fleet-node',
    'HOST:PORT',
    'RPC of another node behind the same balancer: this node is not ready while it lags behind one of them',
  ),
  number(
    'drain-seconds',
    'Seconds for which a node that was told to stop still serves, while /health/ready answers that it is stopping',
    DRAIN,
    { default: '0' },
  ),
  flag('public-node', 'Announce the restricted RPC port to peers'),
  text(
    'bootstrap-daemon-address',
    'URL',
    'Daemon that answers wallets while this one is far behind; auto uses public nodes',
  ),
  text('bootstrap-daemon-login', 'USER:PASSWORD', 'Login at the bootstrap daemon'),
  text(
    'bootstrap-daemon-proxy',
    '[SCHEME://]IP:PORT',
    'Connect to the bootstrap daemon through this SOCKS proxy; --proxy takes precedence',
  ),
  text('rpc-payment-address', 'ADDRESS', 'Payment for RPC', { ...refused, ...payment }),
  number('rpc-payment-difficulty', 'With --rpc-payment-address', BYTES, { ...ignored, ...payment }),
  number('rpc-payment-credits', 'With --rpc-payment-address', BYTES, { ...ignored, ...payment }),
  flag('rpc-payment-allow-free-loopback', 'With --rpc-payment-address', { ...ignored, ...payment }),
  text('zmq-rpc-bind-ip', 'IP', 'Address of the ZeroMQ RPC', { default: '127.0.0.1' }),
  number('zmq-rpc-bind-port', 'Port of the ZeroMQ RPC', PORT, {
    default: '18082, 28082 or 38082',
  }),
  list(
    'zmq-pub',
    'ADDRESS',
    'Publish events over ZeroMQ at this address, tcp://IP:PORT or ipc://PATH',
  ),
  flag('no-zmq', 'Do not serve ZeroMQ'),
  flag('restricted-zmq-rpc', 'Serve restricted ZeroMQ RPC, without calls that change this node'),
  flag('confirm-zmq-rpc-external-bind', 'Allow a --zmq-rpc-bind-ip that is not loopback'),
  text(
    'metrics-bind-ip',
    'IP',
    'Address to serve metrics at. Anyone who reaches it can read them (docs/operating/monitoring.md)',
    { default: '127.0.0.1' },
  ),
  number('metrics-bind-port', 'Port that serves metrics to Prometheus at /metrics', PORT),
  text(
    'events',
    'URL',
    'Publish events of the chain and the pool to this NATS server, nats://HOST:PORT or tls://HOST:PORT (docs/operating/events.md)',
  ),
  text(
    'events-credentials',
    'FILE',
    'Login at the NATS server: a .creds file, the seed of an nkey, USER:PASSWORD or a token',
  ),
  text(
    'events-tls-ca',
    'FILE',
    'Certificates (PEM) that the one of the NATS server must descend from',
  ),
  text('events-prefix', 'PREFIX', 'Beginning of the subjects of events', {
    default: 'monero.<network>',
  }),
  text('events-stream', 'NAME', 'Beginning of the names of the streams of events', {
    default: 'MONERO_<NETWORK>',
  }),
  text('events-encoding', 'FORM', 'Form of events: json or portable-storage', { default: 'json' }),
  number('events-from', 'First block of a new stream; 100 below the top when absent', U32),
  number('events-keep-days', 'Days that a new stream keeps its events', U32, { default: '30' }),
];
