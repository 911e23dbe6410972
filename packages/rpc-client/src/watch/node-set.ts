import { RpcConnectionError, RpcError, RpcHttpError, RpcLoginError } from '../errors.ts';
import type { ChainNode, Tip } from './chain-node.ts';
import { WatchError } from './watch-error.ts';
import type { Followed } from './watch-options.ts';

/** Longest rest of a node that failed while others answer, milliseconds. */
const LONGEST_REST = 60_000;

/** What a node answered. */
export interface NodeAnswer<T> {
  readonly node: ChainNode;
  readonly answer: T;
}

/** Asks several nodes at once and keeps account of who fails. */
export class NodeSet {
  readonly #followed: Followed;
  /** Who failed since all of them were last asked. */
  readonly #errors = new Map<ChainNode, unknown>();

  constructor(followed: Followed) {
    this.#followed = followed;
  }

  /**
   * Asks all nodes the same and returns what those answered that did. One that failed rests for a growing time, as long as others answer;
   * an answer alone
   * does not end that, since this may be the first question of several: `answered` does.
   * Rejects with the reason of the signal, and with the first error when each of them failed for a reason that does not pass.
   */
  async ask<T>(question: (node: ChainNode) => Promise<T>): Promise<NodeAnswer<T>[]> {
    const { nodes } = this.#followed;
    this.#errors.clear();
    const now = performance.now();
    const awake = nodes.filter(({ restsUntil }) => restsUntil <= now);
    let answers = await this.#askEach(awake, question);
    if (answers.length === 0 && awake.length < nodes.length) {
      answers = await this.#askEach(
        nodes.filter((node) => !awake.includes(node)),
        question,
      );
    }
    this.giveUp();
    return answers;
  }

  /** Returns the newest block of each node that answers, the one with the most work first. */
  async tips(): Promise<NodeAnswer<Tip>[]> {
    const { signal } = this.#followed;
    const tips = await this.ask((node) => node.tip(signal));
    return tips.sort(
      (a, b) => Number(b.answer.work > a.answer.work) - Number(b.answer.work < a.answer.work),
    );
  }

  /** Notes that a node answered all that there was to ask, unless it failed meanwhile. */
  answered(node: ChainNode): void {
    if (!this.#errors.has(node)) node.answered();
  }

  /** Notes that a node failed. Throws the reason of the signal if that is why, and an error that is not about a node. */
  failed(node: ChainNode, error: unknown): void {
    const { signal, interval, nodes, onTrouble } = this.#followed;
    signal.throwIfAborted();
    if (!(error instanceof RpcError || error instanceof WatchError)) throw error;
    this.#errors.set(node, error);
    node.failed(
      performance.now(),
      Math.min(LONGEST_REST, interval * 2 ** Math.min(node.failures, 16)),
    );
    onTrouble({ node: nodes.indexOf(node), error });
  }

  async #askEach<T>(
    asked: readonly ChainNode[],
    question: (node: ChainNode) => Promise<T>,
  ): Promise<NodeAnswer<T>[]> {
    const outcomes = await Promise.allSettled(asked.map(question));
    const answers: NodeAnswer<T>[] = [];
    for (const [i, outcome] of outcomes.entries()) {
      const node = asked[i] as ChainNode;
      if (outcome.status === 'fulfilled') {
        answers.push({ node, answer: outcome.value });
      } else {
        this.failed(node, outcome.reason);
      }
    }
    return answers;
  }

  /** Throws the first error if each node has failed since they were asked, for a reason that does not pass. */
  giveUp(): void {
    const errors = [...this.#errors.values()];
    if (errors.length === this.#followed.nodes.length && errors.every(isLasting)) throw errors[0];
  }
}

/** Returns whether a node will fail in the same way until somebody changes something. */
function isLasting(error: unknown): boolean {
  if (error instanceof RpcConnectionError) return error.code === 'certificate';
  if (error instanceof RpcHttpError) return [403, 404, 405].includes(error.status);
  return error instanceof RpcLoginError || error instanceof WatchError;
}
