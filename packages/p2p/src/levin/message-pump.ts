import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SharedSlice } from '@monero-node/base';
import type { LevinMessage } from './frame.ts';
import { costOf, hasLongAnswer } from '../messages/commands.ts';
import type { ReadFlow } from './read-flow.ts';
import type { SendQueue } from './send-queue.ts';
import type { WorkBudget } from './work-budget.ts';
import { WorkMeter } from './work-meter.ts';

/** One for all connections, since it reads the processor time of the process. */
const METER = new WorkMeter();

export interface MessagePumpDependencies {
  /** Returns the next complete message, if there is one. */
  readonly next: () => LevinMessage | undefined;
  /** Handles a message; the next one waits until a returned promise settles. */
  readonly handle: (message: LevinMessage) => Promise<void> | undefined;
  readonly flow: ReadFlow;
  readonly sendQueue: SendQueue;
  /** Shares the event loop between all peers. */
  readonly turns: SharedSlice;
  readonly budget: WorkBudget;
  readonly onError: (error: unknown) => void;
  /** Called when the peer has overdrawn its budget for too long. */
  readonly onExhausted: () => void;
}

/**
 * Handles the messages of one connection, one at a time and in turn with those of other connections. Reading stops while
 * a message is handled, while the peer is over its budget, and while it does not read what it asked for.
 */
export class MessagePump {
  readonly #deps: MessagePumpDependencies;
  #isRunning = false;
  #isStopped = false;
  #isHolding = false;
  #wake: (() => void) | undefined;

  constructor(dependencies: MessagePumpDependencies) {
    this.#deps = dependencies;
  }

  /** Whether a request waits until the peer has read the answers to others. */
  get isHolding(): boolean {
    return this.#isHolding;
  }

  /** Handles the messages that have arrived. */
  run(): void {
    if (!this.#isRunning && !this.#isStopped) void this.#run();
  }

  stop(): void {
    this.#isStopped = true;
    this.#wake?.();
  }

  async #run(): Promise<void> {
    const { flow, onError, turns } = this.#deps;
    this.#isRunning = true;
    try {
      while (!this.#isStopped) {
        const turn = turns.enter();
        if (turn) {
          flow.pause();
          await turn;
          if (this.#isStopped) break;
        }
        const step = this.#step();
        if (step === false) break;
        if (step === undefined) continue;
        flow.pause();
        await step;
      }
    } catch (error) {
      onError(error);
    } finally {
      this.#isRunning = false;
      flow.resume();
    }
  }

  /** Handles the next message. Returns false if there is none, and a promise when the one after it has to wait. */
  #step(): Promise<void> | undefined | false {
    const spent = METER.begin();
    const message = this.#deps.next();
    if (message === undefined) return false;
    const held = hasLongAnswer(message.command) ? this.#deps.sendQueue.low() : undefined;
    if (held === undefined) return this.#handle(message, spent);
    this.#isHolding = true;
    return held.then(() => {
      this.#isHolding = false;
      return this.#isStopped ? undefined : this.#handle(message, METER.begin());
    });
  }

  #handle(message: LevinMessage, measure: (minimum: number) => number): Promise<void> | undefined {
    const { handle } = this.#deps;
    const work = handle(message);
    // The code that awaits a response runs before the next message is handled.
    if (message.kind === 'response') return nextTurn();
    const minimum = costOf(message.command).milliseconds;
    // Received only when asked for: it costs the peer nothing.
    if (minimum === 0) return work;
    const spent = measure(minimum);
    if (work === undefined) return this.#pay(message.command, spent);
    return work.then(() => this.#pay(message.command, spent));
  }

  /** Returns a promise when the peer has to wait. */
  #pay(command: number, spent: number): Promise<void> | undefined {
    const { budget, onExhausted } = this.#deps;
    const wait = budget.charge(command, spent);
    if (wait === 0 || this.#isStopped) return undefined;
    if (budget.isExhausted) {
      onExhausted();
      return undefined;
    }
    return this.#sleep(wait);
  }

  #sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#wake?.(), milliseconds);
      timer.unref();
      this.#wake = () => {
        clearTimeout(timer);
        this.#wake = undefined;
        resolve();
      };
    });
  }
}
