import { DEFAULT_READINESS } from '@monero-node/node/readiness';
import { DEFAULT_RPC_OPTIONS, PAGE_MODES } from '@monero-node/rpc/options';
import {
  BYTES,
  defineOptions,
  flag,
  integer,
  list,
  PORT,
  SAME_DEFAULT,
  text,
  U32,
} from './define-options.ts';

/** Source: src/rpc/core_rpc_server.cpp, which has these options in 0.18 but not on the master branch. */
const NO_PAYMENT = 'monerod removed payment for RPC after 0.18';

/** Options of the RPC. */
export const RPC_OPTIONS = defineOptions({
  'rpc-bind-ip': text('Address to listen on', {
    topic: 'rpc',
    rpc: 'bindIp',
    value: 'IP',
    default: DEFAULT_RPC_OPTIONS.bindIp,
    shownBy: 'rpc/server',
  }),
  'rpc-bind-ipv6-address': text('IPv6 address to listen on', {
    topic: 'rpc',
    value: 'IP',
    default: DEFAULT_RPC_OPTIONS.bindIpv6Address,
    shownBy: 'rpc/server',
  }),
  'rpc-bind-port': integer('Port to listen on', {
    topic: 'rpc',
    range: PORT,
    shownDefault: '18081, 28081 or 38081',
    defaultNote: SAME_DEFAULT,
    shownBy: '18-rpc-replay',
  }),
  'rpc-restricted-bind-ip': text('Address of the restricted port', {
    topic: 'rpc',
    rpc: 'restrictedBindIp',
    value: 'IP',
    default: DEFAULT_RPC_OPTIONS.restrictedBindIp,
    shownBy: 'rpc/server',
  }),
  'rpc-restricted-bind-ipv6-address': text('IPv6 address of the restricted port', {
    topic: 'rpc',
    value: 'IP',
    default: DEFAULT_RPC_OPTIONS.restrictedBindIpv6Address,
    shownBy: 'rpc/server',
  }),
  'rpc-restricted-bind-port': integer('Second port, which serves restricted RPC', {
    topic: 'rpc',
    rpc: 'restrictedBindPort',
    range: PORT,
    shownBy: '18-rpc-replay',
  }),
  'restricted-rpc': flag('Serve restricted RPC on the main port', {
    topic: 'rpc',
    reload: true,
    rpc: 'restrictedRpc',
    shownBy: 'rpc/server',
  }),
  'rpc-use-ipv6': flag('Listen on IPv6 too', {
    topic: 'rpc',
    rpc: 'useIpv6',
    shownBy: 'rpc/server',
  }),
  'rpc-ignore-ipv4': flag('Start even if the IPv4 port cannot be opened', {
    topic: 'rpc',
    rpc: 'ignoreIpv4',
    shownBy: 'rpc/server',
  }),
  'rpc-login': text(
    'Digest login required of clients; the environment variable RPC_LOGIN works too',
    { topic: 'rpc', value: 'USER[:PASSWORD]', shownBy: 'rpc/login/digest-session' },
  ),
  'rpc-login-file': text('Like --rpc-login; FILE holds one line, USER:PASSWORD', {
    topic: 'rpc',
    value: 'FILE',
  }),
  'confirm-external-bind': flag('Allow an --rpc-bind-ip that is not loopback', {
    topic: 'rpc',
    rpc: 'confirmExternalBind',
    shownBy: 'rpc/gateway/gateway',
  }),
  'rpc-access-control-origins': text('Allowed CORS origins, separated by commas', {
    topic: 'rpc',
    value: 'ORIGINS',
    shownBy: 'rpc/gateway/answers/browser-guard',
  }),
  'rpc-allowed-hosts': text(
    'Host names, separated by commas, that clients may use for an unrestricted port on loopback and browsers for the web page of the owner on any address; IP addresses, localhost, .onion and .i2p names need no entry',
    { topic: 'rpc', value: 'NAMES' },
  ),
  'rpc-page': text(
    'Ports that serve the web page at /: owner (unrestricted ports), all (restricted ports show public facts only) or none',
    { topic: 'rpc', value: 'MODE', default: DEFAULT_RPC_OPTIONS.page, words: PAGE_MODES },
  ),
  'rpc-hidden-service': list(
    'Tor or I2P address that leads to the restricted RPC; the public page shows it to wallets (docs/operating/page.md)',
    { topic: 'rpc', value: 'HOST:PORT' },
  ),
  'rpc-ssl': text('enabled, disabled or autodetect', {
    topic: 'rpc',
    value: 'MODE',
    default: 'autodetect',
    words: ['enabled', 'disabled', 'autodetect'],
    isPlain: true,
    shownBy: 'rpc/tls/tls',
  }),
  'rpc-ssl-private-key': text('TLS key, PEM', {
    topic: 'rpc',
    value: 'FILE',
    shownBy: 'rpc/tls/tls',
  }),
  'rpc-ssl-certificate': text('TLS certificate, PEM; by default the daemon creates one', {
    topic: 'rpc',
    value: 'FILE',
    shownBy: 'rpc/tls/tls',
  }),
  'rpc-ssl-ca-certificates': text(
    'Allowed client certificates or their certificate authorities, PEM',
    { topic: 'rpc', value: 'FILE', shownBy: 'rpc/tls/tls' },
  ),
  'rpc-ssl-allowed-fingerprints': list('Fingerprint of an allowed client certificate', {
    topic: 'rpc',
    value: 'SHA256',
    shownBy: 'rpc/tls/tls',
  }),
  'rpc-ssl-allow-chained': flag(
    'Allow client certificates signed through intermediate authorities',
    { topic: 'rpc', shownBy: 'rpc/tls/tls' },
  ),
  'rpc-ssl-allow-any-cert': flag('Allow any client certificate', {
    topic: 'rpc',
    shownBy: 'rpc/tls/tls',
  }),
  'disable-rpc-ban': flag('Do not ban addresses whose RPC requests fail', {
    topic: 'rpc',
    reload: true,
    rpc: 'disableRpcBan',
    shownBy: '24-survive-garbage-requests',
  }),
  'rpc-max-connections-per-public-ip': integer('Largest number of connections per public address', {
    topic: 'rpc',
    reload: true,
    rpc: 'maxConnectionsPerPublicIp',
    range: U32,
    default: DEFAULT_RPC_OPTIONS.maxConnectionsPerPublicIp,
    shownBy: 'rpc/gateway/connections/connection-limits',
  }),
  'rpc-max-connections-per-private-ip': integer(
    'Largest number of connections per private address',
    {
      topic: 'rpc',
      reload: true,
      rpc: 'maxConnectionsPerPrivateIp',
      range: U32,
      default: DEFAULT_RPC_OPTIONS.maxConnectionsPerPrivateIp,
      shownBy: 'rpc/gateway/connections/connection-limits',
    },
  ),
  'rpc-max-connections': integer('Largest number of connections in total', {
    topic: 'rpc',
    reload: true,
    rpc: 'maxConnections',
    range: U32,
    default: DEFAULT_RPC_OPTIONS.maxConnections,
    shownBy: 'rpc/gateway/connections/connection-limits',
  }),
  'rpc-trusted-proxy': text(
    'Reverse proxies, separated by commas, that may name their clients with the PROXY protocol or X-Forwarded-For',
    { topic: 'rpc', reload: true, value: 'IP[/BITS]' },
  ),
  'rpc-client-log': integer(
    'Minutes between lines in the log about what each RPC client has cost; 0 turns them off (docs/operating/monitoring.md)',
    { topic: 'rpc', range: [0, 1440], default: 0 },
  ),
  'rpc-workers': integer(
    'Number of processes that answer the calls that read the chain (docs/operating/rpc-workers.md)',
    {
      topic: 'rpc',
      range: [0, 64],
      shownDefault: 'half the cores, if there are four and another machine can connect, or 0',
    },
  ),
  'rpc-response-soft-limit': integer('Largest size in bytes of responses queued for sending', {
    topic: 'rpc',
    reload: true,
    rpc: 'responseSoftLimit',
    range: BYTES,
    default: DEFAULT_RPC_OPTIONS.responseSoftLimit,
  }),
  'rpc-version-string': text(
    'Version that get_info reports: own, or monerod for programs that expect a version of monerod (docs/reference/rpc-differences.md)',
    { topic: 'rpc', value: 'WHOSE', default: 'own', words: ['own', 'monerod'], isPlain: true },
  ),
  'ready-max-lag': integer(
    'Blocks that a node may lack and still be ready (/health/ready, docs/operating/fleet.md)',
    { topic: 'rpc', range: U32, default: DEFAULT_READINESS.maxLag },
  ),
  'ready-max-tip-age': integer(
    'Largest age in seconds of the newest block of a node that is ready; 0 for any',
    { topic: 'rpc', range: U32, default: DEFAULT_READINESS.maxTipAge },
  ),
  'ready-min-peers': integer(
    'Smallest number of peers, without those of its fleet, of a node that is ready',
    {
      topic: 'rpc',
      range: U32,
      default: DEFAULT_READINESS.minPeers,
    },
  ),
  'ready-min-disk': integer(
    'Smallest number of free bytes on the disk of the data directory of a node that is ready',
    { topic: 'rpc', range: BYTES, default: DEFAULT_READINESS.minFreeSpace },
  ),
  'fleet-node': list(
    'RPC of another node behind the same balancer, or a DNS name of all of them, or of their SRV records without a port: this node is not ready while it lags behind most of those that are ready',
    { topic: 'rpc', value: 'HOST:PORT' },
  ),
  'drain-seconds': integer(
    'Seconds for which a node that was told to stop still serves, while /health/ready answers that it is stopping',
    { topic: 'rpc', range: [0, 3600], default: 0 },
  ),
  'public-node': flag('Announce the restricted RPC port to peers', {
    topic: 'rpc',
    note: 'needs `--restricted-rpc` or a restricted port',
    shownBy: 'p2p/node.introductions',
  }),
  'bootstrap-daemon-address': text(
    'Daemon that answers wallets while this one is far behind; auto uses public nodes',
    { topic: 'rpc', value: 'URL', shownBy: 'rpc/bootstrap/bootstrap' },
  ),
  'bootstrap-daemon-login': text('Login at the bootstrap daemon', {
    topic: 'rpc',
    value: 'USER:PASSWORD',
    shownBy: 'rpc/bootstrap/bootstrap',
  }),
  'bootstrap-daemon-proxy': text(
    'Connect to the bootstrap daemon through this SOCKS proxy; --proxy takes precedence',
    { topic: 'rpc', value: '[SCHEME://]IP:PORT', shownBy: 'rpc/bootstrap/proxy' },
  ),
  'rpc-payment-address': text('Payment for RPC', {
    topic: 'rpc',
    value: 'ADDRESS',
    support: 'refused',
    reason: NO_PAYMENT,
    note: 'payment for RPC is not available',
  }),
  'rpc-payment-difficulty': integer('With --rpc-payment-address', {
    topic: 'rpc',
    range: BYTES,
    support: 'ignored',
    reason: NO_PAYMENT,
    note: 'payment for RPC is not available',
  }),
  'rpc-payment-credits': integer('With --rpc-payment-address', {
    topic: 'rpc',
    range: BYTES,
    support: 'ignored',
    reason: NO_PAYMENT,
    note: 'payment for RPC is not available',
  }),
  'rpc-payment-allow-free-loopback': flag('With --rpc-payment-address', {
    topic: 'rpc',
    support: 'ignored',
    reason: NO_PAYMENT,
    note: 'payment for RPC is not available',
  }),
});
