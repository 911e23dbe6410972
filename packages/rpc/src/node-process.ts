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
  /** Id of the newest block, 64 hex digits. */
  readonly topId: string;
  /** Of the newest block, as `0x` and hex digits. */
  readonly cumulativeDifficulty: string;
  /** The height that peers and other nodes of the fleet have, or the own one if that is more; undefined without them. */
  readonly targetHeight: number | undefined;
  /** Blocks that the node lacks; more than the heights say when it is on a lighter branch than its fleet. Undefined without others. */
  readonly lag: number | undefined;
  /** Seconds since the timestamp of the newest block; negative for a block from the future. */
  readonly tipAge: number;
  /** Peers that have shaken hands. */
  readonly peers: number;
  /** Those among them that are nodes of the same fleet. */
  readonly fleetPeers: number;
  /** Free bytes of the disk of the data directory; undefined while unknown. */
  readonly freeSpace: number | undefined;
  /** The key by which this process is known in its fleet; undefined when it knows of none. */
  readonly instanceId: string | undefined;
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
  /**
   * Returns the JSON that other nodes get at `/health/fleet`, also from one that knows of no fleet; without it they get 404. Anybody
   * may ask, so it must cost little.
   */
  fleetAnswer?(): string | undefined;
}

/** A version of this program that is newer than the one that runs. */
export interface NewerVersion {
  /** Semantic version, without a `v`. */
  readonly version: string;
  /** URL of its archive. */
  readonly uri: string;
  /** SHA-512 of the archive, 128 hex digits. */
  readonly hash: string;
}

/** Finds and downloads newer versions of this program. */
export interface UpdateControl {
  /** Whether the last check found a newer version. */
  readonly isAvailable: boolean;
  /** Returns the newer version; undefined when this one is the newest. Rejects with Error, which names the reason. */
  check(): Promise<NewerVersion | undefined>;
  /**
   * Returns the path of the archive, after downloading it unless it is already there. `path` is absolute and no other
   * file; without it the node chooses. Rejects with Error, which names the reason, and then keeps no file.
   */
  download(newer: NewerVersion, path?: string): Promise<string>;
}

/**
 * The process around the RPC, with defaults for what the program has left out: offline, without a folder, never stopping.
 * Every field is read from the program's own object when it is asked for, since that object may change while the server
 * runs.
 */
export class LiveNode implements NodeControl {
  readonly #given: Partial<NodeControl>;
  readonly #createdAt: number;

  /** `createdAt` is in Unix seconds: the start time of a node that has none of its own. */
  constructor(given: Partial<NodeControl>, createdAt: number) {
    this.#given = given;
    this.#createdAt = createdAt;
  }

  get startTime(): number {
    return this.#given.startTime ?? this.#createdAt;
  }

  get version(): string {
    return this.#given.version ?? '';
  }

  get offline(): boolean {
    return this.#given.offline ?? true;
  }

  get dataDir(): string {
    return this.#given.dataDir ?? '';
  }

  get log(): LogControl | undefined {
    return this.#given.log;
  }

  get updates(): UpdateControl | undefined {
    return this.#given.updates;
  }

  requestStop(): void {
    this.#given.requestStop?.();
  }

  freeSpace(): Promise<number> {
    return this.#given.freeSpace?.() ?? Promise.resolve(0);
  }

  flush(): Promise<void> {
    return this.#given.flush?.() ?? Promise.resolve();
  }

  /** Undefined, so that the caller decides, when the program does not say. */
  notReady(): readonly string[] | undefined {
    return this.#given.notReady?.();
  }

  healthFigures(): HealthFigures | undefined {
    return this.#given.healthFigures?.();
  }

  fleetAnswer(): string | undefined {
    return this.#given.fleetAnswer?.();
  }
}
