import { toHex } from '@monero-node/codec';
import type { ScannedOutput } from './scan.ts';

/** An output with the place of its transaction. */
export interface PlacedOutput extends ScannedOutput {
  /** Id of the transaction, 32 bytes. */
  readonly txId: Uint8Array;
  /** Height of the block. */
  readonly height: number;
}

/**
 * The outputs of an account, each one-time key once. Only one output with a key can ever be spent, because they share a
 * key image; a payer may repeat a key by mistake or out of malice ("burning bug"). As in monerod's wallets, a later
 * output with a known key takes the place of the first one if it is larger and the first one is not spent.
 * Source: process_new_transaction in src/wallet/wallet2.cpp.
 */
export class OutputSet {
  readonly #outputs = new Map<string, PlacedOutput>();
  readonly #spent = new Set<string>();

  /** Adds an output; returns what counts as received now: its amount, the difference to the one it replaces, or 0. */
  add(output: PlacedOutput): bigint {
    const name = toHex(output.key);
    const known = this.#outputs.get(name);
    if (known === undefined) {
      this.#outputs.set(name, output);
      return output.amount;
    }
    if (this.#spent.has(name) || known.amount >= output.amount) return 0n;
    this.#outputs.set(name, output);
    return output.amount - known.amount;
  }

  /** Marks the output with this one-time key (32 bytes) as spent; returns whether there is one. */
  spend(key: Uint8Array): boolean {
    const name = toHex(key);
    if (!this.#outputs.has(name)) return false;
    this.#spent.add(name);
    return true;
  }

  /** Returns whether the output with this one-time key was marked as spent. */
  isSpent(key: Uint8Array): boolean {
    return this.#spent.has(toHex(key));
  }

  /** All outputs, spent ones too, in the order in which their keys were first seen. */
  get outputs(): readonly PlacedOutput[] {
    return [...this.#outputs.values()];
  }
}
