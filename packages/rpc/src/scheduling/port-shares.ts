import { CallerGroup } from './time-shares.ts';

/** Slices that calls of the owner get for one of restricted ports, when both wait. */
const OWNER_WEIGHT = 3;
/** Time that clients of restricted ports may take of the event loop, milliseconds per second. */
export const PUBLIC_MS_PER_SECOND = 800;

/** The groups of callers that share the time of one process. */
export interface PortShares {
  /** The console and the clients of a port that is not restricted. */
  readonly owner: CallerGroup;
  /** The clients of restricted ports. */
  readonly public: CallerGroup;
}

/** Returns the groups of one process, without callers. */
export function createPortShares(): PortShares {
  return {
    owner: new CallerGroup({ weight: OWNER_WEIGHT }),
    public: new CallerGroup({ msPerSecond: PUBLIC_MS_PER_SECOND }),
  };
}
