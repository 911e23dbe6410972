// For the tests of other packages.
export { SocksServer } from './socks-server.ts';
export type { SocksRequest, SocksServerOptions } from './socks-server.ts';
export { UpstreamPeer } from './recorded/upstream-peer.ts';
