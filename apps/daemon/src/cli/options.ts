import { BLOCK_GROUP_SIZE, NETWORKS } from '@monero-node/consensus';
import { DEFAULT_REGISTRY } from '../updates/default-registry.ts';
import { DEFAULT_SYNC_MODE } from './sync-mode.ts';
import { command, flag, list, number, text } from './option-builders.ts';
import type { OptionSpec } from './option-types.ts';

const PORT = [0, 65_535] as const;
const U32 = [0, 4_294_967_295] as const;
const COUNT = [-1, 2_147_483_647] as const;
const BYTES = [0, Number.MAX_SAFE_INTEGER] as const;

const { count: GROUPS = 0, sha256: DIGEST = '' } = NETWORKS.mainnet.trustedBlockGroups ?? {};
const BUILT_IN = `mainnet: below height ${GROUPS * BLOCK_GROUP_SIZE}, SHA-256 ${DIGEST}`;

const ignored = { support: 'ignored' } as const;
const refused = { support: 'refused' } as const;
const timings = { reason: '--metrics-bind-port serves timings' } as const;
/** Source: src/rpc/core_rpc_server.cpp, which has these options in 0.18 but not on the master branch. */
const payment = { reason: 'monerod removed payment for RPC after 0.18' } as const;

/** Every option of monerod 0.18 (source: its --help) with its support here, and the options that only we have. */
export const OPTIONS: readonly OptionSpec[] = [
  command(
    'help',
    'switch',
    'Print the important options, or with a topic or option what belongs to it, and exit',
  ),
  command('help-all', 'switch', 'Print every option and exit'),
  command('version', 'switch', 'Print the version and exit'),
  command('os-version', 'switch', 'Print the operating system and exit'),
  command('config-file', 'text', 'Config file', {
    value: 'FILE',
    default: '<data-dir>/bitmonero.conf',
  }),
  command(
    'detach',
    'switch',
    'Run in the background; returns once the daemon has started (not on Windows)',
  ),
  command(
    'pidfile',
    'text',
    'With --detach: file that holds the process id while the daemon runs',
    { value: 'FILE' },
  ),
  command('non-interactive', 'switch', 'Do not read commands from standard input'),
  command(
    'json',
    'switch',
    'With a command, for example status: print the answers of the RPC as JSON',
  ),

  // general and logging
  text('log-file', 'FILE', 'Log file', { default: '<data-dir>/bitmonero.log' }),
  text(
    'log-format',
    'FORM',
    'Lines of the log file, and of standard output that is no terminal: text or json',
    { default: 'text' },
  ),
  text('log-level', 'LEVEL', '0 to 4, or category:LEVEL pairs separated by commas'),
  number(
    'max-log-file-size',
    'Size in bytes at which the log file is rotated; 0 never rotates it',
    BYTES,
    {
      default: '104850000',
    },
  ),
  number('max-log-files', 'Number of rotated log files to keep; 0 keeps all', U32, {
    default: '50',
  }),
  number('max-concurrency', 'Number of verification threads; 0 for one per core', U32, {
    default: '0',
  }),
  text(
    'crypto-backend',
    'NAME',
    'Backend that verifies signatures: auto, native, wasm or reference',
    {
      default: 'auto',
    },
  ),
  text('pow-engine', 'NAME', 'Engine that computes RandomX: auto, native or wasm', {
    default: 'auto',
  }),
  text('data-dir', 'DIR', 'Data directory', { default: '~/.bitmonero' }),
  flag('testnet', 'Run on testnet'),
  flag('stagenet', 'Run on stagenet'),
  flag('regtest', 'Run a private test chain'),
  flag('keep-fakechain', 'On regtest, keep the chain of the last run'),
  number('fixed-difficulty', 'Difficulty of every block; 0 for the normal rule', BYTES, {
    default: '0',
  }),
  text(
    'hard-forks',
    'FILE',
    'Hard forks of a private chain; not on mainnet (see docs/hard-forks.md)',
  ),
  flag('offline', 'Do not connect to peers or listen for them'),
  text(
    'check-updates',
    'MODE',
    'Look for newer versions of this program at the start and every 12 hours: disabled, notify (a line in the log), download (the archive, into <data-dir>/updates) or update (as download). Nothing is ever installed',
    { default: 'disabled' },
  ),
  text('update-registry', 'URL', 'npm registry that is asked for newer versions', {
    default: DEFAULT_REGISTRY,
  }),
  flag('disable-dns-checkpoints', 'Do not look up checkpoints in the DNS'),
  flag(
    'enforce-dns-checkpointing',
    'Enforce the checkpoints in the DNS; without this option they only cause warnings',
  ),
  number('show-time-stats', 'Log timings', U32, { ...ignored, ...timings }),
  number('test-dbg-lock-sleep', 'For debugging monerod', U32, { ...ignored, default: '0' }),
  flag('test-drop-download', 'For debugging monerod', ignored),
  number('test-drop-download-height', 'For debugging monerod', BYTES, ignored),

  // chain and synchronisation
  flag('prune-blockchain', 'Permanently drop signatures of old transactions that other nodes keep'),
  flag(
    'sync-pruned-blocks',
    'With --prune-blockchain: download trusted blocks without the data that pruning would drop',
  ),
  text(
    'fast-block-sync',
    '0|1',
    `1 trusts blocks whose hashes are in the built-in list (${BUILT_IN}) or in --block-hashes-file; 0 verifies every block in full`,
    { default: '1' },
  ),
  text(
    'block-hashes-file',
    'FILE',
    'Hashes of groups of blocks, instead of the built-in list; proof of work and signatures of matching blocks are not verified',
  ),
  number('prep-blocks-threads', 'Number of proof-of-work threads while synchronising', U32, {
    default: 'one for each processor',
  }),
  number('block-sync-size', 'Number of blocks per request; 0 for the normal rule', [0, 2048], {
    default: '0',
  }),
  number('batch-max-weight', 'Accepted for compatibility', U32, ignored),
  number('span-limit', 'Accepted for compatibility', U32, ignored),
  number(
    'block-download-max-size',
    'Largest size in bytes of downloaded blocks that wait for verification; 0 for 100 MiB',
    BYTES,
    {
      default: '0',
    },
  ),
  number('max-txpool-weight', 'Largest total weight of the transaction pool', BYTES, {
    default: '648000000',
  }),
  flag(
    'fluffy-blocks',
    'Accepted for compatibility; new blocks are always sent without their transactions',
    { ...ignored, metBy: true },
  ),
  flag('no-fluffy-blocks', 'Accepted for compatibility; see --fluffy-blocks', ignored),
  flag('keep-alt-blocks', 'Keep alternative blocks across restarts'),
  text(
    'db-sync-mode',
    'MODE',
    'safe, fast or fastest; :sync or :async and :Nblocks or :Nbytes may follow and have no effect',
    {
      default: DEFAULT_SYNC_MODE,
    },
  ),
  flag('db-salvage', 'Accepted for compatibility; the database needs no repair', ignored),
  text('block-notify', 'COMMAND', 'Command to run for each new block; %s is its id'),
  text(
    'reorg-notify',
    'COMMAND',
    'Command to run after each reorganisation; %s is the split height, %h the new height, %n the number of new blocks, %d of removed blocks',
  ),
  text(
    'block-rate-notify',
    'COMMAND',
    'Command to run when blocks arrive too fast or too slowly; %b is the number of blocks in %t minutes, %e the number expected',
  ),

  // mining
  text(
    'extra-messages-file',
    'FILE',
    'Messages for the coinbase transactions of blocks found, one per line, in base64',
  ),
  text('start-mining', 'ADDRESS', 'Mine to this address once synchronized'),
  number('mining-threads', 'Number of mining threads; 0 chooses the best number', U32, {
    default: '1',
  }),
  flag('bg-mining-enable', 'Mine only while the machine is idle'),
  flag('bg-mining-ignore-battery', 'Mine on battery too, or if the power source is unknown'),
  number(
    'bg-mining-min-idle-interval',
    'Seconds the machine must have been idle before mining starts, 10 to 3600',
    U32,
    {
      default: '10',
    },
  ),
  number(
    'bg-mining-idle-threshold',
    'Percentage of processor time that must be idle, 0 to 99',
    U32,
    {
      default: '90',
    },
  ),
  number('bg-mining-miner-target', 'Percentage of processor time to mine with, 1 to 100', U32, {
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
  flag('p2p-ignore-ipv4', 'Start even if the IPv4 port cannot be opened'),
  number(
    'p2p-external-port',
    'Port announced to peers instead of the port listened on; 0 for the same',
    PORT,
    { default: '0' },
  ),
  flag('allow-local-ip', 'Accept peers with private addresses'),
  list('add-peer', 'HOST:PORT', 'Add this peer to the peer list'),
  list('add-priority-node', 'HOST:PORT', 'Keep connected to this peer'),
  list('add-exclusive-node', 'HOST:PORT', 'Connect to these peers only'),
  list('seed-node', 'HOST:PORT', 'Fetch a peer list from this node'),
  text(
    'proxy',
    '[SCHEME://]IP:PORT',
    'Connect to peers through this SOCKS proxy; SCHEME is socks4a (default), socks4 or socks5, the latter with an optional USER:PASSWORD@',
  ),
  flag('proxy-allow-dns-leaks', 'With --proxy: still look up names in the DNS directly'),
  list(
    'tx-proxy',
    'NET,IP:PORT[,MAX][,disable_noise]',
    'Send own transactions only over tor or i2p, through this SOCKS proxy, to at most MAX peers',
  ),
  list(
    'anonymous-inbound',
    'HOST[:PORT],[IP:]PORT[,MAX]',
    'With --tx-proxy: hidden service of this node, the local address it forwards to, and the most connections',
  ),
  list(
    'libp2p-listen',
    'MULTIADDR',
    'Accept encrypted libp2p connections at /ip4/IP/tcp/PORT, or /ip4/IP/tcp/PORT/ws for browsers. The node then has a permanent identity by which peers recognise it at any address (docs/libp2p.md)',
  ),
  list(
    'libp2p-peer',
    'MULTIADDR',
    'Stay connected over libp2p to the node at MULTIADDR, which must end in /p2p/PEER-ID. That node learns the IP address and permanent identity of this node',
  ),
  flag(
    'libp2p-mdns',
    'Find libp2p nodes on the local network. This announces to everyone there that this node runs, and its permanent identity',
  ),
  text('ban-list', 'FILE', 'File of banned addresses, one per line'),
  flag('hide-my-port', 'Do not announce the port to peers'),
  flag('no-sync', 'Never download blocks'),
  flag('enable-dns-blocklist', 'Ban the addresses on the ban list in the DNS (mainnet only)'),
  flag('no-igd', 'Accepted for compatibility; UPnP is never used', { ...ignored, metBy: true }),
  text('igd', 'MODE', 'Accepted for compatibility; UPnP is never used', {
    ...ignored,
    metBy: 'disabled',
  }),
  number('out-peers', 'Number of outgoing connections', COUNT, { default: '12' }),
  number('in-peers', 'Largest number of incoming connections', COUNT, { default: 'unlimited' }),
  number('tos-flag', 'Accepted for compatibility; sockets are not marked', COUNT, ignored),
  number('limit-rate-up', 'Upload limit in kB/s', COUNT, { default: '8192' }),
  number('limit-rate-down', 'Download limit in kB/s', COUNT, { default: '32768' }),
  number('limit-rate', 'Upload and download limit in kB/s', COUNT, { default: '-1' }),
  flag('pad-transactions', 'Pad relayed transactions'),
  number('max-connections-per-ip', 'Largest number of incoming connections per address', U32, {
    default: '1',
  }),

  // RPC
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
    'Host names that clients may use for an unrestricted port on loopback, separated by commas; IP addresses, localhost, .onion and .i2p names need no entry',
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
    'Version that get_info reports: own, or monerod for programs that expect a version of monerod (docs/rpc-differences.md)',
    { default: 'own' },
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
    'Address to serve metrics at. Anyone who reaches it can read them (docs/monitoring.md)',
    { default: '127.0.0.1' },
  ),
  number('metrics-bind-port', 'Port that serves metrics to Prometheus at /metrics', PORT),
];

const BY_NAME = new Map(OPTIONS.map((spec) => [spec.name, spec]));

/** Returns the option with this name, written without `--`; undefined when there is none. */
export function optionNamed(name: string): OptionSpec | undefined {
  return BY_NAME.get(name);
}
