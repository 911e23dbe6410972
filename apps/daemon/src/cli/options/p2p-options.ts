import { DEFAULT_OUT_PEERS, DEFAULT_P2P_OPTIONS, DEFAULT_RATE } from '@monero-node/p2p/options';
import {
  COUNT,
  defineOptions,
  flag,
  integer,
  list,
  PORT,
  SAME_DEFAULT,
  text,
  U32,
} from './define-options.ts';

const NO_UPNP = 'UPnP is never used';

/** Options of connections to peers. */
export const P2P_OPTIONS = defineOptions({
  'p2p-bind-ip': text('Address to listen on', {
    topic: 'p2p',
    p2p: 'bindIp',
    value: 'IP',
    default: DEFAULT_P2P_OPTIONS.bindIp,
    shownBy: 'p2p/node',
  }),
  'p2p-bind-ipv6-address': text('IPv6 address to listen on', {
    topic: 'p2p',
    p2p: 'bindIpv6',
    value: 'IP',
    default: DEFAULT_P2P_OPTIONS.bindIpv6,
    shownBy: 'p2p/node.ipv6',
  }),
  'p2p-bind-port': integer('Port to listen on', {
    topic: 'p2p',
    range: PORT,
    shownDefault: '18080, 28080 or 38080',
    defaultNote: SAME_DEFAULT,
    shownBy: 'p2p/node',
  }),
  'p2p-bind-port-ipv6': integer('IPv6 port to listen on', {
    topic: 'p2p',
    range: PORT,
    shownDefault: '18080, 28080 or 38080',
    defaultNote: SAME_DEFAULT,
    shownBy: 'p2p/node.ipv6',
  }),
  'p2p-use-ipv6': flag('Listen on IPv6 too, and connect to IPv6 peers', {
    topic: 'p2p',
    p2p: 'useIpv6',
    shownBy: 'p2p/node.ipv6',
  }),
  'p2p-ignore-ipv4': flag('Start even if the IPv4 port cannot be opened', {
    topic: 'p2p',
    p2p: 'ignoreIpv4',
    shownBy: 'p2p/node.ipv6',
  }),
  'p2p-external-port': integer(
    'Port announced to peers instead of the port listened on; 0 for the same',
    {
      topic: 'p2p',
      p2p: 'externalPort',
      range: PORT,
      default: DEFAULT_P2P_OPTIONS.externalPort,
      shownBy: 'p2p/node.introductions',
    },
  ),
  'allow-local-ip': flag('Accept peers with private addresses', {
    topic: 'p2p',
    p2p: 'allowLocalIp',
    shownBy: 'p2p/peers/list/peer-list',
  }),
  'add-peer': list('Add this peer to the peer list', {
    topic: 'p2p',
    reload: true,
    p2p: 'addPeers',
    value: 'HOST:PORT',
    shownBy: 'p2p/node.peers',
  }),
  'add-priority-node': list('Keep connected to this peer', {
    topic: 'p2p',
    reload: true,
    p2p: 'priorityNodes',
    value: 'HOST:PORT',
    shownBy: 'p2p/node.peers',
  }),
  'add-exclusive-node': list('Connect to these peers only', {
    topic: 'p2p',
    reload: true,
    p2p: 'exclusiveNodes',
    value: 'HOST:PORT',
    shownBy: '01-sync-from-monerod',
  }),
  'seed-node': list('Fetch a peer list from this node', {
    topic: 'p2p',
    p2p: 'seedNodes',
    value: 'HOST:PORT',
    shownBy: 'p2p/node.peers',
  }),
  proxy: text(
    'Connect to peers through this SOCKS proxy; SCHEME is socks4a (default), socks4 or socks5, the latter with an optional USER:PASSWORD@',
    {
      topic: 'privacy',
      value: '[SCHEME://]IP:PORT',
      note: 'takes `socks4` and `socks4a` URLs as well; DNS checkpoints and block lists are off as in monerod',
      shownBy: 'p2p/transport/socks',
    },
  ),
  'proxy-allow-dns-leaks': flag('With --proxy: still look up names in the DNS directly', {
    topic: 'privacy',
    p2p: 'proxyAllowDnsLeaks',
    shownBy: 'daemon/cli/dns-settings',
  }),
  'tx-proxy': list(
    'Send own transactions only over tor or i2p, through this SOCKS proxy, to at most MAX peers',
    { topic: 'privacy', value: 'NET,IP:PORT[,MAX][,disable_noise]', shownBy: 'p2p/node.hidden' },
  ),
  'anonymous-inbound': list(
    'With --tx-proxy: hidden service of this node, the local address it forwards to, and the most connections',
    { topic: 'privacy', value: 'HOST[:PORT],[IP:]PORT[,MAX]', shownBy: 'p2p/node.hidden' },
  ),
  'libp2p-listen': list(
    'Accept encrypted libp2p connections at /ip4/IP/tcp/PORT, or /ip4/IP/tcp/PORT/ws for browsers. The node then has a permanent identity by which peers recognize it at any address (docs/operating/libp2p.md)',
    { topic: 'p2p', value: 'MULTIADDR' },
  ),
  'libp2p-peer': list(
    'Stay connected over libp2p to the node at MULTIADDR, which must end in /p2p/PEER-ID. That node learns the IP address and permanent identity of this node',
    { topic: 'p2p', value: 'MULTIADDR' },
  ),
  'libp2p-mdns': flag(
    'Find libp2p nodes on the local network. This announces to everyone there that this node runs, and its permanent identity',
    { topic: 'p2p' },
  ),
  'ban-list': text(
    'File of banned hosts and subnets of IPv4 and IPv6, one per line; # starts a comment',
    { topic: 'p2p', reload: true, value: 'FILE', shownBy: 'p2p/node.peers' },
  ),
  'hide-my-port': flag('Do not announce the port to peers', {
    topic: 'p2p',
    p2p: 'hideMyPort',
    shownBy: 'p2p/node.introductions',
  }),
  'no-sync': flag('Never download blocks', {
    topic: 'sync',
    p2p: 'noSync',
    shownBy: 'p2p/sync/chain-sync',
  }),
  'enable-dns-blocklist': flag('Ban the addresses on the ban list in the DNS (mainnet only)', {
    topic: 'p2p',
    p2p: 'dnsBlocklist',
    shownBy: 'p2p/peers/bans/dns-blocklist',
  }),
  'no-igd': flag('Accepted for compatibility; UPnP is never used', {
    topic: 'p2p',
    support: 'ignored',
    metBy: true,
    note: NO_UPNP,
  }),
  igd: text('Accepted for compatibility; UPnP is never used', {
    topic: 'p2p',
    value: 'MODE',
    support: 'ignored',
    metBy: 'disabled',
    note: NO_UPNP,
  }),
  'out-peers': integer('Number of outgoing connections', {
    topic: 'p2p',
    reload: true,
    p2p: 'outPeers',
    range: COUNT,
    default: DEFAULT_P2P_OPTIONS.outPeers,
    shownDefault: String(DEFAULT_OUT_PEERS),
    defaultNote: '-1 in monerod means 12 too',
    shownBy: 'p2p/node.peers',
  }),
  'in-peers': integer('Largest number of incoming connections', {
    topic: 'p2p',
    reload: true,
    p2p: 'inPeers',
    range: COUNT,
    default: DEFAULT_P2P_OPTIONS.inPeers,
    shownDefault: 'unlimited',
    defaultNote: '-1 in monerod means unlimited too',
    shownBy: 'p2p/node',
  }),
  'tos-flag': integer('Accepted for compatibility; sockets are not marked', {
    topic: 'p2p',
    range: COUNT,
    support: 'ignored',
    note: 'Node cannot mark packets',
  }),
  'limit-rate-up': integer('Upload limit in kB/s', {
    topic: 'p2p',
    reload: true,
    range: COUNT,
    shownDefault: String(DEFAULT_RATE.up),
    shownBy: 'p2p/node',
  }),
  'limit-rate-down': integer('Download limit in kB/s', {
    topic: 'p2p',
    reload: true,
    range: COUNT,
    shownDefault: String(DEFAULT_RATE.down),
    shownBy: 'p2p/node',
  }),
  'limit-rate': integer('Upload and download limit in kB/s', {
    topic: 'p2p',
    reload: true,
    range: COUNT,
    default: DEFAULT_P2P_OPTIONS.limitRateUp,
    shownBy: 'daemon/cli/cli',
  }),
  'pad-transactions': flag('Pad relayed transactions', {
    topic: 'p2p',
    p2p: 'padTransactions',
    shownBy: 'p2p/relay/tx-message',
  }),
  'max-connections-per-ip': integer('Largest number of incoming connections per address', {
    topic: 'p2p',
    reload: true,
    p2p: 'maxConnectionsPerIp',
    range: U32,
    default: DEFAULT_P2P_OPTIONS.maxConnectionsPerIp,
    shownBy: 'p2p/node',
  }),
});
