import { checkOptions } from '@monero-node/base/options';
import { NodeSet } from './node-set.ts';
import { type PoolEvent, PoolFollower } from './pool-follower.ts';
import { Wakes } from './wakes.ts';
import { FOLLOW_OPTIONS, followed, type Followed, type FollowOptions } from './watch-options.ts';

/**
 * Follows the pool: returns the transactions that are in it, as they come, and those that leave it.
 *
 * The pools of several nodes count as one: a transaction is told once, and has left when each node that had it has answered without it.
 * Nothing of this is sure: a transaction in the pool may never be in the chain, and another one may spend its coins.
 *
 * Throws and rejects as `watchBlocks` does, which tells of blocks.
 */
export function watchPool(options: FollowOptions): AsyncGenerator<PoolEvent, void, void> {
  checkOptions('watchPool', options, FOLLOW_OPTIONS);
  return poolEvents(followed(options));
}

async function* poolEvents(nodes: Followed): AsyncGenerator<PoolEvent, void, void> {
  const { interval, signal, wakes, onTrouble } = nodes;
  const follower = new PoolFollower(nodes, new NodeSet(nodes));
  const waiting = new Wakes(wakes, interval, signal, (error) => {
    onTrouble({ node: undefined, error });
  });
  try {
    for (;;) {
      signal.throwIfAborted();
      for await (const events of follower.look()) yield* events;
      await waiting.next();
    }
  } finally {
    waiting.close();
  }
}
