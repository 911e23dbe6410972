import { ConnectionCounter } from '../gateway/connection-limits.ts';

const NO_LIMITS = { perPublicIp: Infinity, perPrivateIp: Infinity, total: Infinity };

/** The connections of one port that a worker has. The main process has counted them; it reports how many the port has in all. */
export class FarConnections extends ConnectionCounter {
  readonly #all: () => number;

  constructor(all: () => number) {
    super(NO_LIMITS);
    this.#all = all;
  }

  override get total(): number {
    return this.#all();
  }
}
