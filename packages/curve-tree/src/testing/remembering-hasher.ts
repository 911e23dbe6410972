import { toHex } from '@monero-node/codec';
import type { ChainOutput, Leaf } from '@monero-node/fcmp';
import { REFERENCE_HASHER, type TreeHasher } from '../hasher.ts';

/** The reference, which makes no leaf twice: an output is let in again after a reorganization. */
export class RememberingHasher implements TreeHasher {
  readonly #known = new Map<string, Leaf | undefined>();

  leavesOf(outputs: readonly ChainOutput[]): readonly (Leaf | undefined)[] {
    const unknown = outputs.filter((output) => !this.#known.has(nameOf(output)));
    for (const [i, leaf] of REFERENCE_HASHER.leavesOf(unknown).entries()) {
      this.#known.set(nameOf(unknown[i] as ChainOutput), leaf);
    }
    return outputs.map((output) => this.#known.get(nameOf(output)));
  }

  readonly grow: TreeHasher['grow'] = (changes) => REFERENCE_HASHER.grow(changes);
}

function nameOf({ key, commitment, kind }: ChainOutput): string {
  return kind + toHex(key) + toHex(commitment);
}
