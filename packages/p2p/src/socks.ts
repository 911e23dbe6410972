// Connections through SOCKS proxies, for other packages.
export { parseSocksEndpoint } from './net/socks-endpoint.ts';
export type { SocksEndpoint } from './net/socks-endpoint.ts';
export { SOCKS_OPTIONS } from './net/socks-options.ts';
export { connectThroughSocks, loadSocks } from './transport/socks.ts';
export type { SocksConnectOptions } from './transport/socks.ts';
export { dialThroughSocks } from './transport/dial-through-socks.ts';
