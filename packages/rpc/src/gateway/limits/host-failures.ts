import { BoundedMap, type Logger } from '@monero-node/base';
import type { P2pNodeInfo } from '@monero-node/p2p';

/** Failures that get an address banned, and for how long (seconds). Source: RPC_IP_FAILS_BEFORE_BLOCK. */
const FAILS_BEFORE_BAN = 3;
const BAN_SECONDS = 24 * 3600;
const MAX_ADDRESSES = 10_000;

/** Counts the block requests that no honest client makes, by address. */
export class HostFailures {
  readonly #p2p: Pick<P2pNodeInfo, 'ban'>;
  readonly #logger: Logger;
  readonly #fails = new BoundedMap<string, number>(MAX_ADDRESSES);

  constructor(p2p: Pick<P2pNodeInfo, 'ban'>, logger: Logger) {
    this.#p2p = p2p;
    this.#logger = logger;
  }

  /** Counts a failure of an address. The fourth bans the address, whose count then restarts at 1. */
  note(address: string): void {
    const fails = (this.#fails.get(address) ?? 0) + 1;
    if (fails > FAILS_BEFORE_BAN) {
      this.#fails.set(address, Math.floor(FAILS_BEFORE_BAN / 2));
      this.#logger.warn(`banning ${address} for failing block requests`);
      this.#p2p.ban(address, BAN_SECONDS);
      return;
    }
    this.#fails.set(address, fails);
  }
}
