import { EventEmitter } from 'node:events';

type SyncTargetEvents = {
  /** Our chain caught up with the peers' for the first time. */
  synchronized: [];
};

/** The height to reach, and whether it has been reached. */
export class SyncTarget extends EventEmitter<SyncTargetEvents> {
  #height = 0;
  #synchronized: boolean;

  constructor(options: { synchronized: boolean }) {
    super();
    this.#synchronized = options.synchronized;
  }

  /** Height of the highest chain among the peers; 0 while unknown. */
  get height(): number {
    return this.#height;
  }

  get synchronized(): boolean {
    return this.#synchronized;
  }

  raise(height: number): void {
    this.#height = Math.max(this.#height, height);
  }

  lower(height: number): void {
    this.#height = Math.min(this.#height, height);
  }

  becomeSynchronized(): void {
    if (this.#synchronized) return;
    this.#synchronized = true;
    this.emit('synchronized');
  }
}
