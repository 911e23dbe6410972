/** Units of 1024 bytes per second. */
export interface RateLimits {
  readonly up: number;
  readonly down: number;
}

/** Number of outgoing connections unless another is given. */
export const DEFAULT_OUT_PEERS = 12;
const UNLIMITED_PEERS = 2 ** 32 - 1;
/** Limits of the transfer rates unless others are given. */
export const DEFAULT_RATE: Readonly<RateLimits> = { up: 8192, down: 32768 };

/** Limits of connections and rates: part of `P2pOptions`. */
export interface LimitOptions {
  /** Wanted outgoing connections; -1 is {@link DEFAULT_OUT_PEERS}. */
  readonly outPeers: number;
  /** Most incoming connections; -1 is unlimited. */
  readonly inPeers: number;
  /** Units of 1024 bytes per second over all connections; -1 is that of {@link DEFAULT_RATE}. */
  readonly limitRateUp: number;
  readonly limitRateDown: number;
  /** Most incoming connections of one address, or of one IPv6 /64. */
  readonly maxConnectionsPerIp: number;
}

/** The limits that apply unless others are given. `--help` shows them, so this file loads next to nothing. */
export const DEFAULT_LIMITS: Readonly<LimitOptions> = {
  outPeers: -1,
  inPeers: -1,
  limitRateUp: -1,
  limitRateDown: -1,
  maxConnectionsPerIp: 1,
};

/** The limits that can be changed while the node runs; -1 sets the default. */
export class AdjustableLimits {
  /** Most incoming connections of one address; those that are open stay. */
  maxConnectionsPerIp: number;
  #outPeers: number;
  #inPeers: number;
  #rate: RateLimits;

  constructor(options: LimitOptions) {
    this.maxConnectionsPerIp = options.maxConnectionsPerIp;
    this.#outPeers = outPeersOf(options.outPeers);
    this.#inPeers = inPeersOf(options.inPeers);
    this.#rate = {
      up: rateOf(options.limitRateUp, DEFAULT_RATE.up),
      down: rateOf(options.limitRateDown, DEFAULT_RATE.down),
    };
  }

  get outPeers(): number {
    return this.#outPeers;
  }

  set outPeers(count: number) {
    this.#outPeers = outPeersOf(count);
  }

  get inPeers(): number {
    return this.#inPeers;
  }

  set inPeers(count: number) {
    this.#inPeers = inPeersOf(count);
  }

  get rate(): RateLimits {
    return { ...this.#rate };
  }

  setRate({ up, down }: Partial<RateLimits>): void {
    this.#rate = {
      up: up === undefined ? this.#rate.up : rateOf(up, DEFAULT_RATE.up),
      down: down === undefined ? this.#rate.down : rateOf(down, DEFAULT_RATE.down),
    };
  }
}

function outPeersOf(count: number): number {
  return count < 0 ? DEFAULT_OUT_PEERS : count;
}

function inPeersOf(count: number): number {
  return count < 0 ? UNLIMITED_PEERS : count;
}

function rateOf(rate: number, standard: number): number {
  return rate <= 0 ? standard : rate;
}
