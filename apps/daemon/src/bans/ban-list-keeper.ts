import { Mutex, type Logger } from '@monero-node/base';
import { droppedText, type P2pNode } from '@monero-node/p2p';
import type { Dial } from '@monero-node/rpc-client/node';
import type { GetLimits } from '../updates/http-get.ts';
import { UpdateError } from '../updates/update-error.ts';
import type { BanListUrl } from './ban-list-url.ts';
import { downloadBanList, listLines, type BanListBody } from './download-ban-list.ts';
import { KeptCopy } from './kept-copy.ts';

/** Milliseconds after which a download that failed is tried again, unless it would be sooner anyway. */
const RETRY_MS = 600_000;

export interface BanListDependencies {
  /** Folder of the copy. */
  readonly dataDir: string;
  /** Never download. */
  readonly offline: boolean;
  /** Opens the connections, through the node's proxy for example; directly by default. */
  readonly dial?: Dial | undefined;
  /** Logger of the category `global`. */
  readonly logger: Logger;
  /** For tests. */
  readonly limits?: GetLimits | undefined;
  readonly retryMs?: number | undefined;
}

/**
 * Keeps the ban list of a node up to date with a server. The last good copy is used from the start on, and as long as the server gives
 * nothing better. Nothing waits for it, and lists are read in slices.
 */
export class BanListKeeper {
  readonly #deps: BanListDependencies;
  readonly #copy: KeptCopy;
  readonly #turns = new Mutex();
  #peers: Pick<P2pNode, 'replaceBanList'> | undefined;
  #source: BanListUrl | undefined;
  #stopping = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> = Promise.resolve();
  /** Digest of the list of the source that is in use. */
  #used: string | undefined;
  /** The failure that the operator knows of. */
  #isStopped = false;
  #saidFailure: string | undefined;

  constructor(source: BanListUrl | undefined, dependencies: BanListDependencies) {
    this.#source = source;
    this.#deps = dependencies;
    this.#copy = new KeptCopy(dependencies.dataDir);
  }

  /** Says whose ban list it is. To be called before `start`. */
  serve(peers: Pick<P2pNode, 'replaceBanList'>): void {
    this.#peers = peers;
  }

  /** Begins, without waiting for anything. */
  start(): Promise<void> {
    if (this.#source !== undefined) this.#round = this.#begin(this.#source);
    return Promise.resolve();
  }

  /** Ends a download under way. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#stopping.abort(new UpdateError('the node stops'));
    await this.#round;
    await this.#turns.idle();
  }

  /**
   * Takes another source: a server, whose list comes later and until then leaves the one before in use, or lines. Resolves with
   * the numbers of hosts and subnets that were banned and are, once they are; undefined for a server, and after the stop.
   */
  async change(
    source: BanListUrl | undefined,
    lines: readonly string[] = [],
  ): Promise<{ readonly before: number; readonly after: number } | undefined> {
    if (this.#isStopped) return undefined;
    clearTimeout(this.#timer);
    this.#stopping.abort(new UpdateError('the ban list is another one now'));
    this.#stopping = new AbortController();
    this.#source = source;
    this.#used = undefined;
    this.#saidFailure = undefined;
    if (source === undefined)
      return await this.#turns.run(() => this.#peers?.replaceBanList(lines));
    this.#round = this.#begin(source);
    return undefined;
  }

  async #begin(source: BanListUrl): Promise<void> {
    await this.#useCopy(source).catch((error: unknown) => {
      this.#deps.logger.warn(`ban list: ${this.#copy.path} is of no use: ${messageOf(error)}`);
    });
    await this.#update(source);
  }

  async #useCopy(source: BanListUrl): Promise<void> {
    const body = await this.#copy.read(source.url);
    if (body === undefined) return;
    checkDigest(body, source);
    const counts = await this.#use(body, source);
    if (counts !== undefined)
      this.#deps.logger.info(
        `ban list: ${counts.after} hosts and subnets are banned by the copy in ${this.#copy.path}`,
      );
  }

  /** Downloads the list once, and again later. Never rejects. */
  async #update(source: BanListUrl): Promise<void> {
    const { signal } = this.#stopping;
    if (this.#deps.offline || this.#source !== source) return;
    let wait = source.interval;
    try {
      await this.#download(source, signal);
      this.#saidFailure = undefined;
    } catch (error) {
      if (signal.aborted) return;
      wait = Math.min(wait, this.#deps.retryMs ?? RETRY_MS);
      this.#sayFailure(messageOf(error));
    }
    if (signal.aborted) return;
    this.#timer = setTimeout(() => {
      this.#round = this.#update(source);
    }, wait);
    this.#timer.unref();
  }

  async #download(source: BanListUrl, signal: AbortSignal): Promise<void> {
    const { dial, limits, logger } = this.#deps;
    const body = await downloadBanList(source.url, { dial, signal }, limits);
    checkDigest(body, source);
    const { origin } = source.url;
    if (body.sha256 === this.#used) {
      logger.debug(`ban list: ${origin} has the same list as before`);
      return;
    }
    const counts = await this.#use(body, source);
    if (counts === undefined) return;
    logger.info(`ban list: ${counts.before} -> ${counts.after} hosts and subnets from ${origin}`);
    await this.#copy.write(source.url, body).catch((error: unknown) => {
      logger.warn(`ban list: no copy is kept in ${this.#copy.path}: ${messageOf(error)}`);
    });
  }

  /** Bans what a list names; undefined when another source has taken its place. Rejects with UpdateError for what is no ban list. */
  async #use(
    body: BanListBody,
    source: BanListUrl,
  ): Promise<{ readonly before: number; readonly after: number } | undefined> {
    return await this.#turns.run(async () => {
      if (this.#source !== source) return undefined;
      const counts = await this.#peers?.replaceBanList(
        listLines(body.parts),
        (read) => checkContent(read, source.url),
        'stranger',
      );
      this.#used = body.sha256;
      if (counts !== undefined && counts.dropped.count > 0)
        this.#deps.logger.warn(`ban list: ${droppedText(counts.dropped, 'stranger')}`);
      return counts;
    });
  }

  /** One line for a failure, however often it is repeated. */
  #sayFailure(message: string): void {
    const { logger } = this.#deps;
    const rest = this.#used === undefined ? 'no list of it is in use' : 'the list before stays';
    const line = `ban list: ${message}: ${rest}`;
    if (this.#saidFailure === line) logger.debug(line);
    else logger.warn(line);
    this.#saidFailure = line;
  }
}

function checkDigest({ sha256 }: BanListBody, { sha256: wanted, url }: BanListUrl): void {
  if (wanted === undefined || sha256 === wanted) return;
  throw new UpdateError(
    `${url.origin}: the list has the SHA-256 ${sha256}, not that of --ban-list-sha256`,
  );
}

/** A server that answers with a page of its own must not end all bans. Throws UpdateError. */
function checkContent(
  read: { readonly count: number; readonly dropped: { readonly count: number } },
  { origin }: URL,
): void {
  if (read.count === 0 && read.dropped.count === 0)
    throw new UpdateError(`${origin}: the list that came is empty`);
  if (read.dropped.count > read.count)
    throw new UpdateError(
      `${origin}: what came is no ban list: most of its lines name no host or subnet of the internet`,
    );
}

function messageOf(error: unknown): string {
  return (error as Error).message;
}
