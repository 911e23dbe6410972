import { flag, ignored, list, number, text } from './option-builders.ts';
import { COUNT, PORT, U32 } from './option-ranges.ts';
import type { OptionSpec } from './option-types.ts';

/** The options of connections to peers. */
export const P2P_OPTIONS: readonly OptionSpec[] = [
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
    'Accept encrypted libp2p connections at /ip4/IP/tcp/PORT, or /ip4/IP/tcp/PORT/ws for browsers. The node then has a permanent identity by which peers recognise it at any address (docs/operating/libp2p.md)',
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
  text(
    'ban-list',
    'FILE',
    'File of banned hosts and subnets of IPv4 and IPv6, one per line; # starts a comment',
  ),
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
];
