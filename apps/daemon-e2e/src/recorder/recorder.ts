import { numberOf, objectOf, stringOf } from '../harness/json.ts';
import { mine, type RunningNode } from '../harness/monerod.ts';
import { RpcError } from '../harness/rpc-client.ts';
import { Random } from './random.ts';
import { SHAPES, sweepOf, type Spending } from './shapes.ts';
import { EXTRA_ACCOUNTS, madeCount, type Spender } from './wallets.ts';

export interface RecorderOptions {
  /** Chain height to reach. */
  blocks: number;
  /** Number of transactions to spread over the blocks; some fail for lack of unlocked outputs. */
  transactions: number;
  seed: number;
  say(message: string): void;
}

const FIRST_BLOCKS = 180;
const SWEEP_EVERY = 45;
const SIDE_BLOCK_EVERY = 60;
const REORG_EVERY = 120;
const MOST_A_TURN = 10;

/** Records a chain with payments and side branches on an offline regtest monerod with two wallets. */
export class Recorder {
  readonly #node: RunningNode;
  readonly #spenders: readonly [Spender, Spender];
  readonly #options: RecorderOptions;
  readonly #random: Random;
  /** Numbers of payments made and of refusals by monerod or a wallet, by kind. */
  readonly made = new Map<string, number>();
  readonly refused = new Map<string, number>();

  constructor(node: RunningNode, spenders: readonly [Spender, Spender], options: RecorderOptions) {
    this.#node = node;
    this.#spenders = spenders;
    this.#options = options;
    this.#random = new Random(options.seed);
  }

  async run(): Promise<void> {
    const { blocks, transactions, say } = this.#options;
    say(`mining the first ${FIRST_BLOCKS} blocks`);
    for (let i = 0; i < FIRST_BLOCKS / 10; i++) {
      await mine(this.#node, 10, this.#spender(i).main);
    }
    let total = 0;
    for (let turn = 0; ; turn++) {
      const height = await this.#height();
      if (height >= blocks) break;
      total += await this.#turn(turn, height, transactions - total);
      if (turn % 20 === 0) say(`height ${height}, ${total} transactions`);
    }
  }

  /** Makes a few payments, one to five blocks and occasionally a side branch. Returns the payments. */
  async #turn(turn: number, height: number, left: number): Promise<number> {
    const random = this.#random;
    if (turn % 2 === 0) {
      for (const { wallet } of this.#spenders) await wallet.call('refresh');
    }
    const step = random.choice([1, 1, 2, 3, 5]);
    const share = (left * step) / Math.max(1, this.#options.blocks - height);
    const wanted = Math.round(share + random.uniform(-0.6, 0.6));
    // Occasionally fills a block.
    const payments = Math.min(MOST_A_TURN, Math.max(turn % 40 === 7 ? 8 : 0, wanted));
    let sent = 0;
    for (let i = 0; i < payments; i++) sent += await this.#pay(height);
    if (turn > 0 && turn % SWEEP_EVERY === 0) sent += await this.#sweep(turn / SWEEP_EVERY);
    await mine(this.#node, step, this.#spender(random.integer(0, 1)).main);
    if (turn % SIDE_BLOCK_EVERY === 30) await this.#branch(random.integer(1, 3), 1);
    if (turn % REORG_EVERY === 100) {
      await mine(this.#node, 1, this.#spender(0).main); // empties the pool
      await this.#branch(2, 3);
    }
    return sent;
  }

  async #pay(height: number): Promise<number> {
    const random = this.#random;
    const index = random.integer(0, 1);
    const [from, to] = [this.#spender(index), this.#spender(index + 1)];
    const shape = random.choice(
      SHAPES.flatMap((each) => Array.from({ length: each.share }, () => each)),
    );
    const spending = await shape.make({ from, to, random, height });
    return spending === undefined ? 0 : this.#send(shape.name, from, spending);
  }

  #sweep(round: number): Promise<number> {
    const account = 1 + (round % EXTRA_ACCOUNTS);
    const spending = sweepOf(account, this.#spender(round + 1));
    return this.#send('sweep of an account', this.#spender(round), spending);
  }

  /** Makes the wallet's call. A lack of unlocked coins is counted, not an error. */
  async #send(name: string, from: Spender, spending: Spending): Promise<number> {
    try {
      const count = madeCount(await from.wallet.call(spending.method, spending.params));
      this.made.set(name, (this.made.get(name) ?? 0) + count);
      return count;
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      this.#refuse(`${name}: ${error.reason.split(',')[0]}`);
      return 0;
    }
  }

  /**
   * Mines `count` blocks on the block `back` below the top. More than `back` of them win: a
   * reorganization. monerod refuses a branch whose pool transactions are not valid on it.
   */
  async #branch(back: number, count: number): Promise<void> {
    const name = count > back ? 'reorganization' : 'alternative block';
    const height = (await this.#height()) - 1 - back;
    const answer = await this.#node.rpc.call('get_block_header_by_height', { height });
    const parent = stringOf(objectOf(answer, 'block_header'), 'hash');
    try {
      await mine(this.#node, count, this.#spender(1).main, parent);
      this.made.set(name, (this.made.get(name) ?? 0) + 1);
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      this.#refuse(`${name}: ${error.reason}`);
    }
  }

  #refuse(what: string): void {
    this.refused.set(what, (this.refused.get(what) ?? 0) + 1);
  }

  #spender(index: number): Spender {
    return this.#spenders[index % 2 === 0 ? 0 : 1];
  }

  async #height(): Promise<number> {
    return numberOf(await this.#node.rpc.call('get_block_count'), 'count');
  }
}
