import { numberOf } from '../harness/json.ts';
import { sleep, waitUntil } from '../harness/wait.ts';
import type { RunningWallet } from '../harness/wallet.ts';
import type { Tally } from './tally.ts';

/** Amount of a payment in atomic units. */
const AMOUNT = 1_000_000_000;
/** Refreshes for each payment. */
const REFRESHES_PER_PAYMENT = 4;

/** A real wallet that refreshes and pays, again and again. */
export class WalletLoop {
  readonly #wallet: RunningWallet;
  readonly #tally: Tally;
  readonly #address: string;
  #refreshes = 0;
  #seen = 0;
  #isPaying = true;
  /** The payment under way; never rejects. */
  #paying: Promise<unknown> = Promise.resolve();
  #isStopped = false;
  payments = 0;

  /** @param address where the wallet pays to */
  constructor(wallet: RunningWallet, tally: Tally, address: string) {
    this.#wallet = wallet;
    this.#tally = tally;
    this.#address = address;
  }

  /** Refreshes until the stop, with a pause between two refreshes in milliseconds. */
  async run(pause: number): Promise<void> {
    while (!this.#isStopped) {
      try {
        await this.#wallet.call('refresh');
        await this.#lookAtHeight();
        const isDue = this.#refreshes++ % REFRESHES_PER_PAYMENT === 0;
        if (isDue && this.#isPaying) {
          const payment = this.#pay();
          this.#paying = payment.catch(() => undefined);
          await payment;
        }
      } catch (error) {
        this.#tally.failures.push(`height ${this.#tally.height}: the wallet: ${String(error)}`);
      }
      await sleep(pause);
    }
    await this.#wallet.stop();
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** Refreshes only from now on. Resolves when a payment under way is made. */
  async stopPaying(): Promise<void> {
    this.#isPaying = false;
    await this.#paying;
  }

  /** Waits until the wallet knows the chain up to a height. */
  async caughtUp(height: number): Promise<void> {
    await waitUntil(
      'the wallet to catch up',
      async () => numberOf(await this.#wallet.call('get_height'), 'height') === height,
    );
  }

  figures(): Record<string, number> {
    return { 'refreshes of monero-wallet-rpc': this.#refreshes, payments: this.payments };
  }

  /** A wallet may find one block less than it had, and keeps its own then; see docs/operating/fleet.md. */
  async #lookAtHeight(): Promise<void> {
    const height = numberOf(await this.#wallet.call('get_height'), 'height');
    this.#tally.sawAfter(this.#wallet.name, height, this.#seen);
    this.#seen = Math.max(this.#seen, height);
  }

  async #pay(): Promise<void> {
    const destinations = [{ amount: AMOUNT, address: this.#address }];
    await this.#wallet.call('transfer', { destinations });
    this.payments++;
  }
}
