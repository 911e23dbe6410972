import { parseIp } from '../hosts/index.ts';
import { parseHostPort } from './parse-address.ts';

/** Versions of SOCKS; 4a is version 4 with host names. */
export const SOCKS_VERSIONS = ['4', '4a', '5'] as const;

/** A SOCKS proxy as described by an option. */
export interface SocksEndpoint {
  /** IP address of the proxy. */
  readonly host: string;
  readonly port: number;
  readonly version: (typeof SOCKS_VERSIONS)[number];
  /** Version 5 only. */
  readonly login?: { readonly user: string; readonly password: string };
}

const VERSIONS: Readonly<Record<string, SocksEndpoint['version']>> = {
  '': '4a',
  socks: '4a',
  socks4a: '4a',
  socks4: '4',
  socks5: '5',
};

/**
 * Parses `[scheme://][user[:password]@]ip:port`. Without a scheme the proxy speaks SOCKS 4a. User and password are
 * percent-encoded. Returns undefined for any other text: a host name, no port, a login without SOCKS 5.
 * Source: socks::endpoint::get in src/net/parse.cpp
 */
export function parseSocksEndpoint(text: string): SocksEndpoint | undefined {
  const match = /^(?:([a-z0-9+.-]*):\/\/)?([^/]*)/.exec(text.trim());
  const version = VERSIONS[match?.[1] ?? ''];
  const authority = match?.[2] ?? '';
  const at = authority.indexOf('@');
  const login = parseLogin(at < 0 ? '' : authority.slice(0, at));
  const address = parseHostPort(authority.slice(at + 1), 0);
  if (!version || !login || !address || !parseIp(address.host)) return undefined;
  const endpoint = { ...address, version };
  if (login.user === '' && login.password === '') return endpoint;
  return version === '5' ? { ...endpoint, login } : undefined;
}

function parseLogin(text: string): { user: string; password: string } | undefined {
  const colon = text.indexOf(':');
  const [user, password] = colon < 0 ? [text, ''] : [text.slice(0, colon), text.slice(colon + 1)];
  try {
    return { user: decodeURIComponent(user), password: decodeURIComponent(password) };
  } catch {
    return undefined;
  }
}
