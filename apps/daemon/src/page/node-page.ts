import { machineLimits } from '@monero-node/base/machine';
import { monotonicMilliseconds, Periodic } from '@monero-node/base';
import {
  EVENTS_PATH,
  RANGES,
  SERIES,
  type BuiltPage,
  type NodeDescription,
} from '@monero-node/dashboard';
import type { Part } from '@monero-node/node';
import type { WebPage } from '@monero-node/rpc';
import { HistoryFile } from './history-file.ts';
import { KeptHistory } from './kept-history.ts';
import { LiveView } from './live-view.ts';
import { routeWithExpress } from './page-router.ts';
import type { PageSources } from './page-sources.ts';
import { PageState } from './page-state.ts';

/** Milliseconds between two looks at the node. */
const TICK = 1000;
/** Least milliseconds between two messages, however fast blocks come. */
const LEAST_PAUSE = 250;

/** Milliseconds between two writes of the charts: few bytes a day, and a crash loses as little. */
const SAVE_PERIOD = 600_000;

/** Work of the page that may fail. */
type PageTask = 'figures' | 'pool and disk' | 'history' | 'file of the charts';

/** The page of a node, and the part that keeps it up to date. */
export interface NodePage {
  readonly page: WebPage;
  readonly part: Part;
}

/** Creates the page of a node from its built files. While nobody looks, only the history is kept. */
export function createNodePage(built: BuiltPage, sources: PageSources): NodePage {
  const live = new LivePage(built, sources);
  const page: WebPage = {
    files: new Map(built.files.map((file) => [file.path, file])),
    eventsPath: EVENTS_PATH,
    events: { owner: live.owner.channel, public: live.public.channel },
    route: routeWithExpress,
  };
  return { page, part: live };
}

/** Looks at the node and sends what has changed: once a second, and at once when a block comes. */
class LivePage implements Part {
  readonly name = 'web page';
  readonly owner: LiveView;
  readonly public: LiveView;
  readonly #sources: PageSources;
  readonly #state: PageState;
  readonly #ticks: Periodic;
  readonly #samples: Periodic;
  readonly #kept: KeptHistory | undefined;
  readonly #saves: Periodic;
  #sentAt = 0;
  /** The failures of tasks that fail at present. Each is logged once. */
  readonly #failures = new Map<PageTask, string>();
  #isStopped = false;
  #soon: NodeJS.Timeout | undefined;

  constructor({ script }: BuiltPage, sources: PageSources) {
    const { blockchain, dataDir, globalLogger, log, now, startedAt, version } = sources;
    const { hiddenServices } = sources;
    this.#sources = sources;
    const network = blockchain.network.nettype;
    const facts: NodeDescription =
      hiddenServices.length === 0
        ? { network, view: 'public' }
        : { network, view: 'public', hiddenServices };
    const own = { version, startedAt, processors: machineLimits().processors };
    const shared = {
      script,
      now,
      blocks: () => this.#state.blocks.rows,
      onWatched: () => this.#watched(),
    };
    this.owner = new LiveView({
      ...shared,
      onWatched: () => {
        sources.onOwnerWatched?.();
        this.#watched();
      },
      node: { network, view: 'owner', ...own },
      series: SERIES,
      log: () => log?.after(0) ?? [],
    });
    this.public = new LiveView({ ...shared, node: facts, series: ['pool'], log: undefined });
    this.#state = new PageState(sources, { owner: this.owner, public: this.public });
    this.#ticks = new Periodic(TICK, () => this.#guard('figures', () => this.#tick()));
    this.#kept =
      dataDir === undefined
        ? undefined
        : new KeptHistory(new HistoryFile(dataDir, globalLogger), {
            owner: this.owner.history,
            public: this.public.history,
          });
    this.#saves = new Periodic(SAVE_PERIOD, () => this.#save());
    const sample = () => this.#guard('history', () => this.#sample());
    this.#samples = new Periodic(RANGES.hour.step * 1000, sample);
  }

  async start(): Promise<void> {
    await this.#kept?.load();
    // What was measured before can be shown at once.
    this.#kept?.takeUp(this.#sources.now() / 1000);
    this.#sources.blockchain.on('blocks-added', this.#onBlock);
    this.#sources.blockchain.on('popped', this.#onBlock);
    this.#state.measure();
    this.#ticks.start();
    this.#samples.start();
    this.#saves.start();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#sources.blockchain.off('blocks-added', this.#onBlock);
    this.#sources.blockchain.off('popped', this.#onBlock);
    clearTimeout(this.#soon);
    this.#ticks.stop();
    this.#samples.stop();
    this.#saves.stop();
    this.owner.channel.close();
    this.public.channel.close();
    await this.#save();
  }

  async #sample(): Promise<void> {
    const isTakenUp = this.#kept?.takeUp(this.#sources.now() / 1000) === true;
    // Whoever looks has points that are no longer there.
    if (isTakenUp) for (const view of [this.owner, this.public]) view.beginAnew();
    await this.#state.sample();
  }

  #save(): Promise<void> {
    return this.#guard('file of the charts', () => this.#kept?.save());
  }

  get #isWatched(): boolean {
    return this.owner.channel.isWatched || this.public.channel.isWatched;
  }

  /** Somebody has opened the page: what they get must not be old. */
  #watched(): void {
    if (this.#isWatched) return;
    void this.#guard('figures', () => this.#show());
    void this.#lookLonger();
  }

  #tick(): void {
    this.#state.measure();
    if (!this.#isWatched) return;
    // Not awaited: a disk that does not answer must not stop the page.
    void this.#lookLonger();
    this.#show();
  }

  #lookLonger(): Promise<void> {
    return this.#guard('pool and disk', () => this.#state.lookLonger());
  }

  #show(): void {
    this.#state.look();
    this.#send();
  }

  /** Does a task. The page goes on when it fails; the first failure in a row is logged. */
  async #guard(task: PageTask, run: () => Promise<void> | void): Promise<void> {
    try {
      await run();
      this.#failures.delete(task);
    } catch (error) {
      const failure = String(error);
      if (
        (this.#isStopped && task !== 'file of the charts') ||
        failure === this.#failures.get(task)
      )
        return;
      this.#failures.set(task, failure);
      const { globalLogger, logger } = this.#sources;
      const one = task === 'file of the charts' ? globalLogger : logger;
      one.error(`the web page cannot be brought up to date (${task}): ${failure}`);
    }
  }

  readonly #onBlock = (): void => {
    if (!this.#isWatched || this.#soon !== undefined) return;
    const wait = Math.max(0, this.#sentAt + LEAST_PAUSE - monotonicMilliseconds());
    this.#soon = setTimeout(() => {
      this.#soon = undefined;
      this.#state.chainChanged();
      void this.#guard('figures', () => this.#show());
    }, wait);
    this.#soon.unref();
  };

  #send(): void {
    this.#sentAt = monotonicMilliseconds();
    this.#state.flush();
  }
}
