import { randomBytes } from 'node:crypto';
import { bytesEqual, compareBytes, encodeTransaction, parseTransaction } from '@monero-node/codec';
import { MAX_INPUTS } from '@monero-node/codec/fcmp-proof-size';
import { transactionWeight } from '@monero-node/consensus';
import type { CryptoBackend } from '@monero-node/crypto';
import { lastLockedIndex } from '@monero-node/curve-tree';
import type { MoneroNode } from '@monero-node/node';
import { withTorsion } from '@monero-node/fcmp/insecure-prover';
import type { RpcClient } from '@monero-node/rpc-client';
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
import { type OwnOutput, TreePaths, type TreePlace } from './tree-paths.ts';

/** How payments with FCMP++ proofs are made. */
export interface FcmpMakerOptions {
  /** Of the node, which is asked for paths as wallets do. */
  readonly rpc: RpcClient;
  readonly sender: SpendingAccount;
  readonly backend: CryptoBackend;
  /** The block whose tree the proofs are about. */
  readonly referenceBlock: number;
  readonly flaw?: PaymentFlaw | undefined;
}

const ANCHOR_BYTES = 16;

/** Makes transactions of RingCT type 7, with Carrot outputs and a proof against the tree of the chain. */
export class FcmpMaker implements PaymentMaker {
  readonly mostInputs = MAX_INPUTS;
  readonly #store: MoneroNode['blockchain']['store'];
  readonly #options: FcmpMakerOptions;
  /** Of the reference block. */
  readonly #tree: TreePaths;

  private constructor(
    { store }: MoneroNode['blockchain'],
    options: FcmpMakerOptions,
    tree: TreePaths,
  ) {
    this.#store = store;
    this.#options = options;
    this.#tree = tree;
  }

  /** Rejects with RangeError for a reference block that the chain has no tree of. */
  static async open(
    chain: MoneroNode['blockchain'],
    options: FcmpMakerOptions,
  ): Promise<FcmpMaker> {
    const { referenceBlock, rpc } = options;
    if (!(referenceBlock >= 1 && referenceBlock < chain.store.tree.indexes()))
      throw new RangeError(`pay: the chain has no tree of block ${referenceBlock}`);
    return new FcmpMaker(chain, options, await TreePaths.at(rpc, referenceBlock));
  }

  canSpend({ unlockTime, height }: Coin): boolean {
    return lastLockedIndex(unlockTime, height) <= BigInt(this.#options.referenceBlock);
  }

  weightOf(draft: PaymentDraft): number {
    const inputs = draft.coins;
    const tx = blankFcmpTransaction({ ...this.#planOf(draft), inputs });
    return transactionWeight(parseTransaction(encodeTransaction(tx)));
  }

  async make(draft: PaymentDraft): Promise<MadeTransaction> {
    const { flaw } = this.#options;
    const outputs = draft.coins.map((coin) => this.#outputOf(coin));
    const own = await this.#tree.placesOf(outputs);
    const places = flaw === 'root' ? await this.#otherPlaces(outputs, own) : own;
    const inputs = draft.coins.map((coin, i): SpentTreeOutput => ({
      ...coin,
      ...(places[i] as TreePlace),
    }));
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

  /** Returns what a wallet keeps of an output that it received. */
  #outputOf({ index }: Coin): OwnOutput {
    const output = this.#store.output(0n, index);
    const origin = this.#store.outputOrigin(0n, index, output?.height);
    if (output?.commitment === undefined || origin === undefined)
      throw new Error(`the chain lost output ${index}`);
    return { index, key: output.key, commitment: output.commitment, txId: origin.txId };
  }

  /** Returns the places in the next tree that has as many layers and another root. It has all outputs of that of the reference block. */
  async #otherPlaces(
    outputs: readonly OwnOutput[],
    own: readonly TreePlace[],
  ): Promise<TreePlace[]> {
    const { referenceBlock, rpc } = this.#options;
    const root = own[0]?.path.nodes.at(-1);
    for (let index = referenceBlock + 1; index < this.#store.tree.indexes(); index++) {
      const tree = await TreePaths.at(rpc, index);
      if (tree.layers !== this.#tree.layers) continue;
      const places = await tree.placesOf(outputs);
      const other = places[0]?.path.nodes.at(-1);
      if (root !== undefined && other !== undefined && !bytesEqual(other, root)) return places;
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
