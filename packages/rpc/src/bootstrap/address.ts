import type { Login } from '@monero-node/rpc-schema/login';

/** Where another daemon is and how to get in. */
export interface Upstream {
  /** As it was given. */
  readonly address: string;
  readonly host: string;
  readonly port: number;
  readonly tls: 'enabled' | 'disabled' | 'autodetect';
  readonly login: Login | undefined;
}

const ADDRESS = /^(?:(https?):\/\/)?(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?\/?$/i;

/** Reads `host:port` or a URL; undefined when it is neither. Without a port that of the web is meant. */
export function parseUpstream(address: string, login?: Login): Upstream | undefined {
  const [, scheme, host = '', portText] = ADDRESS.exec(address.trim()) ?? [];
  if (host === '') return undefined;
  const secure = scheme?.toLowerCase() === 'https';
  const port = portText === undefined ? (secure ? 443 : 80) : Number(portText);
  if (port < 1 || port > 65_535) return undefined;
  const tls = scheme === undefined ? 'autodetect' : secure ? 'enabled' : 'disabled';
  return { address, host: host.replace(/^\[|\]$/g, ''), port, tls, login };
}
