import {
  HttpTransport,
  parseServerUrl,
  type HttpOptions,
  type RpcTransport,
} from '../transport.ts';
import type { Dial, ServerTls } from './connect.ts';
import { NodePoster } from './node-poster.ts';

/** Options of a transport in Node. */
export interface NodeTransportOptions extends HttpOptions {
  /** How to treat the certificate of the server; Node's rules by default. */
  readonly tls?: ServerTls | undefined;
  /** Opens connections to the server, through a proxy for example; directly by default. */
  readonly dial?: Dial | undefined;
}

/**
 * Returns a transport over node:http, with one connection that is kept open, TLS rules and proxies. Throws TypeError for
 * an address that is not a URL with http or https.
 */
export function createNodeTransport(options: NodeTransportOptions): RpcTransport {
  const url = parseServerUrl(options.url);
  const isSecure = url.protocol === 'https:';
  const endpoint = {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(url.port || (isSecure ? 443 : 80)),
    isSecure,
    tls: options.tls,
    dial: options.dial,
  };
  return new HttpTransport(url.host, new NodePoster(endpoint, options));
}
