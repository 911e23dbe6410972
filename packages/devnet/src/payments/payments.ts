import { checkOptions } from '@monero-node/base/options';
import { type AddressNetwork, FIRST_TREE_VERSION, toHex } from '@monero-node/codec';
import { transactionWeight } from '@monero-node/consensus';
import { createBackend } from '@monero-node/crypto';
import type { MoneroNode } from '@monero-node/node';
import { addressNetwork } from '@monero-node/rpc';
import { RpcStatusError, type RpcClient } from '@monero-node/rpc-client';
import { spendingAccount } from '../accounts.ts';
import { networkAddress } from '../network-address.ts';
import { AccountCoins, type Coin, type SpendingAccount } from './coins.ts';
import type { PaymentMaker, Recipient } from './payment-maker.ts';
import {
  PAY,
  PaymentError,
  type DevPayment,
  type PaymentTarget,
  type PayOptions,
} from './payment-types.ts';
import { RingMaker } from './ring-maker.ts';

/** Most outputs of a transaction, change included. */
const MOST_OUTPUTS = 16;
const LIMIT = 1n << 64n;

/** Who pays. */
interface Payer {
  readonly account: SpendingAccount;
  readonly coins: AccountCoins;
}

/** Pays from accounts of a node, in place of wallets: for coins without value only. */
export class Payments {
  readonly #node: MoneroNode;
  readonly #rpc: () => RpcClient;
  readonly #backend = createBackend();
  readonly #payers = new Map<string, Payer>();

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
    const payer = this.#payerOf(options.from);
    const recipients = recipientsOf(options, this.#node);
    const payment = await this.#make(options, recipients, payer);
    if (options.send !== false) await this.#send(payment);
    return payment;
  }

  #payerOf(from: PayOptions['from']): Payer {
    const name = toHex('masterSecret' in from ? from.masterSecret : from.spendSecret);
    let known = this.#payers.get(name);
    if (known === undefined) {
      const account = spendingAccount(from, this.#backend);
      known = { account, coins: new AccountCoins(this.#node, account, this.#backend) };
      this.#payers.set(name, known);
    }
    return known;
  }

  async #make(
    options: PayOptions,
    recipients: readonly Recipient[],
    payer: Payer,
  ): Promise<DevPayment> {
    const { fee, spend } = options;
    const again = spend && coinsOf(spend, payer.coins);
    const maker = await this.#makerFor(options, payer, again ?? []);
    const spendable = again ?? payer.coins.spendable().filter((coin) => maker.canSpend(coin));
    const offered = spendable.slice(0, maker.mostInputs);
    const total = amountOf(recipients);
    const coins: Coin[] = [];
    for (const [i, coin] of offered.entries()) {
      coins.push(coin);
      if (spend !== undefined && i + 1 < offered.length) continue;
      if (amountOf(coins) < total) continue;
      const payment = await this.#tryMake(maker, coins, recipients, fee);
      if (payment !== undefined) return payment;
    }
    const has = amountOf(offered);
    const what =
      offered.length < spendable.length
        ? `a transaction spends ${maker.mostInputs} coins at most, and the largest of the account have ${has}`
        : `the account has ${has} unlocked`;
    throw new PaymentError('no-coins', `${what}, fewer than ${total} and a fee`);
  }

  /** Returns what makes transactions of the next block's version; the code of membership proofs is loaded where they are made. */
  async #makerFor(
    { ring, referenceBlock, flaw }: PayOptions,
    { account }: Payer,
    again: readonly Coin[],
  ): Promise<PaymentMaker> {
    const { blockchain } = this.#node;
    if (blockchain.nextVersion() < FIRST_TREE_VERSION) {
      if (referenceBlock !== undefined || flaw !== undefined)
        throw new RangeError('pay: a membership proof is made from version 17 on');
      if (!('spendSecret' in account))
        throw new RangeError('pay: a Carrot account pays from version 17 on');
      return new RingMaker(blockchain, account, ring);
    }
    if (ring !== undefined) throw new RangeError('pay: there are no rings from version 17 on');
    const { FcmpMaker } = await import('./fcmp-maker.ts');
    // What is spent again must be provable in the block that has the first payment, whose place the second one takes.
    const heights = again.map(({ keyImage }) => blockchain.store.keyImageHeight(keyImage));
    const height = Math.min(blockchain.height, ...heights.filter((each) => each !== undefined));
    return FcmpMaker.open(blockchain, {
      rpc: this.#rpc(),
      sender: account,
      backend: this.#backend,
      referenceBlock: referenceBlock ?? height - 1,
      flaw,
    });
  }

  /** Returns the payment if the coins suffice for its fee. */
  async #tryMake(
    maker: PaymentMaker,
    coins: readonly Coin[],
    recipients: readonly Recipient[],
    wantedFee: bigint | undefined,
  ): Promise<DevPayment | undefined> {
    const left = amountOf(coins) - amountOf(recipients);
    const weightAt = (fee: bigint) => maker.weightOf({ coins, recipients, change: 0n, fee });
    const fee = wantedFee ?? (await this.#feeOf(weightAt));
    if (left < fee) return undefined;
    const change = left - fee;
    const { signed, transactionSecrets } = await maker.make({ coins, recipients, change, fee });
    return {
      id: signed.id,
      blob: signed.blob,
      fee,
      weight: transactionWeight(signed),
      change,
      spent: coins.map(({ index }) => index),
      transactionSecrets,
    };
  }

  /**
   * Returns the fee that the node asks for, atomic units. Source: calculate_fee_from_weight in src/wallet/wallet2.cpp.
   *
   * @param weightAt returns the weight of the transaction with a fee
   */
  async #feeOf(weightAt: (fee: bigint) => number): Promise<bigint> {
    const { fee: rate, quantization_mask: step } = await this.#rpc().rpc('get_fee_estimate');
    const feeAt = (stated: bigint): bigint =>
      ((BigInt(weightAt(stated)) * rate + step - 1n) / step) * step;
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

function recipientsOf({ to, amount }: PayOptions, { network }: MoneroNode): Recipient[] {
  if ((typeof to === 'string') !== (amount !== undefined))
    throw new RangeError('pay: an address has an amount, and each of several recipients its own');
  const targets: readonly PaymentTarget[] =
    typeof to === 'string' ? [{ address: to, amount: amount ?? 0n }] : to;
  if (targets.length === 0 || targets.length >= MOST_OUTPUTS)
    throw new RangeError(`pay: 1 to ${MOST_OUTPUTS - 1} recipients`);
  return targets.map((target) => recipientOf(target, addressNetwork(network)));
}

function recipientOf({ address, amount }: PaymentTarget, own: AddressNetwork): Recipient {
  if (typeof amount !== 'bigint' || amount < 0n || amount >= LIMIT)
    throw new RangeError('pay: an amount is a bigint of atomic units');
  const { kind, spendKey, viewKey, paymentId } = networkAddress(address, own);
  return { kind, spendKey, viewKey, amount, ...(paymentId && { paymentId }) };
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
