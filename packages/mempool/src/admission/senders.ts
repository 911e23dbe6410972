import type { Stranger } from '@monero-node/blockchain';

/** The strangers who sent one transaction while it is verified. Together they are one, who leaves with the last of them. */
export class Senders implements Stranger {
  readonly #everyone = new AbortController();
  readonly #forget: (() => void)[] = [];
  #staying = 0;

  /** Aborted when all have left. */
  get left(): AbortSignal {
    return this.#everyone.signal;
  }

  /** Adds one; without a signal it stays. */
  add({ left }: Stranger): void {
    this.#staying++;
    if (left?.aborted === true) return this.#leave();
    const onLeft = (): void => this.#leave();
    left?.addEventListener('abort', onLeft, { once: true });
    this.#forget.push(() => left?.removeEventListener('abort', onLeft));
  }

  /** Call it when the verification has ended: a peer's signal outlives it. */
  end(): void {
    for (const forget of this.#forget.splice(0)) forget();
  }

  #leave(): void {
    this.#staying--;
    if (this.#staying === 0) this.#everyone.abort(new Error('its senders have left'));
  }
}
