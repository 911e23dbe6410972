import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import type { RpcContext } from '../context.ts';
import type { RpcMethod } from '../method.ts';
import { forbidden, type Reply } from './reply.ts';

/** The rules for browsers on one listener. */
export interface BrowserRules {
  /** Origins whose pages may call everything; `*` allows any. */
  readonly corsOrigins: readonly string[];
  /** Names that `Host` may have besides IP addresses, `localhost` and the like; undefined allows any. */
  readonly hosts: readonly string[] | undefined;
}

/**
 * Names that no page outside can have: those without a dot, which no stranger can register, and those of hidden services,
 * which are not resolved to an address.
 */
const SAFE_NAME = /^[^.]+$|\.localhost$|\.onion$|\.i2p$/;

/**
 * Returns the refusal of a request whose `Host` is a name that a page could have pointed at this machine (DNS rebinding);
 * undefined when it is let in. Clients that are no browsers send the address or the name that they were given.
 */
export function foreignHost({ host }: IncomingHttpHeaders, rules: BrowserRules): Reply | undefined {
  if (rules.hosts === undefined || host === undefined) return undefined;
  if (lastAllowed.get(rules) === host) return undefined;
  if (!isAllowedHost(host, rules.hosts)) {
    return forbidden('The name in the Host header is not allowed; see --rpc-allowed-hosts.');
  }
  lastAllowed.set(rules, host);
  return undefined;
}

/** The value of `Host` that was let in last, which most requests repeat. */
const lastAllowed = new WeakMap<BrowserRules, string>();

/**
 * Returns whether the value of a `Host` header names a server in a way that no page can have pointed at it: with an IP
 * address, a safe name, or one of `names` (in lower case).
 */
export function isAllowedHost(host: string, names: readonly string[]): boolean {
  const name = host
    .trim()
    .replace(/:\d*$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
    .toLowerCase();
  return name === '' || isIP(name) !== 0 || SAFE_NAME.test(name) || names.includes(name);
}

/** Returns whether a page of an origin that is not allowed has sent a request. Only browsers send these headers. */
export function isForeignPage(
  { origin, 'sec-fetch-site': site }: IncomingHttpHeaders,
  { corsOrigins }: BrowserRules,
): boolean {
  if (origin !== undefined) return !(corsOrigins.includes('*') || corsOrigins.includes(origin));
  return site === 'cross-site' || site === 'same-site';
}

/** Returns the refusal of a foreign page's call of a method that restricted ports hide; undefined for other calls. */
export function hiddenFromPages(
  { restricted }: Pick<RpcMethod, 'restricted'>,
  { fromForeignPage }: Pick<RpcContext, 'fromForeignPage'>,
): Reply | undefined {
  if (!fromForeignPage || restricted !== 'hidden') return undefined;
  return forbidden('Web pages may not call this method; see --rpc-access-control-origins.');
}
