import { randomBelow, secureRandom } from '@monero-node/base';
import { checkOptions } from '@monero-node/base/options';
import {
  type AddressNetwork,
  bytesEqual,
  encodeTransaction,
  parseTransaction,
  toHex,
} from '@monero-node/codec';
import { transactionWeight } from '@monero-node/consensus';
import {
  createBackend,
  createTransactionKey,
  type AddressKeys,
  type CryptoBackend,
} from '@monero-node/crypto';
import type { MoneroNode } from '@monero-node/node';
import { addressNetwork } from '@monero-node/rpc';
import { RpcStatusError, type RpcClient } from '@monero-node/rpc-client';
import { accountFromSecrets, type Account } from '@monero-node/wallet-primitives';
import type { DevAccount } from '../accounts.ts';
import { makeOutputs, type MadeOutputs, type PlannedOutput } from '../insecure-signer/outputs.ts';
import {
  blankTransaction,
  signTransaction,
  type SpentOutput,
  type TransactionPlan,
} from '../insecure-signer/transaction.ts';
import { networkAddress } from '../network-address.ts';
import { AccountCoins, type Coin } from './coins.ts';
import {
  PAY,
  PaymentError,
  type DevPayment,
  type PaymentTarget,
  type PayOptions,
} from './payment-types.ts';
import { randomRing, ringOf } from './rings.ts';

/** Most outputs of a transaction, change included. */
const MOST_OUTPUTS = 16;
const LIMIT = 1n << 64n;

/** What a payment is made of, before its fee is known. */
interface Draft {
  readonly sender: Account;
  readonly recipients: readonly PlannedOutput[];
  readonly inputs: readonly SpentOutput[];
  readonly wantedFee: bigint | undefined;
}

/** Pays from accounts of a node, in place of wallets: for coins without value only. */
export class Payments {
  readonly #node: MoneroNode;
  readonly #rpc: () => RpcClient;
  readonly #accounts = new Map<
    string,
    { readonly account: Account; readonly coins: AccountCoins }
  >();
  #backend: CryptoBackend | undefined;

  constructor(node: MoneroNode, rpc: () => RpcClient) {
    this.#node = node;
    this.#rpc = rpc;
  }

  /**
   * Makes a payment and sends it. Rejects with OptionError, with RangeError for recipients that cannot be paid, and with PaymentError when
   * there are no coins or the node refuses it.
   */
  async pay(options: PayOptions): Promise<DevPayment> {
    checkOptions('pay', options, PAY);
    const { account: sender, coins } = this.#accountOf(options.from);
    const recipients = recipientsOf(options, this.#node, sender);
    const payment = await this.#make(options, { sender, recipients, coins });
    if (options.send !== false) await this.#send(payment);
    return payment;
  }

  #accountOf(from: DevAccount) {
    const name = toHex(from.spendSecret);
    let known = this.#accounts.get(name);
    if (known === undefined) {
      this.#backend ??= createBackend();
      const account = accountFromSecrets(from);
      known = { account, coins: new AccountCoins(this.#node, account, this.#backend) };
      this.#accounts.set(name, known);
    }
    return known;
  }

  async #make(
    { fee: wantedFee, ring, spend }: PayOptions,
    payer: {
      readonly sender: Account;
      readonly recipients: readonly PlannedOutput[];
      readonly coins: AccountCoins;
    },
  ): Promise<DevPayment> {
    const { sender, recipients, coins } = payer;
    const chain = this.#node.blockchain;
    const ringFor = ({ index, keyImage }: Coin) =>
      randomRing(chain, index, chain.store.keyImageHeight(keyImage));
    const withRing = (coin: Coin): SpentOutput => ({
      ...coin,
      ring: ring === undefined ? ringFor(coin) : ringOf(chain, withOwn(ring, coin)),
    });
    const offered = spend === undefined ? coins.spendable() : coinsOf(spend, coins);
    const total = amountOf(recipients);
    const inputs: SpentOutput[] = [];
    for (const [i, coin] of offered.entries()) {
      inputs.push(withRing(coin));
      if (spend !== undefined && i + 1 < offered.length) continue;
      if (amountOf(inputs) < total) continue;
      const payment = await this.#tryMake({ sender, recipients, inputs, wantedFee });
      if (payment !== undefined) return payment;
    }
    const has = offered.reduce((sum, { amount }) => sum + amount, 0n);
    throw new PaymentError(
      'no-coins',
      `the account has ${has} unlocked, fewer than ${total} and a fee`,
    );
  }

  /** Returns the payment if the inputs suffice for its fee. */
  async #tryMake({
    sender,
    recipients,
    inputs,
    wantedFee,
  }: Draft): Promise<DevPayment | undefined> {
    const left = amountOf(inputs) - amountOf(recipients);
    const blank = { inputs, made: makeOutputs([...recipients, changeOf(sender, 0n)], sender) };
    const fee = wantedFee ?? (await this.#feeOf(blank));
    if (left < fee) return undefined;
    const change = changeOf(sender, left - fee);
    const made = makeOutputs(shuffled([...recipients, change]), sender);
    return paymentOf({ inputs, made, fee }, change.amount);
  }

  /**
   * Returns the fee that the node asks for, atomic units. Source: calculate_fee_from_weight in src/wallet/wallet2.cpp.
   */
  async #feeOf(blank: { inputs: readonly SpentOutput[]; made: MadeOutputs }): Promise<bigint> {
    const { fee: rate, quantization_mask: step } = await this.#rpc().rpc('get_fee_estimate');
    const feeAt = (stated: bigint): bigint => {
      const tx = blankTransaction({ ...blank, fee: stated });
      const weight = BigInt(transactionWeight(parseTransaction(encodeTransaction(tx))));
      return ((weight * rate + step - 1n) / step) * step;
    };
    // The fee takes more bytes than 0 does.
    return feeAt(feeAt(0n));
  }

  /** Sends a payment as a wallet does. Throws PaymentError when the node refuses it. */
  async #send(payment: DevPayment): Promise<void> {
    try {
      // Rings of a young chain have too few outputs to choose from for the check of how varied they are.
      const request = { tx_as_hex: toHex(payment.blob), do_sanity_checks: false };
      await this.#rpc().path('/send_raw_transaction', request);
    } catch (error) {
      if (!(error instanceof RpcStatusError)) throw error;
      const flags = Object.entries(error.answer as object).filter(([, value]) => value === true);
      const reasons = flags.map(([name]) => name);
      const message = `the node refused the payment: ${reasons.join(', ') || error.status}`;
      throw new PaymentError('refused', message, { reasons, payment });
    }
  }
}

function paymentOf(plan: TransactionPlan, change: bigint): DevPayment {
  const signed = signTransaction(plan);
  return {
    id: signed.id,
    blob: signed.blob,
    fee: plan.fee,
    weight: transactionWeight(signed),
    change,
    spent: plan.inputs.map(({ index }) => index),
    transactionSecrets: plan.made.transactionSecrets,
  };
}

function recipientsOf(
  { to, amount }: PayOptions,
  { network }: MoneroNode,
  sender: Account,
): PlannedOutput[] {
  if ((typeof to === 'string') !== (amount !== undefined))
    throw new RangeError('pay: an address has an amount, and each of several recipients its own');
  const targets: readonly PaymentTarget[] =
    typeof to === 'string' ? [{ address: to, amount: amount ?? 0n }] : to;
  if (targets.length === 0 || targets.length >= MOST_OUTPUTS)
    throw new RangeError(`pay: 1 to ${MOST_OUTPUTS - 1} recipients`);
  return targets.map((target) => recipientOf(target, addressNetwork(network), sender));
}

function recipientOf(
  { address, amount }: PaymentTarget,
  own: AddressNetwork,
  sender: Account,
): PlannedOutput {
  if (typeof amount !== 'bigint' || amount < 0n || amount >= LIMIT)
    throw new RangeError('pay: an amount is a bigint of atomic units');
  const { kind, spendKey, viewKey, paymentId } = networkAddress(address, own);
  const isOwn = bytesEqual(spendKey, sender.spendKey) && bytesEqual(viewKey, sender.viewKey);
  return { kind, spendKey, viewKey, paymentId, amount, isChange: isOwn };
}

/** Nothing is left for nobody: an output of 0 to keys that nobody knows, so that there are two. */
function changeOf({ spendKey, viewKey }: AddressKeys, amount: bigint): PlannedOutput {
  const nobody = () => createTransactionKey().publicKey;
  const keys = amount === 0n ? { spendKey: nobody(), viewKey: nobody() } : { spendKey, viewKey };
  return { ...keys, kind: 'standard', amount, isChange: true };
}

/** Returns the indices with that of the coin. */
function withOwn(ring: readonly number[], { index }: Coin): readonly number[] {
  return ring.includes(index) ? ring : [...ring, index];
}

/** Returns what a payment has spent. */
function coinsOf({ spent }: DevPayment, coins: AccountCoins): readonly Coin[] {
  const found = coins.all().filter(({ index }) => spent.includes(index));
  if (found.length < spent.length)
    throw new RangeError('pay: the account does not have what that payment spends');
  return found;
}

const amountOf = (list: readonly { readonly amount: bigint }[]): bigint =>
  list.reduce((sum, { amount }) => sum + amount, 0n);

function shuffled<T>(list: readonly T[]): T[] {
  const result = [...list];
  for (let i = result.length - 1; i > 0; i--) {
    const other = randomBelow(i + 1, secureRandom);
    [result[i], result[other]] = [result[other] as T, result[i] as T];
  }
  return result;
}
