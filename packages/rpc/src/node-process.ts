import type { UpdateControl } from './updates.ts';

/** The log of the process. */
export interface LogControl {
  /** Categories in force, as text. */
  readonly categories: string;
  /** Takes what monerod's `set_log` takes: a level, categories, or `+` and `-` to add and remove some. Never throws. */
  set(spec: string): void;
}

/** Figures that the readiness of a node follows from. */
export interface HealthFigures {
  readonly height: number;
  /** The height that peers and other nodes of the fleet have, or the own one if that is more; undefined without them. */
  readonly targetHeight: number | undefined;
  /** Seconds since the timestamp of the newest block; negative for a block from the future. */
  readonly tipAge: number;
  /** Peers that have shaken hands. */
  readonly peers: number;
  /** Free bytes of the disk of the data directory; undefined while unknown. */
  readonly freeSpace: number | undefined;
}

/** The process around the parts: what only the composition root can answer or do. */
export interface NodeControl {
  /** Unix seconds at which the node started. */
  startTime: number;
  /** Version as `get_info` reports it. */
  version: string;
  /** Started without network. */
  offline: boolean;
  dataDir: string;
  /** Without it the calls that change the log are not served. */
  log?: LogControl | undefined;
  /** Without it no newer version of the program is found. */
  updates?: UpdateControl | undefined;
  /** Begins an orderly shutdown; returns at once. */
  requestStop(): void;
  /** Bytes free on the volume of the data directory. */
  freeSpace(): Promise<number>;
  /** Writes what is only in memory to disk. */
  flush(): Promise<void>;
  /**
   * Returns why clients should ask another node, one word for each reason; an empty list when this node is ready. Without
   * it a node is ready when it is synchronized.
   */
  notReady?(): readonly string[] | undefined;
  /** Returns the figures that `/health/ready` shows besides; without it there are none. */
  healthFigures?(): HealthFigures | undefined;
}
