import { COMMAND, shakeHands, type LevinConnection } from './levin.ts';
import type { RunningNode } from './monerod.ts';
import { u64, type Section } from './portable-storage.ts';
import { waitUntil } from './wait.ts';

/** The reaction of a node to a block. */
export type Reaction =
  /** Its chain became one block longer. */
  | 'accepted'
  /** It closed the connection. */
  | 'dropped'
  /** It kept the connection and its chain. */
  | 'ignored'
  /** It stopped answering on that connection, because its handler ended with an error. */
  | 'silent';

const ANSWER_TIMEOUT = 10_000;
const SILENCE = 'silence';

/**
 * Sends blocks to a node like a peer that has just mined them (fluffy blocks with all transactions) and returns
 * how the node reacted.
 */
export class BlockPusher {
  readonly #node: RunningNode;
  #pushed = 0;

  constructor(node: RunningNode) {
    this.#node = node;
  }

  /** Uses a new connection for each block, so that earlier blocks do not affect the reaction. */
  async push(block: Uint8Array, txs: readonly Uint8Array[]): Promise<Reaction> {
    const before = await this.#node.tip();
    const connection = await this.#connect(before.height, before.id);
    try {
      const entry: Section = { block, ...(txs.length > 0 ? { txs: [...txs] } : {}) };
      connection.notify(COMMAND.newFluffyBlock, {
        b: entry,
        current_blockchain_height: u64(before.height + 1),
      });
      // Commands of a connection are handled in order, so the answer comes after the verdict.
      const answer = await connection.invoke(COMMAND.ping, {}, ANSWER_TIMEOUT).catch(() => SILENCE);
      const after = await this.#node.tip();
      if (after.height === before.height + 1) return 'accepted';
      if (after.id !== before.id) throw new Error('the node went somewhere else');
      if (answer === SILENCE) return 'silent';
      return answer === undefined ? 'dropped' : 'ignored';
    } finally {
      connection.close();
    }
  }

  /** Returns a connection that the node treats as one to a peer of its own height. */
  async #connect(height: number, topId: string): Promise<LevinConnection> {
    const connection = await shakeHands(
      this.#node.p2pPort,
      { height, topId: Buffer.from(topId, 'hex'), cumulativeDifficulty: BigInt(height) },
      BigInt(this.#pushed),
      // Every block comes from a different address, so that no address is banned for an earlier block.
      `127.0.${1 + (this.#pushed >> 7)}.${1 + (this.#pushed++ & 127)}`,
    );
    await waitUntil(
      'the node to be synchronized',
      async () => (await this.#node.info())['synchronized'] === true,
    );
    return connection;
  }
}
