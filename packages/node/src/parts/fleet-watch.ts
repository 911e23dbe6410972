import { Periodic } from '@monero-node/base';
import type { Part } from './lifecycle.ts';

/** The RPC of another node of the same fleet. */
export interface FleetNode {
  /** A name or an address; an IPv6 address without brackets. */
  readonly host: string;
  readonly port: number;
}

/** Milliseconds between two rounds of questions. */
const INTERVAL = 1000;
/** Milliseconds until a node that does not answer counts as absent. */
const TIMEOUT = 900;
/** Largest answer in bytes. */
const MAX_ANSWER = 4096;

/**
 * Asks the other nodes of a fleet for their heights every second, at `/health/ready`. A node whose peers are gone, or silent,
 * does not know that it lags; they tell it. All they can do is keep it from being ready.
 */
export class FleetWatch implements Part {
  readonly name = 'fleet';
  readonly #urls: readonly string[];
  readonly #rounds: Periodic;
  #height = 0;

  constructor(nodes: readonly FleetNode[], interval = INTERVAL) {
    this.#urls = nodes.map(({ host, port }) => {
      const name = host.includes(':') ? `[${host}]` : host;
      return `http://${name}:${port}/health/ready`;
    });
    this.#rounds = new Periodic(interval, () => this.#ask());
  }

  /** Greatest height in the last round; 0 when no node answered. */
  get height(): number {
    return this.#height;
  }

  /** Resolves after the first round, so that the node does not call itself ready without having asked. */
  async start(): Promise<void> {
    if (this.#urls.length === 0) return;
    await this.#ask();
    this.#rounds.start();
  }

  stop(): Promise<void> {
    this.#rounds.stop();
    return Promise.resolve();
  }

  async #ask(): Promise<void> {
    const heights = await Promise.all(this.#urls.map((url) => heightAt(url).catch(() => 0)));
    this.#height = Math.max(...heights);
  }
}

/** Returns the height that a node reports. Throws when it does not answer in time, or with something else. */
async function heightAt(url: string): Promise<number> {
  const response = await fetch(url, {
    signal: AbortSignal.timeout(TIMEOUT),
    redirect: 'error',
    headers: { 'Accept-Encoding': 'identity' },
  });
  const length = Number(response.headers.get('content-length') ?? Infinity);
  // A few compressed kilobytes can become gigabytes.
  const isPlain = !response.headers.has('content-encoding');
  if (!(length <= MAX_ANSWER) || !isPlain) {
    await response.body?.cancel();
    throw new Error('the answer is too long, or compressed');
  }
  const answer: unknown = await response.json();
  const height =
    typeof answer === 'object' && answer !== null && 'height' in answer ? answer.height : undefined;
  if (typeof height !== 'number' || !Number.isSafeInteger(height) || height < 0)
    throw new Error('the answer has no height');
  return height;
}
