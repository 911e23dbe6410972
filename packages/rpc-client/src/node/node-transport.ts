import { checkOptions, NEEDED, OPTIONAL, type OptionTable } from '@monero-node/base/options';
import {
  HTTP_OPTIONS,
  HttpTransport,
  parseServerUrl,
  type HttpOptions,
  type RpcTransport,
} from '../transport.ts';
import type { CertificateRules } from './certificates.ts';
import type { Dial, ServerTls } from './connect.ts';
import { NodePoster } from './node-poster.ts';

/** Options of a transport in Node. */
export interface NodeTransportOptions extends HttpOptions {
  /** How to treat the certificate of the server; Node's rules by default. */
  readonly tls?: ServerTls | undefined;
  /** Opens connections to the server, through a proxy for example; directly by default. */
  readonly dial?: Dial | undefined;
}

const CERTIFICATES: OptionTable<CertificateRules> = {
  caCertificates: OPTIONAL,
  fingerprints: NEEDED,
  allowChained: NEEDED,
};
const TLS: OptionTable<ServerTls> = {
  ca: OPTIONAL,
  cert: OPTIONAL,
  key: OPTIONAL,
  rejectUnauthorized: OPTIONAL,
  checkServerIdentity: OPTIONAL,
  autodetect: OPTIONAL,
  certificates: { optional: true, table: CERTIFICATES },
};
const OPTIONS: OptionTable<NodeTransportOptions> = {
  ...HTTP_OPTIONS,
  tls: { optional: true, table: TLS },
  dial: OPTIONAL,
};

/**
 * Returns a transport over node:http, with connections that are kept open, TLS rules and proxies. Throws TypeError for
 * an address that is not a URL with http or https, RangeError for a time-out or a concurrency that is not positive, and OptionError
 * for a missing or an unknown option: a rule about certificates that was ignored would let anybody answer.
 */
export function createNodeTransport(options: NodeTransportOptions): RpcTransport {
  checkOptions('createNodeTransport', options, OPTIONS);
  const url = parseServerUrl(options.url);
  const isSecure = url.protocol === 'https:';
  const endpoint = {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(url.port || (isSecure ? 443 : 80)),
    isSecure,
    tls: options.tls,
    dial: options.dial,
  };
  return new HttpTransport(url, options, new NodePoster(endpoint, options));
}
