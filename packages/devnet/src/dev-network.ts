import { silentLogger } from '@monero-node/base';
import { checkOptions } from '@monero-node/base/options';
import type { Engines } from '@monero-node/node';
import { DevClock } from './dev-clock.ts';
import type { DevNode } from './dev-node.ts';
import { NETWORK_OPTIONS, type DevNetworkOptions } from './options.ts';
import { startNode } from './start-node.ts';

/** Linked nodes of one chain, with one clock, and with the threads and the RandomX cache of one node. */
export class DevNetwork {
  /** All others are connected to the first. */
  readonly nodes: readonly DevNode[];
  readonly clock: DevClock;
  readonly #engines: Engines;

  /** Use `startNetwork`. */
  constructor(
    nodes: readonly DevNode[],
    { clock, engines }: { clock: DevClock; engines: Engines },
  ) {
    this.nodes = nodes;
    this.clock = clock;
    this.#engines = engines;
  }

  /** The first node. Throws Error when the network has none. */
  get first(): DevNode {
    const [first] = this.nodes;
    if (first === undefined) throw new Error('a network without nodes');
    return first;
  }

  /** Resolves when all nodes have the newest block of the first. Throws Error when that takes too long. */
  async inStep(milliseconds?: number): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.waitForSameTop(this.first, milliseconds)));
  }

  /** Stops all nodes. */
  async stop(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.stop()));
    await this.#engines.close();
  }

  /** The same as {@link DevNetwork.stop}. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}

/**
 * Starts linked nodes of one chain in this process. Throws RangeError unless `count` is whole and 1 or more, and as
 * `startNode` does; nothing is left running then.
 */
export async function startNetwork(
  count: number,
  options: DevNetworkOptions = {},
): Promise<DevNetwork> {
  checkOptions('startNetwork', options, NETWORK_OPTIONS);
  if (!Number.isSafeInteger(count) || count < 1)
    throw new RangeError('the number of nodes is whole and 1 or more');
  const { clock = new DevClock(), logger = silentLogger } = options;
  const { openEngines } = await import('@monero-node/node');
  const engines = openEngines({}, { logger });
  const nodes: DevNode[] = [];
  try {
    nodes.push(await startNode({ ...options, clock, engines }));
    const shared = { ...options, clock, engines, peers: nodes.slice(0, 1) };
    const starts = Array.from({ length: count - 1 }, () => startNode(shared));
    const outcomes = await Promise.allSettled(starts);
    for (const outcome of outcomes) if (outcome.status === 'fulfilled') nodes.push(outcome.value);
    const failed = outcomes.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
  } catch (error) {
    await new DevNetwork(nodes, { clock, engines }).stop();
    throw error;
  }
  return new DevNetwork(nodes, { clock, engines });
}
