import { inSlices, Yielder } from '@monero-node/base';
import { checkOptions, NEEDED, OPTIONAL, type OptionTable } from '@monero-node/base/options';
import { toHex } from '@monero-node/codec';
import { assertBytes } from '@monero-node/codec/bytes';
import type { CryptoBackend } from '@monero-node/crypto';
import type { AnyAccount } from '../keys/carrot-account.ts';
import { LOOKAHEAD, type Lookahead, SubaddressTable } from '../keys/subaddress-table.ts';
import { type CarrotCoinbaseEnote, type CarrotEnote, ENOTE_SIZES, sharedSecret } from './enote.ts';
import { carrotKeyImages, type ImageAccount } from './key-image.ts';
import { type FoundEnote, scanCoinbase, scanExternal, scanInternal } from './scan-enote.ts';

/** A Carrot output of the account. */
export interface ScannedCarrotOutput extends FoundEnote {
  /** Position in the transaction. */
  readonly index: number;
  /** The one-time address, 32 bytes. */
  readonly key: Uint8Array;
  /** 32 bytes; absent without the spend secret of an old account or the image secret of a Carrot one. */
  readonly keyImage?: Uint8Array | undefined;
}

/** The Carrot outputs of a transaction. */
export interface CarrotOutputs {
  /** In the order of the transaction. */
  readonly enotes: readonly CarrotEnote[];
  /** 8 bytes; every transaction of upstream's wallets has one. */
  readonly encryptedPaymentId?: Uint8Array | undefined;
}

export interface CarrotScannerOptions {
  /**
   * An account of the old or of the Carrot hierarchy. With its view balance secret the scanner also finds what a Carrot account pays
   * itself; with its image secret or, of an old account, its spend secret, it computes key images.
   */
  readonly account: AnyAccount;
  readonly backend: CryptoBackend;
  /** How far ahead of the last used address outputs are recognized; 50 accounts of 200 addresses by default. */
  readonly lookahead?: Lookahead;
  /** A table of the same account, which other scanners may use too, instead of one of its own. It has the lookahead. */
  readonly subaddresses?: SubaddressTable;
}

const OPTIONS: OptionTable<CarrotScannerOptions> = {
  account: NEEDED,
  backend: NEEDED,
  lookahead: { optional: true, table: LOOKAHEAD },
  subaddresses: OPTIONAL,
};

/**
 * Finds the Carrot outputs of one account. Accounts of the old hierarchy find all of theirs with the view secret. The addresses are
 * computed at the first output that passes its view tag, or before by `subaddresses.prepare()`, in steps.
 */
export class CarrotScanner {
  /** The addresses whose outputs are found. */
  readonly subaddresses: SubaddressTable;
  readonly #options: CarrotScannerOptions;

  /**
   * Throws RangeError for a lookahead that is out of bounds or beside a table, a table of another account, or keys that are no scalar
   * or no point, and OptionError for an unknown option.
   */
  constructor(options: CarrotScannerOptions) {
    checkOptions('CarrotScanner', options, OPTIONS);
    const { account, backend, lookahead, subaddresses } = options;
    if (subaddresses !== undefined && lookahead !== undefined) {
      throw new RangeError('a table of addresses has a lookahead of its own');
    }
    if (subaddresses?.isOf(account) === false) {
      throw new RangeError('the table of addresses belongs to another account');
    }
    this.#options = options;
    this.subaddresses = subaddresses ?? new SubaddressTable(account, backend, lookahead);
  }

  /**
   * Returns the outputs of the account in a transaction, without those of amount 0, which wallets do not count. Runs on the calling
   * thread: about a millisecond for each ephemeral key.
   * Throws RangeError for a field of the wrong length, and TypeError for anything but bytes.
   */
  scan({ enotes, encryptedPaymentId }: CarrotOutputs): ScannedCarrotOutput[] {
    if (encryptedPaymentId !== undefined) assertBytes(encryptedPaymentId, 'encryptedPaymentId', 8);
    for (const enote of enotes) {
      assertBytes(enote.amountCommitment, 'amountCommitment', 32);
      assertBytes(enote.encryptedAmount, 'encryptedAmount', 8);
    }
    const { account } = this.#options;
    const options = this.#enoteOptions();
    const viewBalanceSecret =
      'viewBalanceSecret' in account ? account.viewBalanceSecret : undefined;
    return atOnce(
      this.#collect(enotes, (enote, shared) => {
        const own = viewBalanceSecret && scanInternal(enote, viewBalanceSecret, options);
        return own ?? scanExternal(enote, shared(), encryptedPaymentId, options);
      }),
    );
  }

  /**
   * Returns the outputs of the account in a coinbase. Throws as `scan` does. A coinbase may have 10,000 outputs with an ephemeral key
   * each, which hold the thread for about ten seconds: where that matters, use {@link CarrotScanner.scanCoinbaseInSlices}.
   */
  scanCoinbase(enotes: readonly CarrotCoinbaseEnote[]): ScannedCarrotOutput[] {
    return atOnce(this.#coinbaseSteps(enotes));
  }

  /** Does the same in slices, so that a page or a server goes on meanwhile. Rejects with the reason of the signal. */
  async scanCoinbaseInSlices(
    enotes: readonly CarrotCoinbaseEnote[],
    signal?: AbortSignal,
  ): Promise<ScannedCarrotOutput[]> {
    return inSlices(abortable(this.#coinbaseSteps(enotes), signal), new Yielder());
  }

  #coinbaseSteps(
    enotes: readonly CarrotCoinbaseEnote[],
  ): Generator<undefined, ScannedCarrotOutput[]> {
    const options = this.#enoteOptions();
    return this.#collect(enotes, (enote, shared) => scanCoinbase(enote, shared(), options));
  }

  #enoteOptions() {
    const { account, backend } = this.#options;
    return { account, backend, subaddresses: this.subaddresses };
  }

  /** Scans outputs one by one, with one shared secret for each ephemeral key. Stops after each. */
  *#collect<Enote extends CarrotEnote | CarrotCoinbaseEnote>(
    enotes: readonly Enote[],
    scan: (enote: Enote, shared: () => Uint8Array) => FoundEnote | undefined,
  ): Generator<undefined, ScannedCarrotOutput[]> {
    const { viewSecret } = this.#options.account;
    const secrets = new Map<string, Uint8Array>();
    const found: ScannedCarrotOutput[] = [];
    for (const [index, enote] of enotes.entries()) {
      if (index > 0) yield undefined;
      for (const [field, size] of Object.entries(ENOTE_SIZES)) {
        assertBytes(enote[field as keyof typeof ENOTE_SIZES], field, size);
      }
      const { ephemeralPublicKey, onetimeAddress } = enote;
      const output = scan(enote, () => {
        const name = toHex(ephemeralPublicKey);
        const secret = secrets.get(name) ?? sharedSecret(viewSecret, ephemeralPublicKey);
        secrets.set(name, secret);
        return secret;
      });
      if (output === undefined || output.amount === 0n) continue;
      this.subaddresses.use(output.subaddress);
      found.push(this.#withKeyImage({ ...output, index, key: onetimeAddress }));
    }
    return found;
  }

  #withKeyImage(output: ScannedCarrotOutput): ScannedCarrotOutput {
    const { account, backend } = this.#options;
    if (!makesImages(account)) return output;
    const [keyImage] = carrotKeyImages([output], account, backend);
    return { ...output, keyImage };
  }
}

function makesImages(account: AnyAccount): account is ImageAccount {
  return 'imageSecret' in account || 'spendSecret' in account;
}

/** Runs steps without a stop and returns their result. */
function atOnce<T>(steps: Generator<undefined, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Looks at the signal before each step, and throws its reason when it is aborted. */
function* abortable<T>(
  steps: Generator<undefined, T>,
  signal: AbortSignal | undefined,
): Generator<undefined, T> {
  for (;;) {
    signal?.throwIfAborted();
    const step = steps.next();
    if (step.done === true) return step.value;
    yield undefined;
  }
}
