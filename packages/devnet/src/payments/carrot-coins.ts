import { parseBlock, parseTransaction, type ParsedTransaction } from '@monero-node/codec';
import type { CryptoBackend } from '@monero-node/crypto';
import {
  type Account,
  type CarrotAccount,
  type CarrotCoinbaseEnote,
  type CarrotEnote,
  carrotOutputSecrets,
  type CarrotScanner,
  coinbaseInputContext,
  inputContext,
  readCarrotExtra,
  type ScannedCarrotOutput,
} from '@monero-node/wallet-primitives';

/** A Carrot output of an account in a block. */
export interface CarrotCoin {
  /** In the block; 0 for that of the miner. */
  readonly transactionIndex: number;
  readonly transaction: ParsedTransaction;
  readonly output: ScannedCarrotOutput;
  /** The secrets of its key, x·G + y·T, 32 bytes each. */
  readonly secrets: { readonly x: Uint8Array; readonly y: Uint8Array };
}

/** Finds the Carrot outputs of an account. */
export class CarrotCoins {
  readonly #account: Account | CarrotAccount;
  readonly #backend: CryptoBackend;
  readonly #scanner: CarrotScanner;

  constructor(account: Account | CarrotAccount, backend: CryptoBackend, scanner: CarrotScanner) {
    this.#account = account;
    this.#backend = backend;
    this.#scanner = scanner;
  }

  /**
   * Returns those of a block. Throws DecodeError for bytes that are no block or transaction.
   *
   * @param block its bytes
   * @param txs the bytes of its transactions, in order
   */
  of(block: Uint8Array, txs: readonly Uint8Array[], height: number): CarrotCoin[] {
    const { minerTx } = parseBlock(block);
    const found = [
      this.#coinsIn(minerTx, 0, this.#scanner.scanCoinbase(coinbaseEnotes(minerTx, height))),
    ];
    for (const [i, blob] of txs.entries()) {
      const transaction = parseTransaction(blob);
      const [enotes, paymentId] = enotesOf(transaction);
      const outputs = this.#scanner.scan({ enotes, encryptedPaymentId: paymentId });
      found.push(this.#coinsIn(transaction, i + 1, outputs));
    }
    return found.flat();
  }

  #coinsIn(
    transaction: ParsedTransaction,
    transactionIndex: number,
    outputs: readonly ScannedCarrotOutput[],
  ): CarrotCoin[] {
    return outputs.map((output) => ({
      transaction,
      transactionIndex,
      output,
      secrets: carrotOutputSecrets(output, this.#account, this.#backend),
    }));
  }
}

function extraOf({ tx }: ParsedTransaction, isCoinbase: boolean) {
  return readCarrotExtra(tx.extra, { outputs: tx.outputs.length, isCoinbase });
}

function coinbaseEnotes(parsed: ParsedTransaction, height: number): CarrotCoinbaseEnote[] {
  const keys = extraOf(parsed, true)?.ephemeralPublicKeys;
  if (keys === undefined) return [];
  return parsed.tx.outputs.flatMap(({ amount, target }, i) =>
    target.kind === 'carrot'
      ? [
          {
            onetimeAddress: target.key,
            viewTag: target.viewTag,
            encryptedAnchor: target.encryptedJanusAnchor,
            ephemeralPublicKey: keys[i] as Uint8Array,
            inputContext: coinbaseInputContext(height),
            amount,
          },
        ]
      : [],
  );
}

/** Returns the outputs and the encrypted payment id; a transaction of another type has no Carrot output. */
function enotesOf(
  parsed: ParsedTransaction,
): [enotes: readonly CarrotEnote[], paymentId: Uint8Array | undefined] {
  const { inputs, outputs, rct } = parsed.tx;
  const extra = extraOf(parsed, false);
  const [first] = inputs;
  if (extra === undefined || rct === undefined || first?.kind !== 'key') return [[], undefined];
  const context = inputContext(first.keyImage);
  const enotes = outputs.flatMap(({ target }, i) =>
    target.kind === 'carrot'
      ? [
          {
            onetimeAddress: target.key,
            viewTag: target.viewTag,
            encryptedAnchor: target.encryptedJanusAnchor,
            ephemeralPublicKey: extra.ephemeralPublicKeys[i] as Uint8Array,
            inputContext: context,
            amountCommitment: rct.outPk[i] as Uint8Array,
            encryptedAmount: rct.ecdhInfo[i]?.amount as Uint8Array,
          },
        ]
      : [],
  );
  return [enotes, extra.encryptedPaymentId];
}
