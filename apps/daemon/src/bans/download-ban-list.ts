import { createHash } from 'node:crypto';
import { monotonicMilliseconds } from '@monero-node/base';
import { httpGet, type GetLimits, type GetOptions } from '../updates/http-get.ts';
import { MAX_DOWNLOAD } from './ban-list-url.ts';
import { RedirectError, UpdateError } from '../updates/update-error.ts';

/** A list has to come through Tor too. */
const LIMITS: GetLimits = { maxBytes: MAX_DOWNLOAD, totalMs: 300_000, idleMs: 30_000 };
const MAX_REDIRECTS = 5;
/** Bytes kept as one. A server may send single ones, and each part of its own takes far more memory than it holds. */
const BLOCK = 65_536;

/** Characters of a line that count: more of them cannot name a host or subnet. */
const LINE_LENGTH = 1000;

/** A ban list as a server sent it. */
export interface BanListBody {
  readonly parts: readonly Buffer[];
  /** Of all bytes, hex. */
  readonly sha256: string;
}

/**
 * Downloads a ban list, and follows at most five redirects, to https only. Rejects with UpdateError when a server cannot be reached, exceeds the
 * limits, leads astray or does not answer with status 200; and with the reason of the signal when that aborts.
 *
 * @param get for tests
 */
export async function downloadBanList(
  from: URL,
  options: GetOptions,
  limits: GetLimits = LIMITS,
  get = httpGet,
): Promise<BanListBody> {
  const begin = monotonicMilliseconds();
  let url = from;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    try {
      // All servers together have the time of one.
      const totalMs = Math.max(1, Math.ceil(limits.totalMs - (monotonicMilliseconds() - begin)));
      return await readAll(get(url, { ...limits, totalMs }, options));
    } catch (error) {
      options.signal.throwIfAborted();
      if (!(error instanceof RedirectError)) throw error;
      url = nextUrl(url, error.location);
    }
  }
  throw new UpdateError(`${from.origin}: it redirects more than ${MAX_REDIRECTS} times`);
}

/** Whoever answers over http may send this node to any service of its own network that takes requests without a login: its own RPC. */
function nextUrl(url: URL, location: string): URL {
  const next = URL.canParse(location, url.href) ? new URL(location, url) : undefined;
  if (next?.protocol !== 'https:')
    throw new UpdateError(`${url.origin}: it redirects to what is no https URL`);
  return next;
}

async function readAll(body: AsyncIterable<Buffer>): Promise<BanListBody> {
  const hasher = createHash('sha256');
  const parts: Buffer[] = [];
  let block = Buffer.alloc(BLOCK);
  let used = 0;
  for await (const part of body) {
    hasher.update(part);
    for (let from = 0; from < part.length;) {
      const copied = part.copy(block, used, from);
      from += copied;
      used += copied;
      if (used < BLOCK) continue;
      parts.push(block);
      block = Buffer.alloc(BLOCK);
      used = 0;
    }
  }
  if (used > 0) parts.push(block.subarray(0, used));
  return { parts, sha256: hasher.digest('hex') };
}

/** Yields the lines of a list in ASCII that came in parts of any length, each cut to 1000 characters. The parts are read as they are needed. */
export function* listLines(parts: Iterable<Uint8Array>): Generator<string, void> {
  let rest = '';
  for (const part of parts) {
    // Names of hosts have no other characters than those of ASCII.
    const lines = Buffer.from(part.buffer, part.byteOffset, part.byteLength)
      .toString('latin1')
      .split('\n');
    const last = lines.pop() ?? '';
    for (const line of lines) {
      yield (rest + line).slice(0, LINE_LENGTH);
      rest = '';
    }
    rest = (rest + last).slice(0, LINE_LENGTH);
  }
  if (rest !== '') yield rest;
}
