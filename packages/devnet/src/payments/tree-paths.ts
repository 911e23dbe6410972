import { bytesEqual, fromHex, toHex } from '@monero-node/codec';
import { MONERO_SHAPE, nodesOf, widthOf } from '@monero-node/curve-tree';
import { type ChainOutput, type Leaf, leavesOf } from '@monero-node/fcmp';
import { treePath, type PathSource, type TreePath } from '@monero-node/fcmp/insecure-prover';
import type { RpcClient } from '@monero-node/rpc-client';

/** An output of the tree of an index, and how it is reached. */
export interface TreePlace {
  readonly leaf: Leaf;
  readonly path: TreePath;
}

/** An output as the chain has it, by whose transaction a wallet finds it. */
export interface OwnOutput {
  /** In the list of RingCT outputs. */
  readonly index: number;
  /** 32 bytes each. */
  readonly key: Uint8Array;
  readonly commitment: Uint8Array;
  readonly txId: Uint8Array;
}

/** Most paths that a restricted listener returns at once. */
const PATHS_PER_CALL = 50;

type PathAnswer = Awaited<ReturnType<typeof askPaths>>['paths'][number];

function askPaths(rpc: RpcClient, index: number, unifiedIds: readonly number[]) {
  const request = { as_of_n_blocks: index + 1, unified_ids: unifiedIds };
  return rpc.binary('/get_path_by_unified_id.bin', request);
}

/** The tree of one index of a node's chain, from which paths are asked for as wallets do. */
export class TreePaths {
  readonly #rpc: RpcClient;
  readonly #index: number;
  /** How many leaves there are, and how many nodes each layer has. */
  readonly #counts: readonly number[];

  private constructor(rpc: RpcClient, index: number, leaves: number) {
    this.#rpc = rpc;
    this.#index = index;
    this.#counts = [leaves, ...nodesOf(MONERO_SHAPE, leaves)];
  }

  /** Resolves with the tree of an index. Rejects with RpcStatusError for one that the chain does not have. */
  static async at(rpc: RpcClient, index: number): Promise<TreePaths> {
    const { n_leaf_tuples: leaves } = await askPaths(rpc, index, []);
    return new TreePaths(rpc, index, Number(leaves));
  }

  get layers(): number {
    return this.#counts.length - 1;
  }

  /** Resolves with where outputs are, in their order. Rejects with RangeError if one is not in this tree. */
  async placesOf(outputs: readonly OwnOutput[]): Promise<TreePlace[]> {
    const ids = await this.#unifiedIds(outputs);
    const answers: PathAnswer[] = [];
    for (let from = 0; from < ids.length; from += PATHS_PER_CALL) {
      const { paths } = await askPaths(
        this.#rpc,
        this.#index,
        ids.slice(from, from + PATHS_PER_CALL),
      );
      answers.push(...paths);
    }
    return outputs.map((output, i) => this.#placeOf(output, answers[i]));
  }

  async #unifiedIds(outputs: readonly OwnOutput[]): Promise<number[]> {
    const ids = [...new Set(outputs.map(({ txId }) => toHex(txId)))];
    const { txs } = await this.#rpc.path('/get_transactions', { txs_hashes: ids, prune: true });
    return outputs.map(({ index, txId }) => {
      const found = txs.find((tx) => bytesEqual(fromHex(tx.tx_hash), txId));
      const at = found?.output_indices.indexOf(BigInt(index)) ?? -1;
      const id = found?.unified_ids[at];
      if (id === undefined) throw new RangeError(`pay: the node does not have output ${index}`);
      return Number(id);
    });
  }

  #placeOf({ index, key, commitment }: OwnOutput, answer: PathAnswer | undefined): TreePlace {
    const { outputs, source } = this.#sourceOf(answer);
    const place = Number(answer?.leaf_idx ?? 0);
    const own = outputs[place % MONERO_SHAPE.leaves];
    if (own === undefined || !bytesEqual(own.key, key) || !bytesEqual(own.commitment, commitment))
      throw new RangeError(`pay: the tree does not have output ${index}`);
    const [leaf] = source.leaves(place, place + 1);
    return { leaf: leaf as Leaf, path: treePath(source, place) };
  }

  /** Returns the outputs beside a leaf, and a tree that has no more than its path. */
  #sourceOf(answer: PathAnswer | undefined): { outputs: ChainOutput[]; source: PathSource } {
    const { leaves, layer_chunks: layers = [] } = answer?.path ?? {};
    const types = leaves?.output_types ?? [];
    const outputs = (leaves?.output_pubkeys ?? []).map((key, i): ChainOutput => {
      const commitment = leaves?.commitments[i] as Uint8Array;
      return { key, commitment, kind: types[i] === 0 ? 'legacy' : 'carrot' };
    });
    const known = leavesOf(outputs) as Leaf[];
    const { leaves: width } = MONERO_SHAPE;
    const source: PathSource = {
      counts: this.#counts,
      leaves: (from, to) => {
        const first = Math.floor(from / width) * width;
        return known.slice(from - first, to - first);
      },
      node: (layer, place) =>
        layers[layer]?.elems[place % widthOf(MONERO_SHAPE, layer + 1)] as Uint8Array,
    };
    return { outputs, source };
  }
}
