import type { TransportStream } from '../transport/transport.ts';

/** Pauses a stream while a message is being handled or the download rate is exceeded. */
export class ReadFlow {
  readonly #stream: TransportStream;
  #busy = false;
  #rateTimer: NodeJS.Timeout | undefined;
  #paused = false;
  #closed = false;

  constructor(stream: TransportStream) {
    this.#stream = stream;
  }

  /** Reads nothing until `resume` is called. */
  pause(): void {
    this.#busy = true;
    this.#update();
  }

  resume(): void {
    this.#busy = false;
    this.#update();
  }

  /** Reads nothing for that many milliseconds; shorter waits within a longer one change nothing. */
  wait(ms: number): void {
    if (ms <= 0 || this.#rateTimer !== undefined) return;
    this.#rateTimer = setTimeout(() => {
      this.#rateTimer = undefined;
      this.#update();
    }, ms);
    this.#rateTimer.unref();
    this.#update();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#rateTimer);
  }

  #update(): void {
    if (this.#closed) return;
    const pause = this.#busy || this.#rateTimer !== undefined;
    if (pause === this.#paused) return;
    this.#paused = pause;
    if (pause) this.#stream.pause();
    else this.#stream.resume();
  }
}
