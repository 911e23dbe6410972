import { bytesEqual, encodeTransaction, parseTransaction } from '@monero-node/codec';
import { randomBelow, secureRandom } from '@monero-node/base';
import { transactionWeight } from '@monero-node/consensus';
import { createTransactionKey, type AddressKeys } from '@monero-node/crypto';
import type { MoneroNode } from '@monero-node/node';
import type { Account } from '@monero-node/wallet-primitives';
import { makeOutputs, type PlannedOutput } from '../insecure-signer/outputs.ts';
import {
  blankTransaction,
  signTransaction,
  type SpentOutput,
} from '../insecure-signer/transaction.ts';
import type { Coin } from './coins.ts';
import type { MadeTransaction, PaymentDraft, PaymentMaker, Recipient } from './payment-maker.ts';
import { randomRing, ringOf } from './rings.ts';

/** Makes transactions with rings, which chains take below version 17. */
export class RingMaker implements PaymentMaker {
  /** Only the weight has a bound, which the node judges. */
  readonly mostInputs = Infinity;
  readonly #chain: MoneroNode['blockchain'];
  readonly #sender: Account;
  readonly #ring: readonly number[] | undefined;
  readonly #inputs = new Map<Coin, SpentOutput>();

  /** @param ring global indices of the outputs among which each coin hides; by chance when absent */
  constructor(
    chain: MoneroNode['blockchain'],
    sender: Account,
    ring: readonly number[] | undefined,
  ) {
    this.#chain = chain;
    this.#sender = sender;
    this.#ring = ring;
  }

  canSpend(): boolean {
    return true;
  }

  weightOf({ coins, recipients, fee }: PaymentDraft): number {
    const made = makeOutputs([...this.#planned(recipients), this.#change(0n)], this.#sender);
    const tx = blankTransaction({ inputs: this.#inputsOf(coins), made, fee });
    return transactionWeight(parseTransaction(encodeTransaction(tx)));
  }

  make({ coins, recipients, change, fee }: PaymentDraft): Promise<MadeTransaction> {
    const planned = shuffled([...this.#planned(recipients), this.#change(change)]);
    const made = makeOutputs(planned, this.#sender);
    const signed = signTransaction({ inputs: this.#inputsOf(coins), made, fee });
    return Promise.resolve({ signed, transactionSecrets: made.transactionSecrets });
  }

  /** Each coin keeps its ring. */
  #inputsOf(coins: readonly Coin[]): SpentOutput[] {
    return coins.map((coin) => {
      const known = this.#inputs.get(coin) ?? { ...coin, ring: this.#ringOf(coin) };
      this.#inputs.set(coin, known);
      return known;
    });
  }

  #ringOf({ index, keyImage }: Coin): SpentOutput['ring'] {
    const ring = this.#ring;
    if (ring !== undefined)
      return ringOf(this.#chain, ring.includes(index) ? ring : [...ring, index]);
    return randomRing(this.#chain, index, this.#chain.store.keyImageHeight(keyImage));
  }

  #planned(recipients: readonly Recipient[]): PlannedOutput[] {
    const { spendKey, viewKey } = this.#sender;
    return recipients.map((recipient) => ({
      ...recipient,
      isChange: bytesEqual(recipient.spendKey, spendKey) && bytesEqual(recipient.viewKey, viewKey),
    }));
  }

  /** Nothing is left for nobody: an output of 0 to keys that nobody knows, so that there are two. */
  #change(amount: bigint): PlannedOutput {
    const nobody = () => createTransactionKey().publicKey;
    const { spendKey, viewKey } = this.#sender;
    const keys: AddressKeys =
      amount === 0n ? { spendKey: nobody(), viewKey: nobody() } : { spendKey, viewKey };
    return { ...keys, kind: 'standard', amount, isChange: true };
  }
}

function shuffled<T>(list: readonly T[]): T[] {
  const result = [...list];
  for (let i = result.length - 1; i > 0; i--) {
    const other = randomBelow(i + 1, secureRandom);
    [result[i], result[other]] = [result[other] as T, result[i] as T];
  }
  return result;
}
