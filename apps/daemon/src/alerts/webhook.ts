import { setTimeout as sleep } from 'node:timers/promises';
import { secureRandom, type Logger, type RandomSource } from '@monero-node/base';
import type { Dial } from '@monero-node/rpc-client/node';
import type { AlertSeverity } from './alert.ts';
import { postAlert, WebhookError, type WebhookSettings } from './post-alert.ts';

/** Alerts that wait, at most, and attempts to send each. */
export const MAX_WAITING = 64;
export const MAX_ATTEMPTS = 5;
/** Milliseconds before the second attempt; each later pause is four times as long. All vary by a half. */
const FIRST_PAUSE = 2000;
/** Milliseconds that a stop waits for what is not sent: directly, and through a proxy such as Tor, which opens connections slowly. */
const STOP_MS = 1500;
const PROXIED_STOP_MS = 5000;

/** From the least. */
const SEVERITIES = ['info', 'warning', 'critical'] as const satisfies readonly AlertSeverity[];

/** An alert as it is sent. */
export interface WebhookMessage {
  /** Of the alert: the same from its beginning to its end. */
  readonly id: string;
  /** Of this message alone. */
  readonly messageId: string;
  readonly severity: AlertSeverity;
  readonly body: string;
}

export interface WebhookDependencies {
  readonly logger: Logger;
  /** Opens the connections, through the node's proxy for example; directly by default. */
  readonly dial?: Dial | undefined;
  /** For tests. */
  readonly post?: typeof postAlert;
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<unknown>;
  readonly random?: RandomSource;
  readonly stopMs?: number;
}

const pauseFor = (ms: number, signal: AbortSignal): Promise<unknown> =>
  sleep(ms, undefined, { signal, ref: false });

/**
 * Sends alerts to a webhook, one after the other, those that are critical before the others. What does not arrive is sent again after a
 * growing pause, five times at most. When there is no room to wait, the oldest of the least severity is dropped. Failures are said once,
 * until something arrives.
 */
export class Webhook {
  readonly #settings: WebhookSettings;
  readonly #deps: WebhookDependencies;
  readonly #waiting: WebhookMessage[] = [];
  /** Ends pauses, after which nothing is sent again. */
  readonly #stopping = new AbortController();
  /** Ends what is being sent. */
  readonly #ended = new AbortController();
  #running: Promise<void> | undefined;
  /** Alerts that never arrived, since the start. */
  #dropped = 0;
  #saidFailure = false;
  #saidFull = false;

  constructor(settings: WebhookSettings, dependencies: WebhookDependencies) {
    this.#settings = settings;
    this.#deps = dependencies;
  }

  /** Sends an alert when those before it have been. Does not wait for it. */
  send(message: WebhookMessage): void {
    if (this.#stopping.signal.aborted) return;
    this.#waiting.push(message);
    if (this.#waiting.length > MAX_WAITING) this.#dropOne();
    this.#running ??= this.#run();
  }

  /** Drops the oldest of the least severity. */
  #dropOne(): void {
    const least = SEVERITIES.find((severity) => this.#firstOf(severity) >= 0);
    if (least !== undefined) this.#waiting.splice(this.#firstOf(least), 1);
    this.#dropped++;
    if (!this.#saidFull)
      this.#deps.logger.warn(
        `--alert-webhook: ${MAX_WAITING} alerts wait to be sent, so the oldest of the least severity are dropped`,
      );
    this.#saidFull = true;
  }

  /** Returns the index of the oldest of a severity that waits; -1 when there is none. */
  #firstOf(severity: AlertSeverity): number {
    return this.#waiting.findIndex((message) => message.severity === severity);
  }

  /** Takes what is to be sent next from what waits. The end of an alert is never critical, so it stays behind its beginning. */
  #take(): WebhookMessage | undefined {
    const [next] = this.#waiting.splice(Math.max(0, this.#firstOf('critical')), 1);
    return next;
  }

  /** Tries once more to send what waits, for at most one and a half seconds (five through a proxy), and drops the rest, with a warning. */
  async stop(): Promise<void> {
    const { dial, logger, stopMs = dial === undefined ? STOP_MS : PROXIED_STOP_MS } = this.#deps;
    this.#stopping.abort();
    if (this.#running === undefined) return;
    const before = this.#dropped;
    const timer = setTimeout(() => this.#ended.abort(), stopMs);
    await this.#running;
    clearTimeout(timer);
    const lost = this.#dropped - before;
    if (lost > 0)
      logger.warn(`--alert-webhook: ${lost} alerts did not arrive before the node stopped`);
  }

  /** Never rejects. */
  async #run(): Promise<void> {
    for (let next = this.#take(); next !== undefined; next = this.#take()) {
      if (this.#ended.signal.aborted) this.#dropped++;
      else await this.#deliver(next);
    }
    this.#running = undefined;
  }

  async #deliver(message: WebhookMessage): Promise<void> {
    const { logger, post = postAlert, dial } = this.#deps;
    const options = { dial, signal: this.#ended.signal };
    for (let attempt = 1; ; attempt++) {
      try {
        await post(this.#settings, message, options);
        this.#arrived();
        return;
      } catch (error) {
        logger.debug(`--alert-webhook: attempt ${attempt}: ${(error as Error).message}`);
        if (attempt < MAX_ATTEMPTS && (await this.#mayRetry(error, attempt))) continue;
        this.#failed(error, attempt);
        return;
      }
    }
  }

  /** Waits for the next attempt. Returns false when there is none. */
  async #mayRetry(error: unknown, attempt: number): Promise<boolean> {
    if (!(error instanceof WebhookError) || !error.isPassing) return false;
    const { pause = pauseFor, random = secureRandom } = this.#deps;
    const { signal } = this.#stopping;
    // A node that stops does not wait.
    if (signal.aborted) return false;
    const ms = FIRST_PAUSE * 4 ** (attempt - 1) * (0.5 + random());
    await pause(Math.round(ms), signal).catch(() => undefined);
    return true;
  }

  #arrived(): void {
    const { logger } = this.#deps;
    if (this.#saidFailure) logger.info('--alert-webhook: alerts arrive again');
    if (this.#saidFull && this.#waiting.length === 0) {
      logger.warn(`--alert-webhook: ${this.#dropped} alerts since the start never arrived`);
      this.#saidFull = false;
    }
    this.#saidFailure = false;
  }

  #failed(error: unknown, attempts: number): void {
    this.#dropped++;
    const { logger } = this.#deps;
    if (this.#saidFailure || this.#ended.signal.aborted) return;
    this.#saidFailure = true;
    const times = attempts === 1 ? 'once' : `${attempts} times`;
    logger.warn(
      `--alert-webhook: an alert was sent ${times} and did not arrive: ${(error as Error).message}. No more is said until one does.`,
    );
  }
}
