import { toHex } from '@monero-node/codec';
import type { CryptoBackend } from '@monero-node/crypto';
import { type Account, isOutputUnlocked, OutputSet, Scanner } from '@monero-node/wallet-primitives';
import {
  listOf,
  numberOf,
  objectOf,
  objectsOf,
  stringOf,
  type JsonObject,
} from '../harness/json.ts';
import { waitUntil } from '../harness/wait.ts';
import type { RunningWallet } from '../harness/wallet.ts';
import type { ChainTransaction } from './chain.ts';

/** Transactions that are scanned together. */
const BATCH = 500;

/** An output as both sides report it. */
export interface ReportedOutput {
  readonly txId: string;
  readonly key: string;
  readonly amount: string;
  readonly subaddress: string;
  readonly globalIndex: number;
  readonly height: number;
  readonly keyImage: string;
  readonly spent: boolean;
  readonly unlocked: boolean;
}

/** The outputs and payments of an account, as both sides report them. */
export interface Report {
  /** Sorted by key. */
  readonly outputs: readonly ReportedOutput[];
  /** The short payment id of each transaction that pays the account, by its id in hex. */
  readonly paymentIds: Readonly<Record<string, string>>;
}

const byKey = (a: ReportedOutput, b: ReportedOutput): number => (a.key < b.key ? -1 : 1);
const NO_PAYMENT_ID = '0'.repeat(16);

/** Returns what monero-wallet-rpc reports after a refresh. */
export async function reportOfWallet(wallet: RunningWallet): Promise<Report> {
  // A wallet gives up on a busy node, and may be asked again.
  await waitUntil('the wallet to refresh', () => wallet.call('refresh', { start_height: 0 }));
  const accounts = listOf(await wallet.call('get_accounts'), 'subaddress_accounts').length;
  const outputs: ReportedOutput[] = [];
  for (let account = 0; account < accounts; account++) {
    const answer = await wallet.call('incoming_transfers', {
      transfer_type: 'all',
      account_index: account,
    });
    // A wallet without outputs answers without the list.
    for (const each of answer['transfers'] === undefined ? [] : objectsOf(answer, 'transfers')) {
      outputs.push(outputOfWallet(each));
    }
  }
  const transfers = await wallet.call('get_transfers', { in: true, all_accounts: true });
  const incoming = transfers['in'] === undefined ? [] : objectsOf(transfers, 'in');
  const paymentIds = incoming.map((transfer) => {
    return [stringOf(transfer, 'txid'), stringOf(transfer, 'payment_id')] as const;
  });
  return { outputs: outputs.sort(byKey), paymentIds: Object.fromEntries(paymentIds) };
}

function outputOfWallet(transfer: JsonObject): ReportedOutput {
  const place = objectOf(transfer, 'subaddr_index');
  return {
    txId: stringOf(transfer, 'tx_hash'),
    key: stringOf(transfer, 'pubkey'),
    amount: String(transfer['amount']),
    subaddress: `${numberOf(place, 'major')}/${numberOf(place, 'minor')}`,
    globalIndex: numberOf(transfer, 'global_index'),
    height: numberOf(transfer, 'block_height'),
    keyImage: stringOf(transfer, 'key_image'),
    spent: transfer['spent'] === true,
    unlocked: transfer['unlocked'] === true,
  };
}

/** Returns what our scanner finds. */
export function reportOfScan(
  chain: readonly ChainTransaction[],
  account: Account,
  backend: CryptoBackend,
  now: { readonly chainHeight: number; readonly time: number },
): Report {
  const scanner = new Scanner({ account, backend });
  const set = new OutputSet();
  const places = new Map<string, ChainTransaction & { index: number }>();
  const paymentIds: Record<string, string> = {};
  const spentImages = new Set(
    chain.flatMap(({ transaction }) =>
      transaction.tx.inputs.flatMap((input) =>
        input.kind === 'key' ? [toHex(input.keyImage)] : [],
      ),
    ),
  );
  for (let from = 0; from < chain.length; from += BATCH) {
    const part = chain.slice(from, from + BATCH);
    const results = scanner.scan(part.map(({ transaction }) => transaction));
    for (const [i, { outputs, paymentId }] of results.entries()) {
      const place = part[i] as ChainTransaction;
      const { id } = place.transaction;
      for (const output of outputs) {
        set.add({ ...output, txId: id, height: place.height });
        places.set(toHex(output.key), { ...place, index: output.index });
      }
      if (outputs.length === 0) continue;
      paymentIds[toHex(id)] = paymentId?.kind === 'short' ? toHex(paymentId.id) : NO_PAYMENT_ID;
    }
  }
  const outputs = set.outputs.map((output): ReportedOutput => {
    const key = toHex(output.key);
    const { transaction, outputIndices, index } = places.get(key) as ChainTransaction & {
      index: number;
    };
    const keyImage = toHex(output.keyImage as Uint8Array);
    const { unlockTime } = transaction.tx;
    return {
      txId: toHex(output.txId),
      key,
      amount: String(output.amount),
      subaddress: `${output.subaddress.account}/${output.subaddress.index}`,
      globalIndex: outputIndices[index] as number,
      height: output.height,
      keyImage,
      spent: spentImages.has(keyImage),
      unlocked: isOutputUnlocked({ unlockTime, height: output.height, ...now, network: 'mainnet' }),
    };
  });
  return { outputs: outputs.sort(byKey), paymentIds };
}

/** Returns the payment ids of the transactions that another report has too: wallets list only payments by others. */
export function sharedPaymentIds(ours: Report, theirs: Report): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.keys(theirs.paymentIds).map((txId) => [txId, ours.paymentIds[txId]]),
  );
}
