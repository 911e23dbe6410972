import type { Response } from 'express';

/** Visitors that can receive changes at the same time; others see what their page was sent with. */
const MAX_LISTENERS = 500;
const TOGETHER_MS = 250;
const ALIVE_MS = 20_000;
/** Bytes that may wait for a visitor that does not read; then the connection is closed. */
const MAX_UNSENT = 64 * 1024;

/** Notifies the pages of all visitors that the tables have changed, by server-sent events. */
export class LiveEvents {
  readonly #readHeight: () => Promise<number>;
  readonly #listeners = new Set<Response>();
  readonly #alive: NodeJS.Timeout;
  #timer: NodeJS.Timeout | undefined;

  /** `readHeight` returns that of the newest block. */
  constructor(readHeight: () => Promise<number>) {
    this.#readHeight = readHeight;
    this.#alive = setInterval(() => this.#send(':\n\n'), ALIVE_MS);
    this.#alive.unref();
  }

  /** Starts an answer that goes on until the visitor leaves. */
  add(response: Response): void {
    if (this.#listeners.size >= MAX_LISTENERS) {
      response.status(503).end();
      return;
    }
    response.set({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' });
    response.flushHeaders();
    response.write('retry: 2000\n\n');
    this.#listeners.add(response);
    response.on('close', () => this.#listeners.delete(response));
    this.changed();
  }

  /** Notifies all visitors, soon: changes that follow each other closely are sent as one. */
  changed(): void {
    if (this.#listeners.size === 0) return;
    this.#timer ??= setTimeout(() => void this.#tell(), TOGETHER_MS);
  }

  close(): void {
    clearInterval(this.#alive);
    clearTimeout(this.#timer);
    for (const response of this.#listeners) response.end();
    this.#listeners.clear();
  }

  async #tell(): Promise<void> {
    this.#timer = undefined;
    try {
      const height = await this.#readHeight();
      this.#send(`event: change\ndata: ${JSON.stringify({ height })}\n\n`);
    } catch {
      // The database is away; the next change is told when it is back.
    }
  }

  #send(text: string): void {
    for (const response of this.#listeners) {
      if (response.writableLength > MAX_UNSENT) response.destroy();
      else response.write(text);
    }
  }
}
