import { createHash } from 'node:crypto';
import { monotonicMilliseconds } from '@monero-node/base';
import { httpGet, type GetLimits, type GetOptions } from '../updates/http-get.ts';
import { MAX_DOWNLOAD } from './ban-list-url.ts';
import { RedirectError, UpdateError } from '../updates/update-error.ts';

/** A list has to come through Tor too. */
const LIMITS: GetLimits = { maxBytes: MAX_DOWNLOAD, totalMs: 300_000, idleMs: 30_000 };
const MAX_REDIRECTS = 5;

/** A ban list as a server sent it. */
export interface BanListBody {
  readonly parts: readonly Buffer[];
  /** Of all bytes, hex. */
  readonly sha256: string;
}

/**
 * Downloads a ban list, and follows at most five redirects. Rejects with UpdateError when a server cannot be reached, exceeds the
 * limits, leads astray or does not answer with status 200; and with the reason of the signal when that aborts.
 */
export async function downloadBanList(
  from: URL,
  options: GetOptions,
  limits: GetLimits = LIMITS,
): Promise<BanListBody> {
  const begin = monotonicMilliseconds();
  let url = from;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    try {
      // All servers together have the time of one.
      const totalMs = Math.max(1, Math.ceil(limits.totalMs - (monotonicMilliseconds() - begin)));
      return await readAll(httpGet(url, { ...limits, totalMs }, options));
    } catch (error) {
      options.signal.throwIfAborted();
      if (!(error instanceof RedirectError)) throw error;
      url = nextUrl(url, error.location);
    }
  }
  throw new UpdateError(`${from.origin}: it redirects more than ${MAX_REDIRECTS} times`);
}

function nextUrl(url: URL, location: string): URL {
  const next = URL.canParse(location, url.href) ? new URL(location, url) : undefined;
  const isWeb = next?.protocol === 'https:' || next?.protocol === 'http:';
  if (next === undefined || !isWeb)
    throw new UpdateError(`${url.origin}: it redirects to what is no URL of the web`);
  if (url.protocol === 'https:' && next.protocol === 'http:')
    throw new UpdateError(`${url.origin}: it redirects from https to http`);
  return next;
}

async function readAll(body: AsyncIterable<Buffer>): Promise<BanListBody> {
  const hasher = createHash('sha256');
  const parts: Buffer[] = [];
  for await (const part of body) {
    hasher.update(part);
    parts.push(part);
  }
  return { parts, sha256: hasher.digest('hex') };
}
