import type { Logger } from '@monero-node/base';
import type { MemoryBudget } from './memory-budget.ts';
import type { Origin } from '../call-request.ts';

/**
 * The memory behind one answer, as the budget of its port counts it: what its handler keeps, and what is made of it and
 * not taken by the client yet. Its host may lose it; see `MemoryBudget`.
 */
export class AnswerMemory {
  readonly #count: (bytes: number) => void;
  #kept = 0;
  #unsent = 0;
  #hasEnded = false;

  /** @param abandon closes the connection; gets the bytes that the answer held */
  constructor(budget: MemoryBudget, host: object, abandon: (bytes: number) => void) {
    this.#count = budget.hold(host, () => {
      abandon(this.#kept + this.#unsent);
    });
  }

  /** States the bytes that the handler keeps from now on until they are sent. */
  keep(bytes: number): void {
    this.#kept = bytes;
    this.#update();
  }

  /** States the bytes that are made and not taken. */
  setUnsent(bytes: number): void {
    this.#unsent = bytes;
    this.#update();
  }

  /** The answer is sent, or can't be any more. Later statements of its handler are not counted. */
  end(): void {
    this.#hasEnded = true;
    this.#update();
  }

  #update(): void {
    this.#count(this.#hasEnded ? 0 : this.#kept + this.#unsent);
  }
}

/** Returns the memory of an answer to a client, who is cut off when too much is held for him. */
export function answerMemoryFor(
  {
    budgets,
    services,
  }: {
    readonly budgets: { readonly unsent: MemoryBudget };
    readonly services: { readonly logger: Logger };
  },
  origin: Origin,
): AnswerMemory {
  return new AnswerMemory(budgets.unsent, origin.caller, (bytes) => {
    services.logger.warn(
      `abandoned an answer that held ${bytes} bytes while the client did not read it`,
    );
    origin.cutOff();
  });
}
