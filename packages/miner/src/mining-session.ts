import { performance } from 'node:perf_hooks';
import { minedBlock, TemplateError } from '@monero-node/blockchain';
import { BackgroundControl } from './background.ts';
import { HashRate } from './hash-rate.ts';
import { MiningJob } from './mining-job.ts';
import type { SessionDependencies, MinerStart } from './dependencies.ts';
import type { BackgroundSettings } from './background-settings.ts';
import { ThreadCount } from './thread-count.ts';

/** Milliseconds between two templates on the same tip, so that they have new transactions and the time. */
const TEMPLATE_INTERVAL = 5000;
const RATE_INTERVAL = 2000;
const AUTODETECT_INTERVAL = 1000;
/**
 * Milliseconds of a search, after which a thread waits for the event loop once. A new template ends a search
 * at once.
 */
const SEARCH_TIME = 500;
const MOST_HASHES = 1_000_000;
const NO_NONCE = new Uint8Array(0);

/** The state of the miner between a start and the next stop. */
export class MiningSession {
  readonly start: MinerStart;
  readonly rate = new HashRate(() => performance.now());
  readonly background: BackgroundControl | undefined;
  isRateShown: boolean;
  readonly #deps: SessionDependencies;
  readonly #autodetect: ThreadCount | undefined;
  readonly #changed = new ChangeSignal();
  readonly #threads = new Map<number, Promise<void>>();
  readonly #timers: NodeJS.Timeout[] = [];
  #lookTimer: NodeJS.Timeout | undefined;
  readonly #onChain = () => void this.#renew();
  #threadCount: number;
  #isPaused = false;
  #job: MiningJob | undefined;
  #isRenewing = false;
  #isRenewalDue = false;
  #isEnded = false;

  constructor(
    start: MinerStart,
    background: BackgroundSettings,
    isRateShown: boolean,
    deps: SessionDependencies,
  ) {
    this.start = start;
    this.isRateShown = isRateShown;
    this.#deps = deps;
    this.#threadCount = Math.max(1, start.threads);
    if (start.threads === 0) {
      this.#autodetect = new ThreadCount(deps.mostThreads, performance.now(), 0);
    }
    if (start.background) {
      const options = { ...background, ignoreBattery: start.ignoreBattery };
      this.background = new BackgroundControl(options, deps.machine, deps.logger);
    }
  }

  get threads(): number {
    return this.#threadCount;
  }

  /** Reward of the block being mined, including fees; atomic units. */
  get blockReward(): bigint {
    return this.#job?.template.expectedReward ?? 0n;
  }

  /** Resolves when a template has been made, or could not be made. */
  async begin(): Promise<void> {
    const { blockchain } = this.#deps;
    for (const event of ['blocks-added', 'reorg', 'popped'] as const) {
      blockchain.on(event, this.#onChain);
    }
    this.#every(TEMPLATE_INTERVAL, () => void this.#renew());
    this.#every(RATE_INTERVAL, () => this.#measure());
    if (this.#autodetect !== undefined) {
      this.#every(AUTODETECT_INTERVAL, () => this.#detectThreads());
    }
    if (this.background !== undefined) this.#watchMachine(this.background);
    await this.#renew();
    this.#startThreads();
  }

  /** Pauses the threads, or lets them continue. */
  setPaused(isPaused: boolean): void {
    this.#isPaused = isPaused;
    if (isPaused) this.#job?.interrupt();
    else this.#changed.notify();
  }

  /** Stops the threads; resolves when all have ended. */
  async end(): Promise<void> {
    this.#isEnded = true;
    const { blockchain } = this.#deps;
    for (const event of ['blocks-added', 'reorg', 'popped'] as const) {
      blockchain.off(event, this.#onChain);
    }
    for (const timer of [...this.#timers, this.#lookTimer]) clearTimeout(timer);
    this.#job?.end();
    this.#changed.notify();
    await Promise.all(this.#threads.values());
  }

  #every(milliseconds: number, task: () => void): void {
    this.#timers.push(setInterval(task, milliseconds));
  }

  /** Replaces the template. */
  async #renew(): Promise<void> {
    this.#isRenewalDue = true;
    if (this.#isRenewing) return;
    this.#isRenewing = true;
    while (this.#isRenewalDue && !this.#isEnded) {
      this.#isRenewalDue = false;
      const job = await this.#newJob();
      this.#job?.end();
      this.#job = job;
    }
    this.#isRenewing = false;
    this.#changed.notify();
  }

  async #newJob(): Promise<MiningJob | undefined> {
    try {
      const { address } = this.start;
      const extraNonce = this.#deps.extraMessages?.current ?? NO_NONCE;
      return new MiningJob(await this.#deps.templates.create({ address, extraNonce }));
    } catch (error) {
      const reason = error instanceof TemplateError ? error.message : String(error);
      this.#deps.logger.error(`no block to mine: ${reason}`);
      return undefined;
    }
  }

  #startThreads(): void {
    for (let index = 0; index < this.#threadCount; index++) {
      if (this.#threads.has(index)) continue;
      this.#threads.set(
        index,
        this.#work(index).finally(() => this.#threads.delete(index)),
      );
    }
  }

  async #work(index: number): Promise<void> {
    const { searcher, logger } = this.#deps;
    let hashesAtOnce = 1;
    try {
      while (!this.#isEnded && index < this.#threadCount) {
        if (!(await this.#mayWork())) continue;
        const job = this.#job;
        const search = job?.take(this.background === undefined ? hashesAtOnce : 1);
        if (job === undefined || search === undefined) {
          // The end may have come while this thread rested: nothing notifies it after that.
          if (!this.#isEnded) await this.#changed.wait();
          continue;
        }
        const before = performance.now();
        const { nonce, hashes } = await searcher.search(search);
        this.rate.add(hashes);
        if (nonce !== undefined) await this.#found(job, nonce);
        else hashesAtOnce = hashesIn(hashes, performance.now() - before);
      }
    } catch (error) {
      logger.error(`a mining thread ended: ${(error as Error).message}`);
    }
  }

  /**
   * Waits for the end of a pause. In the background it also waits until the machine is idle, and rests after each
   * search. Resolves to false when the caller has to ask again.
   */
  async #mayWork(): Promise<boolean> {
    if (this.#isPaused) {
      await this.#changed.wait();
      return false;
    }
    if (this.background === undefined) return true;
    if (!this.background.isMining) {
      await this.#changed.wait();
      return false;
    }
    await this.#changed.wait(this.background.rest);
    return !this.#isPaused;
  }

  async #found(job: MiningJob, nonce: number): Promise<void> {
    // Another thread was first, or the tip has changed.
    if (this.#job !== job) return;
    const { logger, submit, extraMessages } = this.#deps;
    const { height, difficulty } = job.template;
    this.#job = undefined;
    job.end();
    logger.child('global').info(`Found block at height ${height} for difficulty ${difficulty}`);
    // Before the chain announces the block, because the next template carries the next message.
    extraMessages?.next();
    const isTaken = await submit(minedBlock(job.template, nonce));
    if (isTaken) {
      await this.#saveMessageIndex();
    } else {
      extraMessages?.back();
      logger.warn(`the block found at height ${height} was not taken`);
    }
    // The chain's event has brought a new template, but after a rejection there is none, or one with the wrong message.
    if (!isTaken || this.#job === undefined) await this.#renew();
  }

  async #saveMessageIndex(): Promise<void> {
    try {
      await this.#deps.extraMessages?.save();
    } catch (error) {
      this.#deps.logger.error(`extra messages: ${(error as Error).message}`);
    }
  }

  #measure(): void {
    this.rate.measure();
    if (!this.isRateShown) return;
    this.#deps.logger.child('global').info(`hashrate: ${this.rate.average.toFixed(4)}`);
  }

  #detectThreads(): void {
    const detection = this.#autodetect;
    if (detection === undefined || detection.isFound) return;
    detection.update(performance.now(), this.rate.total);
    this.#threadCount = detection.count;
    this.#startThreads();
    if (!detection.isFound) return;
    this.#deps.logger.child('global').info(`mining with ${this.#threadCount} threads`);
  }

  #watchMachine(control: BackgroundControl): void {
    if (this.#isEnded) return;
    this.#lookTimer = setTimeout(() => {
      void control
        .look()
        .catch((error: unknown) => this.#deps.logger.error(String(error)))
        .then(() => {
          this.#changed.notify();
          this.#watchMachine(control);
        });
    }, control.interval);
  }
}

/** Returns the number of hashes that take SEARCH_TIME, given the time that `hashes` took. */
function hashesIn(hashes: number, milliseconds: number): number {
  if (milliseconds <= 0) return Math.max(1, 2 * hashes);
  const wanted = Math.round((hashes * SEARCH_TIME) / milliseconds);
  return Math.min(MOST_HASHES, Math.max(1, wanted));
}

/** Wakes mining threads that wait for a change: a new template, the end of a pause, an idle machine. */
class ChangeSignal {
  #waiting: (() => void)[] = [];

  /** Resolves at the next `notify`, or after the given milliseconds. */
  wait(milliseconds?: number): Promise<void> {
    return new Promise((resolve) => {
      if (milliseconds === undefined) {
        this.#waiting.push(resolve);
        return;
      }
      const timer = setTimeout(resolve, milliseconds);
      this.#waiting.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  /** Wakes all that wait. */
  notify(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resume of waiting) resume();
  }
}
