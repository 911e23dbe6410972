import { parseLooseBlock, type LooseBlock } from '../chain/block.ts';
import { parseLoose, type LooseTransaction } from '../chain/transaction.ts';
import { commit } from '@monero-node/crypto/testing';

/** An output of the RingCT list, which on regtest contains every output of the chain. */
export interface ChainOutput {
  /** Global index. */
  index: number;
  key: Buffer;
  commitment: Buffer;
  unlockTime: bigint;
  /** Height of its block. */
  height: number;
  coinbase: boolean;
  tx: LooseTransaction;
  /** Position in the transaction. */
  position: number;
}

/** The outputs of a chain by global index, collected from its blocks. */
export class OutputTable {
  readonly outputs: ChainOutput[] = [];

  /** Adds the outputs of the next block: miner transaction first. */
  add(height: number, block: LooseBlock, txs: readonly LooseTransaction[]): void {
    this.#addTx(height, block.minerTx, true);
    for (const tx of txs) this.#addTx(height, tx, false);
  }

  addBytes(height: number, block: Uint8Array, txs: readonly Uint8Array[]): void {
    this.add(height, parseLooseBlock(block), txs.map(parseLoose));
  }

  get length(): number {
    return this.outputs.length;
  }

  /** Throws RangeError when there is no such output. */
  at(index: number): ChainOutput {
    const output = this.outputs[index];
    if (output === undefined) throw new RangeError(`no output ${index}`);
    return output;
  }

  #addTx(height: number, tx: LooseTransaction, coinbase: boolean): void {
    // A version 1 coinbase (genesis) goes to the list of its amount.
    if (tx.version < 2n) return;
    for (const [position, output] of tx.outputs.entries()) {
      this.outputs.push({
        index: this.outputs.length,
        key: output.key,
        commitment: coinbase
          ? Buffer.from(commit(1n, output.amount))
          : (tx.ringct?.commitments[position] ?? Buffer.alloc(0)),
        unlockTime: tx.unlockTime,
        height,
        coinbase,
        tx,
        position,
      });
    }
  }
}
