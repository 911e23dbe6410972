import { Mutex } from '@monero-node/base';
import { checkOptions, OPTIONAL, type OptionTable } from '@monero-node/base/options';
import { bytesEqual, fromHex, toHex, type AddressNetwork } from '@monero-node/codec';
import type { MoneroNode } from '@monero-node/node';
import { RpcClient } from '@monero-node/rpc-client';
import { devAccount, type DevAccount } from './accounts.ts';
import type { AutoMiner, BlockMaker, DevBlock } from './block-maker.ts';
import type { DevClock } from './dev-clock.ts';
import { confirmTransaction, type DevConfirmation } from './payments/confirm.ts';
import type { DevPayment, PayOptions } from './payments/payment-types.ts';
import type { Payments } from './payments/payments.ts';
import type { DevSnapshot, Snapshots } from './snapshots.ts';
import { waitUntil } from './wait-until.ts';

/** Blocks after which the reward of a block can be spent. Source: CRYPTONOTE_MINED_MONEY_UNLOCK_WINDOW. */
const UNLOCK_BLOCKS = 60;
/** Height from which wallets find enough other outputs for their rings: 16 that are unlocked, and some to choose from. */
const RING_HEIGHT = 100;
const WAIT_MS = 20_000;

/** What `fund` has paid. */
export interface Funds {
  /** Atomic units, unlocked. */
  readonly amount: bigint;
  /** The blocks that pay it. */
  readonly blocks: readonly DevBlock[];
}

/** Options of {@link DevNode.reorganize}. */
export interface ReorganizeOptions {
  /** Length of the new branch; one more than what it replaces when absent, and never less. */
  readonly blocks?: number;
  /** Recipient of the new blocks; account 0 when absent. */
  readonly address?: string;
  /** What the block has with which the branch wins: the same payments as before, or others that spend the same coins. */
  readonly include?: readonly DevPayment[];
  /** What does not return to the pool, as if nobody had heard of it. Linked nodes keep it. */
  readonly exclude?: readonly DevPayment[];
}

const REORGANIZE: OptionTable<ReorganizeOptions> = {
  blocks: OPTIONAL,
  address: OPTIONAL,
  include: OPTIONAL,
  exclude: OPTIONAL,
};

/** Atomic units: ten blocks, which are ten coins for ten payments at once. */
const FUNDS = 350_000_000_000_000n;
/** Numbers of accounts that are handed out, above those that tests choose. */
const FIRST_FUNDED = 1000;

/** What a node for tests is made of. */
export interface DevNodeParts {
  readonly clock: DevClock;
  readonly rpcHost: string;
  /** Whose addresses its accounts have. */
  readonly addresses: AddressNetwork;
  readonly maker: BlockMaker;
  readonly snapshots: Snapshots;
  /** Begins to mine whenever a transaction enters the pool; absent where nobody wants that. */
  readonly startAutoMiner?: ((mineIfDue: () => Promise<boolean>) => AutoMiner) | undefined;
}

/**
 * A Monero node for tests, running in this process. Calls that change the chain are carried out one at a time, in their
 * order.
 */
export class DevNode {
  /** The node itself, for everything that this class has no method for. */
  readonly node: MoneroNode;
  /** The time of this node: of its templates, its rules and its pool. */
  readonly clock: DevClock;
  readonly #maker: BlockMaker;
  readonly #snapshots: Snapshots;
  readonly #mutex = new Mutex();
  readonly #rpcHost: string;
  readonly #addresses: AddressNetwork;
  readonly #miner: string;
  readonly #autoMiner: AutoMiner | undefined;
  #nextFunded = FIRST_FUNDED;
  #client: RpcClient | undefined;
  #payments: Promise<Payments> | undefined;
  #stopping: Promise<void> | undefined;

  /** Use `startNode`: the node must be started. */
  constructor(
    node: MoneroNode,
    { clock, rpcHost, addresses, maker, snapshots, startAutoMiner }: DevNodeParts,
  ) {
    this.node = node;
    this.clock = clock;
    this.#rpcHost = rpcHost;
    this.#addresses = addresses;
    this.#miner = devAccount(0, addresses).address;
    this.#maker = maker;
    this.#snapshots = snapshots;
    this.#autoMiner = startAutoMiner?.(() => this.#mineIfDue());
  }

  /** Number of blocks, with the first one, which nobody mined. */
  get height(): number {
    return this.node.blockchain.height;
  }

  /** Id of the newest block, 32 bytes. */
  get topId(): Uint8Array {
    return this.node.blockchain.topId;
  }

  /** For wallets and other clients: `http://127.0.0.1:PORT`. */
  get rpcUrl(): string {
    const host = this.#rpcHost.includes(':') ? `[${this.#rpcHost}]` : this.#rpcHost;
    return `http://${host}:${this.node.rpc.ports.main ?? 0}`;
  }

  /** For other nodes: `127.0.0.1:PORT`. */
  get p2pAddress(): string {
    return `127.0.0.1:${this.node.p2p.listenPort}`;
  }

  /** Calls the RPC without going through its port. */
  get rpc(): RpcClient {
    this.#client ??= new RpcClient({ transport: this.node.rpc.local });
    return this.#client;
  }

  /**
   * Mines blocks on the top of the chain, with the transactions of the pool, and sends them to the linked nodes.
   *
   * Throws RangeError for a wrong count or an address of another network; nothing has changed then. Blocks that were mined before any
   * other error stay.
   *
   * @param address of any kind, below version 17 subaddresses too, which monerod does not mine to; of account 0 when absent (see `devAccount`)
   */
  mine(count = 1, address = this.#miner): Promise<readonly DevBlock[]> {
    return this.#change(() => this.#maker.make({ count, address }));
  }

  /**
   * Mines blocks to an address until their rewards reach an amount, then more for nobody in particular until the rewards
   * are unlocked and wallets find enough outputs for their rings. A reward is 35 XMR at first.
   *
   * Throws RangeError for an address that cannot be mined to.
   *
   * @param amount atomic units; one block when absent
   */
  fund(address: string, amount = 1n): Promise<Funds> {
    return this.#change(async () => {
      const blocks: DevBlock[] = [];
      let sum = 0n;
      while (sum < amount) {
        const [block] = await this.#maker.make({ count: 1, address });
        if (block === undefined) break;
        blocks.push(block);
        sum += block.reward;
      }
      const target = Math.max(this.height + UNLOCK_BLOCKS, RING_HEIGHT);
      await this.#maker.make({ count: target - this.height, address: this.#miner });
      return { amount: sum, blocks };
    });
  }

  /**
   * Returns an account that nobody has used yet, with unlocked coins: see {@link DevNode.fund}.
   *
   * @param amount atomic units; 350 XMR in ten coins when absent
   */
  async fundedAccount(amount = FUNDS): Promise<DevAccount> {
    const account = devAccount(this.#nextFunded++, this.#addresses);
    await this.fund(account.address, amount);
    return account;
  }

  /**
   * Pays from an account, as its wallet would: makes a transaction and sends it to this node, which has it in its pool then. The signer
   * is for tests only.
   *
   * Rejects with PaymentError when the account has too few unlocked coins or the node refuses the transaction, with RangeError for
   * addresses and amounts that cannot be paid, and with OptionError for an unknown option.
   */
  pay(options: PayOptions): Promise<DevPayment> {
    return this.#change(async () => (await this.#loadPayments()).pay(options));
  }

  /**
   * Mines until a payment, or any transaction, has this many confirmations, and no block if it has them. Rejects with PaymentError when it
   * is neither in the pool nor in the chain or the chain has spent the same coins, and with RangeError for a wrong number.
   *
   * @param payment what `pay` returned, or an id, 32 bytes or their hex
   * @param confirmations blocks, with the one that has it
   */
  confirm(
    payment: Pick<DevPayment, 'id'> | Uint8Array | string,
    confirmations = 1,
  ): Promise<DevConfirmation> {
    return this.#change(() => {
      if (!Number.isSafeInteger(confirmations) || confirmations < 1)
        throw new RangeError('the number of confirmations is whole and 1 or more');
      const given = typeof payment === 'string' ? fromHex(payment) : payment;
      const id = given instanceof Uint8Array ? given : given.id;
      return confirmTransaction(this.node, id, confirmations, (count) =>
        this.#maker.make({ count, address: this.#miner }),
      );
    });
  }

  /**
   * Replaces the newest blocks by a longer branch, as peers with more work would: without transactions, or with those in `include`.
   * Transactions of the replaced blocks return to the pool, but for those in `exclude`; one whose coins another in `include` spends stays
   * there, and no block can have it. The rewards are gone. Linked nodes follow.
   *
   * Rejects with RangeError for a depth of 0 or less, or that of the first block, with ConsensusError when the branch cannot have a
   * transaction, and with OptionError for an unknown option.
   *
   * @param depth number of blocks to replace
   */
  reorganize(depth: number, options: ReorganizeOptions = {}): Promise<readonly DevBlock[]> {
    return this.#change(async () => {
      checkOptions('reorganize', options, REORGANIZE);
      const { address = this.#miner, blocks = 0, include = [], exclude = [] } = options;
      const parentId = this.#parentOf(this.height - depth);
      // In the block with which the branch wins: templates above one on a side chain count its fees as new coins, as monerod's do.
      const transactions = { at: depth, blobs: include.map(({ blob }) => blob) };
      const count = Math.max(depth + 1, blocks);
      const made = await this.#maker.make({ count, address, parentId, transactions });
      await this.node.pool.flush(exclude.map(({ id }) => id));
      return made;
    });
  }

  /**
   * Removes a block and all above it from the chain of this node; their transactions return to the pool. Linked nodes keep
   * them, and send them again: use {@link DevNode.reorganize} where there are any.
   *
   * Throws RangeError for a block that is not in the chain, and for the first one.
   *
   * @param block its height or id, 32 bytes or their hex
   */
  invalidate(block: number | string | Uint8Array): Promise<void> {
    return this.#change(async () => {
      const { blockchain, pool } = this.node;
      const height = typeof block === 'number' ? block : this.#heightOf(block);
      this.#parentOf(height);
      await blockchain.popBlocks(blockchain.height - height);
      await pool.idle();
    });
  }

  /** Returns the present chain, pool and time, for {@link DevNode.revert}. */
  snapshot(): Promise<DevSnapshot> {
    return this.#change(() => this.#snapshots.take());
  }

  /**
   * Makes chain, pool and clock what they were when the snapshot was taken; as often as wanted. Linked nodes do not follow
   * unless the chain becomes longer. Throws LostBlockError for a snapshot of another node; nothing has changed then.
   */
  revert(snapshot: DevSnapshot): Promise<void> {
    return this.#change(() => this.#snapshots.revert(snapshot));
  }

  /** Resolves when the chain has this many blocks or more. Throws Error when that takes too long. */
  async waitForHeight(height: number, milliseconds = WAIT_MS): Promise<void> {
    await waitUntil(() => this.height >= height, `height ${height}`, milliseconds);
  }

  /** Resolves when this node and another one have the same newest block. Throws Error when that takes too long. */
  async waitForSameTop(
    other: { readonly topId: Uint8Array },
    milliseconds = WAIT_MS,
  ): Promise<void> {
    const isSame = (): boolean => bytesEqual(this.topId, other.topId);
    await waitUntil(isSame, 'the same newest block', milliseconds);
  }

  /** Stops and closes everything; nothing keeps the process alive afterwards. May be called twice. */
  stop(): Promise<void> {
    this.#autoMiner?.stop();
    this.#stopping ??= this.#mutex.idle().then(() => {
      this.#client?.close();
      return this.node.stop();
    });
    return this.#stopping;
  }

  /** The same as {@link DevNode.stop}. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  /** Loads the signer, which only tests that pay need. */
  #loadPayments(): Promise<Payments> {
    this.#payments ??= import('./payments/payments.ts').then(
      ({ Payments: Made }) => new Made(this.node, () => this.rpc),
    );
    return this.#payments;
  }

  /** Returns the height of a block by its id, 32 bytes or their hex. Throws RangeError for one that is not in the chain. */
  #heightOf(block: string | Uint8Array): number {
    const id = typeof block === 'string' ? fromHex(block) : block;
    const height = this.node.blockchain.store.heightOf(id);
    if (height === undefined) throw new RangeError(`not a block of this chain: ${toHex(id)}`);
    return height;
  }

  /** Returns the id of the parent of a main-chain block, 32 bytes. Throws RangeError when there is none. */
  #parentOf(height: number): Uint8Array {
    const { store } = this.node.blockchain;
    const parent = height < this.height ? store.blockMeta(height - 1) : undefined;
    if (!Number.isSafeInteger(height) || parent === undefined)
      throw new RangeError(`the chain has no block ${height} that can be removed`);
    return parent.id;
  }

  /** Mines a block if a transaction can be in it. Chosen in turn, so that what is being reverted is not mined again. */
  async #mineIfDue(): Promise<boolean> {
    if (this.#stopping !== undefined) return false;
    return this.#change(async () => {
      const { transactions } = await this.node.pool.selectForBlock();
      if (transactions.length === 0) return false;
      await this.#maker.make({ count: 1, address: this.#miner });
      return true;
    });
  }

  #change<T>(task: () => Promise<T>): Promise<T> {
    if (this.#stopping !== undefined) return Promise.reject(new Error('the node is stopped'));
    return this.#mutex.run(task);
  }
}
