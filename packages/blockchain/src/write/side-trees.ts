import { Yielder } from '@monero-node/base';
import { rulesFor, versionAtHeight, type Network } from '@monero-node/consensus';
import type { ParsedBlock } from '@monero-node/codec';
import type { ChainReader } from '@monero-node/storage';
import { decodeSideBlock } from '../verify/match-transactions.ts';
import type { SideChain } from '../view/side-chain.ts';
import type { ChainTree } from '../view/tree/chain-tree.ts';
import type { ViewTree } from '../view/tree/view-tree.ts';

/**
 * Outputs of side chains by which trees are grown for one block that comes, beyond which its root is not looked at: some seconds. The proof
 * of work of each block is verified before, so a stranger pays about as much for it as for blocks of the main chain. All roots are
 * checked when a side chain becomes the main chain.
 */
const MAX_OUTPUTS = 1000;

/** The curve trees of side chains, so that their roots are checked when blocks come. Upstream's node checks them at a reorganization only. */
export class SideTrees {
  readonly #network: Network;
  readonly #store: ChainReader;
  readonly #tree: ChainTree;
  readonly #trees = new WeakMap<SideChain, ViewTree>();

  constructor(network: Network, store: ChainReader, tree: ChainTree) {
    this.#network = network;
    this.#store = store;
    this.#tree = tree;
  }

  /**
   * Checks the root in the header of a block that builds on a side chain. Does not when the tree lacks too many outputs of the chain
   * below, but grows it nearer to there. Throws ConsensusError 'tree-root'.
   */
  async check(chain: SideChain, { block }: ParsedBlock): Promise<void> {
    const { height } = chain.headers;
    const rules = rulesFor(versionAtHeight(this.#network, height));
    if (!rules.curveTree) return;
    const tree = this.#treeOf(chain);
    if (!(await this.#grow(tree, chain))) return;
    await tree.settle(block.tree, rules, new Yielder());
    tree.checkHeader(block.tree, rules);
  }

  /** Grows the tree of a chain to which a block was added: for the root of the next one, for a template on it, and for a reorganization. */
  async follow(chain: SideChain): Promise<void> {
    const rules = rulesFor(versionAtHeight(this.#network, chain.headers.height));
    if (rules.curveTree) await this.#grow(this.#treeOf(chain), chain);
  }

  /** Returns the tree of a chain, as far as it has grown. */
  #treeOf(chain: SideChain): ViewTree {
    const known = this.#trees.get(chain);
    if (known?.isAlive === true) return known;
    const tree = this.#tree.viewAt(chain.splitHeight);
    this.#trees.set(chain, tree);
    return tree;
  }

  /** Grows a tree by the blocks of its chain, up to the limit. Returns whether it has all of them. */
  async #grow(tree: ViewTree, { headers, splitHeight }: SideChain): Promise<boolean> {
    const yielder = new Yielder();
    let outputs = 0;
    while (tree.height < headers.height) {
      if (outputs >= MAX_OUTPUTS) return false;
      const { height } = tree;
      const id = headers.pushed[height - splitHeight]?.id;
      const stored = id && this.#store.altBlock(id);
      if (stored === undefined) return false;
      const { block, txs } = decodeSideBlock(this.#network, stored);
      const { minerTx } = block;
      await tree.grow(block.id, { height, minerTx, transactions: txs }, yielder);
      outputs += tree.blocks.at(-1)?.addition.entering.length ?? 0;
      // Blocks whose growth is remembered take no slice of their own, but are decoded.
      await yielder.yieldIfDue();
    }
    return true;
  }
}
