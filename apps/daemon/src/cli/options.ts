import type { OptionKind, OptionSpec, OptionSupport } from './option-types.ts';

const PORT = [0, 65_535] as const;
const U32 = [0, 4_294_967_295] as const;
const COUNT = [-1, 2_147_483_647] as const;
const BYTES = [0, Number.MAX_SAFE_INTEGER] as const;

type Extra = Partial<Pick<OptionSpec, 'value' | 'default' | 'range' | 'support' | 'reason'>>;

function option(
  group: OptionSpec['group'],
  kind: OptionKind,
  name: string,
  help: string,
  extra: Extra = {},
): OptionSpec {
  const support: OptionSupport = extra.support ?? 'works';
  return { ...extra, group, kind, name, help, support };
}

const command = (name: string, kind: OptionKind, help: string, extra?: Extra) =>
  option('command', kind, name, help, extra);
const flag = (name: string, help: string, extra?: Extra) =>
  option('settings', 'switch', name, help, extra);
const text = (name: string, value: string, help: string, extra?: Extra) =>
  option('settings', 'text', name, help, { value, ...extra });
const number = (name: string, help: string, range: readonly [number, number], extra?: Extra) =>
  option('settings', 'integer', name, help, { value: 'N', range, ...extra });
const list = (name: string, value: string, help: string, extra?: Extra) =>
  option('settings', 'list', name, help, { value, ...extra });

const ignored = { support: 'ignored' } as const;
const refused = { support: 'refused' } as const;
/** Source: core_rpc_server.cpp, which has these options in 0.18 and no longer on the master branch. */
const payment = { reason: 'monerod removed payment for RPC after 0.18' } as const;

/** Every option of monerod 0.18 and what becomes of it here (source: its --help), and our own. */
export const OPTIONS: readonly OptionSpec[] = [
  command('help', 'switch', 'Show this text and exit'),
  command('version', 'switch', 'Show the version and exit'),
  command('os-version', 'switch', 'Show the operating system and exit'),
  command('config-file', 'text', 'Config file', {
    value: 'FILE',
    default: '<data-dir>/bitmonero.conf',
  }),
  command('detach', 'switch', 'Run in the background, once started (not on Windows)'),
  command('pidfile', 'text', 'File for the process id, with --detach', { value: 'FILE' }),
  command('non-interactive', 'switch', 'No console on standard input'),

  // general and logging
  text('log-file', 'FILE', 'Log file', { default: '<data-dir>/bitmonero.log' }),
  text('log-level', 'LEVEL', '0 to 4, or category:LEVEL pairs joined by commas'),
  number('max-log-file-size', 'Bytes after which the log file is rotated', BYTES, {
    default: '104850000',
  }),
  number('max-log-files', 'Rotated log files to keep, 0 for all', U32, { default: '50' }),
  number('max-concurrency', 'Threads for verification, 0 for one per core', U32, { default: '0' }),
  text('crypto-backend', 'NAME', 'auto, native, wasm or reference: who verifies signatures', {
    default: 'auto',
  }),
  text('pow-engine', 'NAME', 'auto, native or wasm: who computes RandomX', { default: 'auto' }),
  text('data-dir', 'DIR', 'Data directory', { default: '~/.bitmonero' }),
  flag('testnet', 'Run on testnet'),
  flag('stagenet', 'Run on stagenet'),
  flag('regtest', 'Run a private test chain'),
  flag('keep-fakechain', 'Keep the regtest chain of the last run'),
  number('fixed-difficulty', 'Difficulty of every block, 0 for the normal rule', BYTES, {
    default: '0',
  }),
  text('hard-forks', 'FILE', 'Forks of a private chain, not on mainnet: see docs/hard-forks.md'),
  flag('offline', 'No peer-to-peer network at all'),
  text('check-updates', 'MODE', 'disabled, notify, download or update', ignored),
  flag('disable-dns-checkpoints', 'No checkpoints from DNS'),
  flag('enforce-dns-checkpointing', 'Checkpoints from DNS are binding'),
  flag('show-time-stats', 'Log timings', ignored),
  number('test-dbg-lock-sleep', 'For debugging monerod', U32, ignored),
  flag('test-drop-download', 'For debugging monerod', ignored),
  number('test-drop-download-height', 'For debugging monerod', BYTES, ignored),

  // chain and synchronisation
  flag(
    'prune-blockchain',
    'Drop the signatures of old transactions that other nodes keep; cannot be undone',
  ),
  flag(
    'sync-pruned-blocks',
    'With --prune-blockchain and --block-hashes-file: download pruned what would be pruned anyway',
  ),
  text('fast-block-sync', '0|1', '0 verifies every block in full; see --block-hashes-file', {
    default: '1',
  }),
  text(
    'block-hashes-file',
    'FILE',
    'Hashes of groups of blocks: those that match need no proof of work or signatures verified',
  ),
  number('prep-blocks-threads', 'Threads for proof of work while synchronising', U32, {
    default: '4',
  }),
  number('block-sync-size', 'Blocks per request, 0 for the normal rule', [0, 2048], {
    default: '0',
  }),
  number('batch-max-weight', 'Accepted for compatibility', U32, ignored),
  number('span-limit', 'Accepted for compatibility', U32, ignored),
  number(
    'block-download-max-size',
    'Bytes of downloaded blocks that may wait, 0 for 100 MiB',
    BYTES,
    {
      default: '0',
    },
  ),
  number('max-txpool-weight', 'Weight of the transaction pool', BYTES, { default: '648000000' }),
  text(
    'fluffy-blocks',
    '0|1',
    'Accepted; new blocks always travel without their transactions',
    ignored,
  ),
  flag('no-fluffy-blocks', 'Accepted; see --fluffy-blocks', ignored),
  flag('keep-alt-blocks', 'Keep alternative blocks over restarts'),
  text(
    'db-sync-mode',
    'MODE',
    'safe, fast or fastest, with :sync or :async and :N blocks or bytes',
    {
      default: 'fast:async:250000000bytes',
    },
  ),
  flag('db-salvage', 'Accepted; the database needs no repair', ignored),
  text('block-notify', 'COMMAND', 'Run for each new block: %s its id'),
  text(
    'reorg-notify',
    'COMMAND',
    'Run after each reorganisation: %s height of the split, %h new height, %n new and %d dropped blocks',
  ),
  text(
    'block-rate-notify',
    'COMMAND',
    'Run when blocks come too fast or slow: %b blocks in %t minutes, %e expected',
  ),

  // mining
  text(
    'extra-messages-file',
    'FILE',
    'Messages in base64, one a line, for the coinbase transactions of the blocks found',
  ),
  text('start-mining', 'ADDRESS', 'Mine to this address once synchronized'),
  number('mining-threads', 'Threads to mine with, 0 for as many as are worth it', U32, {
    default: '1',
  }),
  flag('bg-mining-enable', 'Mine only while the machine is idle'),
  flag('bg-mining-ignore-battery', 'Mine on battery too, or where power cannot be told'),
  number('bg-mining-min-idle-interval', 'Seconds to have been idle, 10 to 3600', U32, {
    default: '10',
  }),
  number('bg-mining-idle-threshold', 'Percent of the processors to be idle, 0 to 99', U32, {
    default: '90',
  }),
  number('bg-mining-miner-target', 'Percent of the processors to mine with, 1 to 100', U32, {
    default: '40',
  }),

  // peer-to-peer
  text('p2p-bind-ip', 'IP', 'Address to listen on', { default: '0.0.0.0' }),
  text('p2p-bind-ipv6-address', 'IP', 'IPv6 address to listen on', { default: '::' }),
  number('p2p-bind-port', 'Port to listen on', PORT, { default: '18080, 28080 or 38080' }),
  number('p2p-bind-port-ipv6', 'IPv6 port to listen on', PORT, {
    default: '18080, 28080 or 38080',
  }),
  flag('p2p-use-ipv6', 'Listen on IPv6 too, and connect to IPv6 peers'),
  flag('p2p-ignore-ipv4', 'Go on when the IPv4 port cannot be had'),
  number('p2p-external-port', 'Port to announce to peers', PORT, { default: '0' }),
  flag('allow-local-ip', 'Accept private addresses as peers'),
  list('add-peer', 'HOST:PORT', 'Add to the peer list'),
  list('add-priority-node', 'HOST:PORT', 'Keep connected to this peer'),
  list('add-exclusive-node', 'HOST:PORT', 'Connect to these peers only'),
  list('seed-node', 'HOST:PORT', 'Take the peer list from this node'),
  text(
    'proxy',
    '[SCHEME://]IP:PORT',
    'Reach peers through this SOCKS proxy: socks4a (default), socks4 or socks5://[USER:PASSWORD@]',
  ),
  flag('proxy-allow-dns-leaks', 'With --proxy: look names up in the DNS all the same'),
  list(
    'tx-proxy',
    'NET,IP:PORT[,MAX][,disable_noise]',
    'Send own transactions over tor or i2p only, through this SOCKS proxy, to MAX peers',
  ),
  list(
    'anonymous-inbound',
    'HOST[:PORT],[IP:]PORT[,MAX]',
    'Hidden service of this node, where it forwards connections to, and how many (with --tx-proxy)',
  ),
  list(
    'libp2p-listen',
    'MULTIADDR',
    'Take encrypted links over libp2p at /ip4/IP/tcp/PORT, or /ip4/IP/tcp/PORT/ws for browsers. The node gets a lasting identity, by which who reaches it recognizes it at any IP (docs/libp2p.md)',
  ),
  list(
    'libp2p-peer',
    'MULTIADDR',
    'Stay connected over libp2p to the node at MULTIADDR, which ends in /p2p/PEER-ID; it learns the IP and the lasting identity of this one',
  ),
  flag(
    'libp2p-mdns',
    'Find libp2p nodes in the local network; tells everyone there that this one runs, and its lasting identity',
  ),
  text('ban-list', 'FILE', 'File of banned addresses, one a line'),
  flag('hide-my-port', 'Do not announce the port'),
  flag('no-sync', 'Never download blocks'),
  flag('enable-dns-blocklist', 'Ban the addresses of the ban list in the DNS (mainnet)'),
  flag('no-igd', 'Accepted; UPnP is never used', ignored),
  text('igd', 'MODE', 'Accepted; UPnP is never used', ignored),
  number('out-peers', 'Outgoing connections', COUNT, { default: '12' }),
  number('in-peers', 'Most incoming connections', COUNT, { default: 'unlimited' }),
  number('tos-flag', 'Accepted; sockets are not marked', COUNT, ignored),
  number('limit-rate-up', 'kB/s up', COUNT, { default: '8192' }),
  number('limit-rate-down', 'kB/s down', COUNT, { default: '32768' }),
  number('limit-rate', 'kB/s, both ways', COUNT, { default: '-1' }),
  flag('pad-transactions', 'Pad relayed transactions'),
  number('max-connections-per-ip', 'Incoming connections per address', U32, { default: '1' }),

  // RPC
  text('rpc-bind-ip', 'IP', 'Address to listen on', { default: '127.0.0.1' }),
  text('rpc-bind-ipv6-address', 'IP', 'IPv6 address to listen on', { default: '::1' }),
  number('rpc-bind-port', 'Port to listen on', PORT, { default: '18081, 28081 or 38081' }),
  text('rpc-restricted-bind-ip', 'IP', 'Address of the restricted port', { default: '127.0.0.1' }),
  text('rpc-restricted-bind-ipv6-address', 'IP', 'IPv6 address of the restricted port', {
    default: '::1',
  }),
  number('rpc-restricted-bind-port', 'Second port that serves the restricted view', PORT),
  flag('restricted-rpc', 'Serve the restricted view on the main port'),
  flag('rpc-use-ipv6', 'Listen on IPv6 too'),
  flag('rpc-ignore-ipv4', 'Go on when the IPv4 port cannot be had'),
  text(
    'rpc-login',
    'USER[:PASSWORD]',
    'Digest login that clients need; also RPC_LOGIN in the environment',
  ),
  flag('confirm-external-bind', 'Allow --rpc-bind-ip other than loopback'),
  text('rpc-access-control-origins', 'ORIGINS', 'Origins for CORS, joined by commas'),
  text('rpc-ssl', 'MODE', 'enabled, disabled or autodetect', { default: 'autodetect' }),
  text('rpc-ssl-private-key', 'FILE', 'TLS key, PEM'),
  text('rpc-ssl-certificate', 'FILE', 'TLS certificate, PEM; without one the daemon makes its own'),
  text(
    'rpc-ssl-ca-certificates',
    'FILE',
    'Client certificates, or authorities that sign them, PEM',
  ),
  list('rpc-ssl-allowed-fingerprints', 'SHA256', 'Allowed client certificates'),
  flag('rpc-ssl-allow-chained', 'Take client certificates with intermediate authorities'),
  flag('rpc-ssl-allow-any-cert', 'Take any client certificate'),
  flag('disable-rpc-ban', 'Do not ban addresses for failing RPC requests'),
  number('rpc-max-connections-per-public-ip', 'Connections per public address', U32, {
    default: '3',
  }),
  number('rpc-max-connections-per-private-ip', 'Connections per private address', U32, {
    default: '25',
  }),
  number('rpc-max-connections', 'Connections in all', U32, { default: '100' }),
  number('rpc-response-soft-limit', 'Bytes of answers that may be queued', BYTES, {
    default: '26214400',
  }),
  flag('public-node', 'Announce the RPC port to peers (needs restricted access)'),
  text(
    'bootstrap-daemon-address',
    'URL',
    'Other daemon that answers wallets while this one is far behind; auto for a public node',
  ),
  text('bootstrap-daemon-login', 'USER:PASSWORD', 'With --bootstrap-daemon-address'),
  text(
    'bootstrap-daemon-proxy',
    '[SCHEME://]IP:PORT',
    'Reach the bootstrap daemon through this SOCKS proxy; --proxy, when given, serves for that too',
  ),
  text('rpc-payment-address', 'ADDRESS', 'Payment for RPC', { ...refused, ...payment }),
  number('rpc-payment-difficulty', 'With --rpc-payment-address', BYTES, { ...ignored, ...payment }),
  number('rpc-payment-credits', 'With --rpc-payment-address', BYTES, { ...ignored, ...payment }),
  flag('rpc-payment-allow-free-loopback', 'With --rpc-payment-address', { ...ignored, ...payment }),
  text('zmq-rpc-bind-ip', 'IP', 'Address of the ZeroMQ RPC', { default: '127.0.0.1' }),
  number('zmq-rpc-bind-port', 'Port of the ZeroMQ RPC', PORT, {
    default: '18082, 28082 or 38082',
  }),
  list('zmq-pub', 'ADDRESS', 'Publish events over ZeroMQ at tcp://IP:PORT or ipc://PATH'),
  flag('no-zmq', 'No ZeroMQ'),
  flag('restricted-zmq-rpc', 'Hide what changes this node from the ZeroMQ RPC'),
  flag('confirm-zmq-rpc-external-bind', 'Allow --zmq-rpc-bind-ip other than loopback'),
];

const BY_NAME = new Map(OPTIONS.map((spec) => [spec.name, spec]));

export function optionNamed(name: string): OptionSpec | undefined {
  return BY_NAME.get(name);
}
