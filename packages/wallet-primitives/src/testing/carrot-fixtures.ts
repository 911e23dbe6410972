import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { fromHex } from '@monero-node/codec';
import {
  type CarrotCoinbaseEnote,
  type CarrotEnote,
  coinbaseInputContext,
  contextSecret,
  cryptAnchor,
  inputContext,
  sharedSecret,
} from '../carrot/enote.ts';
import { readCarrotExtra } from '../carrot/extra.ts';
import type { CarrotOutputs } from '../carrot/scan.ts';
import { type Account, accountFromSecrets } from '../keys/account.ts';
import type { SubaddressIndex } from '../keys/subaddress.ts';

type Hex = string;

interface RecordedTransaction {
  /** Of a coinbase. */
  readonly height?: number;
  /** Of another transaction. */
  readonly firstKeyImage?: Hex;
  readonly extra: Hex;
  /** Key, view tag, anchor, then the amount or the encrypted amount and the commitment. */
  readonly outputs: readonly (readonly [Hex, Hex, Hex, string, Hex?])[];
}

interface RecordedFile {
  readonly chains: readonly {
    readonly name: string;
    readonly transactions: readonly RecordedTransaction[];
    readonly wallets: readonly {
      readonly name: string;
      readonly viewSecret: Hex;
      readonly spendSecret: Hex;
      readonly addresses: readonly string[];
      readonly receipts: readonly (readonly [number, number, string, number, number, Hex])[];
      readonly paymentIds: readonly (readonly [number, Hex])[];
    }[];
  }[];
}

/** An output that a wallet of upstream's reports. */
export interface CarrotReceipt {
  readonly transaction: number;
  readonly index: number;
  readonly amount: bigint;
  readonly subaddress: SubaddressIndex;
  readonly keyImage: Hex;
  /** Of payments to an integrated address. */
  readonly paymentId?: Hex | undefined;
}

export interface CarrotWallet {
  readonly name: string;
  readonly account: Account;
  /** The texts of the first addresses of account 0. */
  readonly addresses: readonly string[];
  readonly receipts: readonly CarrotReceipt[];
}

/** The Carrot outputs of a transaction or of a coinbase. */
export type RecordedOutputs =
  | (CarrotOutputs & { readonly isCoinbase: false })
  | { readonly isCoinbase: true; readonly enotes: readonly CarrotCoinbaseEnote[] };

function outputsOf({
  height,
  firstKeyImage,
  extra,
  outputs,
}: RecordedTransaction): RecordedOutputs {
  const isCoinbase = height !== undefined;
  const read = readCarrotExtra(fromHex(extra), { outputs: outputs.length, isCoinbase });
  if (read === undefined) throw new Error('no ephemeral keys');
  const context = isCoinbase
    ? coinbaseInputContext(height)
    : inputContext(fromHex(firstKeyImage ?? ''));
  const parts = outputs.map(([key, viewTag, anchor], i) => ({
    onetimeAddress: fromHex(key),
    viewTag: fromHex(viewTag),
    encryptedAnchor: fromHex(anchor),
    ephemeralPublicKey: read.ephemeralPublicKeys[i] as Uint8Array,
    inputContext: context,
  }));
  if (isCoinbase) {
    const enotes = parts.map((part, i) => ({ ...part, amount: BigInt(outputs[i]?.[3] ?? 0) }));
    return { isCoinbase, enotes };
  }
  const enotes = parts.map((part, i): CarrotEnote => {
    const [, , , encryptedAmount = '', commitment = ''] = outputs[i] ?? [];
    return {
      ...part,
      encryptedAmount: fromHex(encryptedAmount),
      amountCommitment: fromHex(commitment),
    };
  });
  return { isCoinbase, enotes, encryptedPaymentId: read.encryptedPaymentId };
}

/** Returns the anchor of an output of the account with this view secret, 16 bytes. */
export function anchorOf(
  enote: CarrotEnote | CarrotCoinbaseEnote,
  viewSecret: Uint8Array,
): Uint8Array {
  const { ephemeralPublicKey, inputContext, onetimeAddress, encryptedAnchor } = enote;
  const shared = sharedSecret(viewSecret, ephemeralPublicKey);
  const secret = contextSecret(shared, ephemeralPublicKey, inputContext);
  return cryptAnchor(encryptedAnchor, secret, onetimeAddress);
}

/** Returns the Carrot outputs of three recorded chains, and what the wallets of upstream's program received there. */
export function recordedCarrotChains() {
  const file = new URL('../../fixtures/carrot-receipts.json.gz', import.meta.url);
  const { chains } = JSON.parse(gunzipSync(readFileSync(file)).toString('utf8')) as RecordedFile;
  return chains.map(({ name, transactions, wallets }) => ({
    name,
    transactions: transactions.map(outputsOf),
    wallets: wallets.map((wallet): CarrotWallet => {
      const paymentIds = new Map(wallet.paymentIds);
      const [viewSecret, spendSecret] = [wallet.viewSecret, wallet.spendSecret].map(fromHex);
      return {
        name: wallet.name,
        account: accountFromSecrets({ viewSecret: viewSecret!, spendSecret: spendSecret! }),
        addresses: wallet.addresses,
        receipts: wallet.receipts.map(([transaction, index, amount, major, minor, keyImage]) => ({
          transaction,
          index,
          amount: BigInt(amount),
          subaddress: { account: major, index: minor },
          keyImage,
          paymentId: paymentIds.get(transaction),
        })),
      };
    }),
  }));
}

/** Returns the known answers of Carrot and the inputs that they are of, in hex, by name. */
export function carrotVectors() {
  const file = new URL('../../fixtures/carrot-vectors.json', import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as {
    readonly inputs: Readonly<Record<string, string | number>>;
    readonly vectors: Readonly<Record<string, Hex>>;
  };
}
