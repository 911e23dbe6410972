import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { startWallet } from '../nodes.mjs';
import { Rpc, RpcError } from '../rpc.mjs';

/**
 * @import { Daemon } from '../nodes.mjs'
 * @import { Program, Start } from '../programs.mjs'
 */

const XMR = 1e12;
/** Number of outputs into which a coinbase is split; 16 is the most a transaction may have. */
export const OUTPUTS_PER_SPLIT = 15;
/** One in this many transactions has two more destinations; on the real chain, too, a few do. */
const SMALL_BATCH_EVERY = 16;

/** A wallet program with one wallet that makes the transactions of the recorded chain. */
export class Spender {
  #rpc;
  #node;
  #sent = 0;
  address = '';
  program;

  /**
   * @param {{ rpc: Rpc, program: Program }} wallet
   * @param {Rpc} node client of the daemon to which transactions are sent
   */
  constructor({ rpc, program }, node) {
    this.#rpc = rpc;
    this.program = program;
    this.#node = node;
  }

  /**
   * Opens the wallet of an earlier run in `dir`, or makes one.
   *
   * @param {Start} start of withPrograms
   * @param {{ name: string, dir: string, node: Daemon }} options
   */
  static async open(start, { name, dir, node }) {
    const wallet = await startWallet(start, { name, dir, daemonPort: node.rpcPort });
    const { rpc } = wallet;
    if (existsSync(join(dir, `${name}.keys`))) {
      await rpc.call('open_wallet', { filename: name });
    } else {
      await create(rpc, name);
    }
    // The wallet scans the chain on request only.
    await rpc.call('auto_refresh', { enable: false });
    const spender = new Spender(wallet, new Rpc(node.rpcPort));
    spender.address = (await rpc.call('get_address', { account_index: 0 })).address;
    await spender.refresh();
    return spender;
  }

  refresh() {
    return this.#rpc.call('refresh');
  }

  save() {
    return this.#rpc.call('store');
  }

  /** Returns the outputs that can be spent now, and all unspent outputs. */
  async #outputs() {
    const { transfers = [] } = await this.#rpc.call('incoming_transfers', {
      transfer_type: 'available',
    });
    return transfers.filter((output) => !output.spent && !output.frozen);
  }

  /** Returns the number of outputs that are large enough for transactions, including locked ones. */
  async smallOutputs() {
    return (await this.#outputs()).filter((output) => output.amount < 10 * XMR).length;
  }

  /**
   * Splits up to `count` unlocked coinbases; returns the number of coinbases split.
   *
   * @param {number} count
   */
  async split(count) {
    const coinbases = (await this.#outputs()).filter(
      (output) => output.unlocked && output.amount >= 10 * XMR,
    );
    const chosen = coinbases.slice(0, count);
    for (const { key_image } of chosen) {
      await this.#rpc.call('sweep_single', {
        address: this.address,
        key_image,
        outputs: OUTPUTS_PER_SPLIT,
        priority: 1,
      });
    }
    return chosen.length;
  }

  /**
   * Joins small outputs in transactions as large as the wallet makes them, and sends the first `count`. Returns their
   * ids.
   *
   * @param {number} count
   */
  async sweepSmallOutputs(count) {
    const made = await this.#rpc.call('sweep_all', {
      address: this.address,
      below_amount: 10 * XMR,
      priority: 1,
      do_not_relay: true,
      get_tx_hex: true,
    });
    for (const tx_as_hex of made.tx_blob_list.slice(0, count)) {
      const answer = await this.#node.path('/send_raw_transaction', {
        tx_as_hex,
        do_sanity_checks: false,
      });
      if (answer.status !== 'OK') throw new RpcError(`send_raw_transaction: ${answer.reason}`);
    }
    return made.tx_hash_list.slice(0, count);
  }

  /**
   * Sends one transaction into the pool. The wallet spends two outputs even where one would do, so
   * transactions have two inputs and two outputs, except each sixteenth, which has four outputs.
   *
   * @param {{ address: string }} to
   */
  async send(to) {
    const destinations = ++this.#sent % SMALL_BATCH_EVERY === 0 ? 3 : 1;
    // About half of a typical output, so that amounts neither run out nor accumulate in few outputs.
    const amount = () => Math.round(((0.8 + 0.4 * Math.random()) / destinations) * XMR);
    const made = await this.#rpc.call('transfer', {
      destinations: Array.from({ length: destinations }, () => ({
        address: to.address,
        amount: amount(),
      })),
      priority: 1,
      do_not_relay: true,
      get_tx_hex: true,
    });
    // From 10,000 outputs on, monerod's sanity check requires young ring members. On a chain of a few hundred
    // blocks the wallet chooses older ones, and it has no option for that.
    const answer = await this.#node.path('/send_raw_transaction', {
      tx_as_hex: made.tx_blob,
      do_sanity_checks: false,
    });
    if (answer.status !== 'OK') throw new RpcError(`send_raw_transaction: ${answer.reason}`);
    // The wallet did not send it, so it learns only from a block that these are spent.
    for (const keyImage of made.spent_key_images.key_images) {
      await this.#rpc.call('freeze', { key_image: keyImage });
    }
  }
}

/**
 * Restores the wallet, because the scan of a new wallet may start after the blocks that pay it.
 *
 * @param {Rpc} rpc
 * @param {string} name
 */
async function create(rpc, name) {
  await rpc.call('create_wallet', { filename: `${name}-words`, language: 'English' });
  const { key: seed } = await rpc.call('query_key', { key_type: 'mnemonic' });
  await rpc.call('close_wallet');
  await rpc.call('restore_deterministic_wallet', {
    filename: name,
    password: '',
    seed,
    restore_height: 0,
  });
}
