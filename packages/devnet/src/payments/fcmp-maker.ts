import { randomBytes } from 'node:crypto';
import { bytesEqual, compareBytes, encodeTransaction, parseTransaction } from '@monero-node/codec';
import { transactionWeight } from '@monero-node/consensus';
import type { CryptoBackend } from '@monero-node/crypto';
import type { MoneroNode } from '@monero-node/node';
import { withTorsion } from '@monero-node/fcmp/insecure-prover';
import { makeCarrotOutputs, type MadeEnote } from '@monero-node/wallet-primitives';
import {
  blankFcmpTransaction,
  inOrderOfImages,
  proveFcmpTransaction,
  type SpentTreeOutput,
} from '../insecure-signer/fcmp-transaction.ts';
import type { Coin, SpendingAccount } from './coins.ts';
import type { MadeTransaction, PaymentDraft, PaymentMaker } from './payment-maker.ts';
import type { PaymentFlaw } from './payment-types.ts';
import { TreePaths, type TreePlace } from './tree-paths.ts';

/** How payments with FCMP++ proofs are made. */
export interface FcmpMakerOptions {
  readonly sender: SpendingAccount;
  readonly backend: CryptoBackend;
  /** The block whose tree the proofs are about. */
  readonly referenceBlock: number;
  readonly flaw?: PaymentFlaw | undefined;
}

const ANCHOR_BYTES = 16;

/** Makes transactions of RingCT type 7, with Carrot outputs and a proof against the tree of the chain. */
export class FcmpMaker implements PaymentMaker {
  readonly #store: MoneroNode['blockchain']['store'];
  readonly #options: FcmpMakerOptions;
  /** Of the reference block. */
  readonly #tree: TreePaths;
  readonly #places = new Map<Coin, TreePlace | undefined>();

  /** Throws RangeError for a reference block that the chain has no tree of. */
  constructor({ store }: MoneroNode['blockchain'], options: FcmpMakerOptions) {
    const { referenceBlock } = options;
    if (!(referenceBlock >= 1 && referenceBlock < store.tree.indexes()))
      throw new RangeError(`pay: the chain has no tree of block ${referenceBlock}`);
    this.#store = store;
    this.#options = options;
    this.#tree = new TreePaths(store.tree, referenceBlock);
  }

  canSpend(coin: Coin): boolean {
    return this.#placeOf(coin, this.#tree) !== undefined;
  }

  weightOf(draft: PaymentDraft): number {
    const inputs = draft.coins;
    const tx = blankFcmpTransaction({ ...this.#planOf(draft), inputs });
    return transactionWeight(parseTransaction(encodeTransaction(tx)));
  }

  make(draft: PaymentDraft): MadeTransaction {
    const { flaw } = this.#options;
    const tree = flaw === 'root' ? this.#otherTree() : this.#tree;
    const inputs = draft.coins.map((coin): SpentTreeOutput => {
      const place = this.#placeOf(coin, tree);
      if (place === undefined)
        throw new RangeError(`pay: the tree does not have output ${coin.index}`);
      return { ...coin, ...place };
    });
    if (flaw === 'key-image') torsionImage(inputs);
    const signed = proveFcmpTransaction({ ...this.#planOf(draft), inputs });
    return {
      signed: flaw === 'proof' ? parseTransaction(withFalseProof(signed.blob)) : signed,
      transactionSecrets: [],
    };
  }

  /** Returns what a transaction consists of but its inputs. Outputs are made anew at each call, as their secrets are used once. */
  #planOf({ coins, recipients, change, fee }: PaymentDraft) {
    const { sender, backend, referenceBlock, flaw } = this.#options;
    const [first] = inOrderOfImages(coins);
    if (first === undefined) throw new RangeError('pay: nothing is spent');
    const { outputs, extra } = makeCarrotOutputs({
      payments: recipients.map(({ amount, ...destination }) => {
        return { destination, amount, anchor: new Uint8Array(randomBytes(ANCHOR_BYTES)) };
      }),
      selfSends: [{ amount: change, type: 'change' }],
      account: sender,
      firstKeyImage: first.keyImage,
      backend,
    });
    const reference = { block: referenceBlock, layers: this.#tree.layers };
    return {
      outputs: flaw === 'output' ? withTorsionedKey(outputs) : outputs,
      extra,
      fee,
      reference,
    };
  }

  #placeOf(coin: Coin, tree: TreePaths): TreePlace | undefined {
    if (tree === this.#tree && this.#places.has(coin)) return this.#places.get(coin);
    const output = this.#store.output(0n, coin.index);
    if (output?.commitment === undefined) throw new Error(`the chain lost output ${coin.index}`);
    const place = tree.find(output.key, output.commitment);
    if (tree === this.#tree) this.#places.set(coin, place);
    return place;
  }

  /** Returns the next tree that has as many layers and another root. It has all outputs of that of the reference block. */
  #otherTree(): TreePaths {
    const { tree } = this.#store;
    const { root, layers } = this.#tree;
    for (let index = this.#options.referenceBlock + 1; index < tree.indexes(); index++) {
      const other = new TreePaths(tree, index);
      const isOther = root !== undefined && other.root && !bytesEqual(other.root, root);
      if (isOther === true && other.layers === layers) return other;
    }
    throw new RangeError('pay: no later tree has another root and as many layers');
  }
}

/** Adds torsion to the key image of the first input. */
function torsionImage(inputs: SpentTreeOutput[]): void {
  const [first] = inputs;
  if (first === undefined) throw new RangeError('pay: nothing is spent');
  inputs[0] = { ...first, keyImage: withTorsion(first.keyImage), isImageTorsioned: true };
}

/** Returns outputs, in the order of their keys, of which one key has torsion. */
function withTorsionedKey(outputs: readonly MadeEnote[]): MadeEnote[] {
  return outputs
    .map((output, i): MadeEnote => {
      if (i > 0) return output;
      const { enote } = output;
      return {
        ...output,
        enote: { ...enote, onetimeAddress: withTorsion(enote.onetimeAddress) },
      };
    })
    .toSorted((a, b) => compareBytes(a.enote.onetimeAddress, b.enote.onetimeAddress));
}

/** Returns the transaction with one bit of its proof changed: in the scalar with which the membership proof ends. */
function withFalseProof(blob: Uint8Array): Uint8Array {
  const { tx } = parseTransaction(blob.slice());
  const proof = tx.prunable?.fcmp?.proof;
  if (proof === undefined) throw new Error('a transaction without a proof');
  const last = proof.length - 32;
  proof[last] = (proof[last] as number) ^ 1;
  return encodeTransaction(tx);
}
