import type { ChangeMessage, StateMessage } from './messages.ts';
import { applyChange, begin, type PageData } from './data.ts';

/** Whether the page hears from the node. */
export type LinkState = 'connecting' | 'live' | 'lost';

/** Everything the page shows. */
export interface Shown {
  readonly link: LinkState;
  /** Undefined before the first message. */
  readonly data: PageData | undefined;
  /** Milliseconds by which the node's clock is ahead of the browser's. */
  readonly clockOffset: number;
}

/** Holds what the page shows and says when it has changed, at most once per frame. */
export class Store {
  #shown: Shown = { link: 'connecting', data: undefined, clockOffset: 0 };
  readonly #listeners = new Set<() => void>();
  #isScheduled = false;

  get shown(): Shown {
    return this.#shown;
  }

  /** Calls back before the next frame after a change. Returns the function that ends it. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  begin(message: StateMessage): void {
    this.#set({ link: 'live', data: begin(message), clockOffset: message.now - Date.now() });
  }

  change(message: ChangeMessage): void {
    const { data } = this.#shown;
    if (data === undefined) return;
    const clockOffset = message.now - Date.now();
    this.#set({ link: 'live', data: applyChange(data, message), clockOffset });
  }

  setLink(link: LinkState): void {
    if (link !== this.#shown.link) this.#set({ ...this.#shown, link });
  }

  #set(shown: Shown): void {
    this.#shown = shown;
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    requestAnimationFrame(() => {
      this.#isScheduled = false;
      for (const listener of this.#listeners) listener();
    });
  }
}
