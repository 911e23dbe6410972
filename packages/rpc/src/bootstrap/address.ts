import type { Login } from '@monero-node/rpc-schema/login';

/** Address and login of another daemon. */
export interface Upstream {
  /** The address as configured. */
  readonly address: string;
  readonly host: string;
  readonly port: number;
  readonly tls: 'enabled' | 'disabled' | 'autodetect';
  readonly login: Login | undefined;
}

const ADDRESS = /^(?:(https?):\/\/)?(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?\/?$/i;

/** Reads `host:port` or a URL; undefined when it is neither. Without a port it is 80 or 443, as on the web. */
export function parseUpstream(address: string, login?: Login): Upstream | undefined {
  const [, scheme, host = '', portText] = ADDRESS.exec(address.trim()) ?? [];
  if (host === '') return undefined;
  const secure = scheme?.toLowerCase() === 'https';
  const port = portText === undefined ? (secure ? 443 : 80) : Number(portText);
  if (port < 1 || port > 65_535) return undefined;
  const tls = scheme === undefined ? 'autodetect' : secure ? 'enabled' : 'disabled';
  return { address, host: host.replace(/^\[|\]$/g, ''), port, tls, login };
}
