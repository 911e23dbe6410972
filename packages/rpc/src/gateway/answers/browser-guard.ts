import type { IncomingHttpHeaders } from 'node:http';
import { parseIp, unbracketed } from '@monero-node/p2p/hosts';
import type { RpcContext } from '../../context.ts';
import type { RpcMethod } from '../../method.ts';
import { forbidden, type Reply } from './reply.ts';

/** The rules for browsers on one listener. */
export interface BrowserRules {
  /** Origins whose pages may call everything; `*` allows any. */
  readonly corsOrigins: readonly string[];
  /** Names that `Host` may have besides IP addresses, `localhost` and the like; undefined allows any. */
  readonly hosts: readonly string[] | undefined;
  /** The same names for the node's own page, which needs them whatever address the listener has. */
  readonly pageHosts: readonly string[];
  /** Whether the listener serves the page that controls this node. */
  readonly hasOwnPage: boolean;
}

/** Value of `X-Requested-With` in calls of the node's own page. No foreign page can send it unasked. */
const PAGE_MARK = 'monero-node';

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
  if (!isAllowedHost(host, rules.hosts)) return HOST_REFUSED;
  lastAllowed.set(rules, host);
  return undefined;
}

/**
 * Returns whether the `Host` of a request is no name that a page could have pointed at this machine. Asked where answers show
 * the owner's figures without a login, on listeners that let any `Host` in too.
 */
export function isOwnersHost({ host }: IncomingHttpHeaders, { pageHosts }: BrowserRules): boolean {
  return host === undefined || isAllowedHost(host, pageHosts);
}

/** The answer to a request whose `Host` is not allowed. */
export const HOST_REFUSED = forbidden(
  'The name in the Host header is not allowed; see --rpc-allowed-hosts.',
);

/** The value of `Host` that was let in last, which most requests repeat. */
const lastAllowed = new WeakMap<BrowserRules, string>();

/**
 * Returns whether the value of a `Host` header names a server in a way that no page can have pointed at it: with an IP
 * address, a safe name, or one of `names` (in lower case).
 */
export function isAllowedHost(host: string, names: readonly string[]): boolean {
  const name = unbracketed(host.trim().replace(/:\d*$/, '')).replace(/\.$/, '').toLowerCase();
  return name === '' || parseIp(name) !== undefined || SAFE_NAME.test(name) || names.includes(name);
}

/** Returns whether a page of an origin that is not allowed has sent a request. Only browsers send these headers. */
export function isForeignPage(headers: IncomingHttpHeaders, rules: BrowserRules): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  const { corsOrigins } = rules;
  if (origin === undefined) return site === 'cross-site' || site === 'same-site';
  return !(corsOrigins.includes('*') || corsOrigins.includes(origin) || isOwnPage(headers, rules));
}

/**
 * Returns whether the node's own page has sent a call: its origin is the address that the call went to, under a name that
 * no stranger can have pointed at this machine, and it bears the mark of the page. A browser does not send the mark to
 * another origin without asking first, and the answer to that question would not allow it.
 */
function isOwnPage(headers: IncomingHttpHeaders, rules: BrowserRules): boolean {
  const { origin, host, 'sec-fetch-site': site, 'x-requested-with': mark } = headers;
  if (!rules.hasOwnPage || mark !== PAGE_MARK || host === undefined) return false;
  if (site !== undefined && site !== 'same-origin') return false;
  if (origin !== `http://${host}` && origin !== `https://${host}`) return false;
  return isAllowedHost(host, rules.pageHosts);
}

/** Returns the refusal of a foreign page's call of a method that restricted ports hide; undefined for other calls. */
export function hiddenFromPages(
  { restricted }: Pick<RpcMethod, 'restricted'>,
  { fromForeignPage }: Pick<RpcContext, 'fromForeignPage'>,
): Reply | undefined {
  if (!fromForeignPage || restricted !== 'hidden') return undefined;
  return forbidden('Web pages may not call this method; see --rpc-access-control-origins.');
}

const NO_HEADERS: readonly string[] = [];

/** Returns the CORS headers for a request's `Origin`; none unless the origin is allowed. Name and value alternate. */
export function corsHeaders(
  origin: string | undefined,
  allowed: readonly string[],
  isOptions: boolean,
): readonly string[] {
  if (origin === undefined || !(allowed.includes('*') || allowed.includes(origin)))
    return NO_HEADERS;
  const headers = [
    'Access-Control-Allow-Origin',
    origin,
    'Access-Control-Expose-Headers',
    'www-authenticate',
  ];
  if (isOptions) {
    headers.push('Access-Control-Allow-Headers', 'Content-Type, Authorization, X-Requested-With');
  }
  headers.push('Access-Control-Allow-Methods', 'POST, PUT, GET, OPTIONS');
  return headers;
}
