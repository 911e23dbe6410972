import type { HealthFigures, LogControl, NodeControl } from './node-process.ts';
import type { UpdateControl } from './updates.ts';

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
}
