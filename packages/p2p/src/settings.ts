// Readers of the values of options. Apart from index.ts, so that a command to a running node does not load a node.
export { hiddenAddress, isPeerAddress, parseHostPort } from './net/parse-address.ts';
export { widestBan } from './net/ban-target.ts';
export { parseSocksEndpoint } from './net/socks-endpoint.ts';
export type { SocksEndpoint } from './net/socks-endpoint.ts';
export { closedToPeers } from './options/closed-to-peers.ts';
export { anonymityZones, checkPeersReachable, ZoneOptionError } from './options/zone-options.ts';
export type { AnonymityZoneOptions } from './options/zone-options.ts';
export { droppedText, parseBanLines } from './peers/bans/ban-lines.ts';
