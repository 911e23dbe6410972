import type { Logger, MillisecondClock } from '@monero-node/base';
import { MAX_NODES } from './fleet-answer.ts';
import type { FleetNode, FoundNodes } from './resolve-nodes.ts';

/** Milliseconds until a name that did not resolve is tried again. */
const RETRY_MS = 5000;
/** Milliseconds for which the nodes of a name that does not resolve any more are kept. */
const KEEP_MS = 3_600_000;
/** Addresses that a line of the log names. */
const SHOWN = 8;

export interface FleetNameOptions {
  readonly node: FleetNode;
  readonly logger: Logger;
  /** See `resolveNodes`. */
  readonly resolve: (node: FleetNode, stop: AbortSignal) => Promise<FoundNodes>;
  /** Monotonic. */
  readonly now: MillisecondClock;
}

/** One `--fleet-node`: a name, and the nodes that it has at present. */
export class FleetName {
  readonly #options: FleetNameOptions;
  readonly #option: string;
  #asked: readonly string[] = [];
  #addresses: readonly string[] = [];
  /** The look-up that is under way. */
  #running: Promise<void> | undefined;
  #nextAt = -Infinity;
  /** When the name last resolved; undefined: never, or its nodes have been given up. */
  #knownAt: number | undefined;
  /** Whether the log says that the name does not resolve. */
  #isUnknown = false;
  /** Whether the log says that the name has too many nodes. */
  #isCut = false;
  /** What the log has named as targets without an address. */
  #empty: readonly string[] = [];
  readonly #stop = new AbortController();

  constructor(options: FleetNameOptions) {
    const { host, port } = options.node;
    this.#options = options;
    const shown = host.includes(':') ? `[${host}]` : host;
    this.#option = `--fleet-node ${port === undefined ? host : `${shown}:${port}`}`;
  }

  /** Where the nodes of the name are asked, such as `10.0.0.1:18089`: those of the last time that it resolved. */
  get asked(): readonly string[] {
    return this.#asked;
  }

  /** All addresses of these nodes. */
  get addresses(): readonly string[] {
    return this.#addresses;
  }

  /** Resolves the name again if it is time to. Resolves when that is done. Never rejects. */
  refresh(): Promise<void> {
    if (this.#stop.signal.aborted) return Promise.resolve();
    if (this.#running === undefined && this.#options.now() < this.#nextAt) return Promise.resolve();
    this.#running ??= this.#resolve().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Ends a look-up that is under way. None begins any more, and no line is written. */
  stop(): void {
    this.#stop.abort();
  }

  async #resolve(): Promise<void> {
    const { node, resolve, now } = this.#options;
    const { signal } = this.#stop;
    try {
      const nodes = await resolve(node, signal);
      if (signal.aborted) return;
      this.#nextAt = now() + nodes.seconds * 1000;
      this.#take(nodes);
    } catch (error) {
      if (signal.aborted) return;
      this.#nextAt = now() + RETRY_MS;
      this.#miss((error as NodeJS.ErrnoException).code ?? String(error));
    }
  }

  #take({ asked, addresses, isCut, empty }: FoundNodes): void {
    const { logger, now } = this.#options;
    const before = new Set(this.#asked);
    const added = asked.filter((each) => !before.has(each));
    const gone = [...before].filter((each) => !asked.includes(each));
    const isFirst = this.#knownAt === undefined && !this.#isUnknown;
    if (this.#isUnknown) logger.info(`${this.#option}: the name resolves again`);
    if (!isFirst && before.size > 0 && added.length + gone.length > 0)
      logger.info(
        `${this.#option}: the name has ${asked.length} nodes now${part('new', added)}${part('gone', gone)}`,
      );
    if (isCut && !this.#isCut)
      logger.warn(
        `${this.#option}: the name has more than ${MAX_NODES} nodes; the others are not asked`,
      );
    const newlyEmpty = empty.filter((each) => !this.#empty.includes(each));
    if (newlyEmpty.length > 0)
      logger.warn(
        `${this.#option}: targets of its SRV records have no address${part('without one', newlyEmpty)}`,
      );
    this.#isCut = isCut;
    this.#empty = empty;
    this.#asked = asked;
    this.#addresses = addresses;
    this.#knownAt = now();
    this.#isUnknown = false;
  }

  #miss(why: string): void {
    const { logger, now } = this.#options;
    const isTooOld = this.#knownAt !== undefined && now() - this.#knownAt >= KEEP_MS;
    if (isTooOld) {
      this.#asked = [];
      this.#addresses = [];
      this.#knownAt = undefined;
      logger.warn(
        `${this.#option}: the name has not resolved for an hour (${why}); its nodes have no vote any more`,
      );
    } else if (!this.#isUnknown) {
      const kept = this.#asked.length;
      const result =
        kept === 0
          ? 'so its nodes have no vote'
          : `so the nodes that it had (${kept}) are asked for another hour`;
      logger.warn(`${this.#option}: the name does not resolve (${why}), ${result}`);
    }
    this.#isUnknown = true;
  }
}

function part(what: string, addresses: readonly string[]): string {
  if (addresses.length === 0) return '';
  const more = addresses.length - SHOWN;
  return `; ${what}: ${addresses.slice(0, SHOWN).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
