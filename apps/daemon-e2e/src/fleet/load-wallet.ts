import { isObject, numberOf, parseJson } from '../harness/json.ts';
import { decodeStorage, encodeStorage, u64, type Section } from '../harness/portable-storage.ts';
import { sleep } from '../harness/wait.ts';
import { FleetClient } from './fleet-client.ts';
import type { Tally } from './tally.ts';

const ID_BYTES = 32;
/** Rings of a payment, and their size. */
const [RINGS, RING_SIZE] = [4, 16];

/** Outputs of the newest blocks are not chosen, since they cannot be spent yet. */
const UNLOCK_BLOCKS = 11;

/** Asks a fleet for what a wallet asks for, again and again, and checks what it gets. */
export class LoadWallet {
  readonly #client: FleetClient;
  readonly #tally: Tally;
  readonly #genesis: Uint8Array;
  /** Ids of the blocks known, from height 0. */
  #chain: Buffer;
  #node = '';
  #seen = 0;
  #isStopped = false;

  constructor(client: FleetClient, tally: Tally, genesis: Uint8Array) {
    this.#client = client;
    this.#tally = tally;
    this.#genesis = genesis;
    this.#chain = Buffer.from(genesis);
  }

  /** Height of the chain as this wallet knows it. */
  get height(): number {
    return this.#chain.length / ID_BYTES;
  }

  /** Refreshes until the stop, with a pause between two refreshes in milliseconds. */
  async run(pause: number): Promise<void> {
    while (!this.#isStopped) {
      try {
        await this.refresh();
        this.#tally.refreshes++;
      } catch (error) {
        this.#tally.failures.push(`height ${this.#tally.height}: ${String(error)}`);
      }
      await sleep(pause);
    }
    this.#client.close();
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** Rejects when a request is not answered, or not as it should be. */
  async refresh(): Promise<void> {
    const asked = this.#tally.height;
    for (const path of ['/get_info', '/getheight'])
      this.#sawHeight(path, numberOf(await this.#json(path), 'height'), asked);
    await this.#followChain(asked);
    const outputs = Array.from({ length: RINGS * RING_SIZE }, (_, i): Section => ({
      amount: u64(0),
      index: u64((i * 7) % (this.height - UNLOCK_BLOCKS)),
    }));
    const { outs } = await this.#binary('/get_outs.bin', { outputs, get_txid: true });
    if (!Array.isArray(outs) || outs.length !== outputs.length)
      throw new Error('/get_outs.bin: outputs are missing');
    await this.#poolHashes();
  }

  /** Takes over the new blocks. */
  async #followChain(asked: number): Promise<void> {
    const history = { block_ids: this.#history(), start_height: u64(0) };
    const hashes = await this.#binary('/gethashes.bin', history);
    this.#sawHeight('/gethashes.bin', Number(hashes['current_height']), asked);
    const start = Number(hashes['start_height']);
    const ids = Buffer.from(hashes['m_block_ids'] as Uint8Array);
    const offered = start + ids.length / ID_BYTES;
    // A node that is a block behind has nothing new.
    if (offered < this.height) return;
    const answer = await this.#binary('/getblocks.bin', { ...history, prune: true });
    const { blocks, current_height: height } = answer;
    // A wallet whose newest block is the tip gets none. Another node may have answered, which has not the newest block yet.
    if (offered === this.height || Number(height) <= this.height) return;
    if (!Array.isArray(blocks) || blocks.length === 0)
      throw new Error('/getblocks.bin: blocks are missing');
    this.#chain = Buffer.concat([this.#chain.subarray(0, start * ID_BYTES), ids]);
  }

  /** Returns the newest ids, the last one first, and genesis. */
  #history(): Buffer {
    const newest = Array.from({ length: Math.min(10, this.height - 1) }, (_, i) => {
      const end = this.#chain.length - i * ID_BYTES;
      return this.#chain.subarray(end - ID_BYTES, end);
    });
    return Buffer.concat([...newest, this.#genesis]);
  }

  #sawHeight(path: string, height: number, asked: number): void {
    this.#tally.sawHeight(this.#node, height, asked);
    this.#tally.sawAfter(`${this.#node} ${path}`, height, this.#seen);
    this.#seen = Math.max(this.#seen, height);
  }

  async #json(path: string) {
    const answer = parseJson((await this.#ask(path, Buffer.from('{}'))).toString('latin1'));
    if (!isObject(answer) || answer['status'] !== 'OK') throw new Error(`${path}: not OK`);
    return answer;
  }

  /** In spite of its name it is JSON, with bytes in a string and escapes that JSON lacks, so it cannot be parsed. */
  async #poolHashes(): Promise<void> {
    const path = '/get_transaction_pool_hashes.bin';
    const answer = await this.#ask(path, Buffer.from('{}'));
    if (!answer.includes('"status": "OK"')) throw new Error(`${path}: not OK`);
  }

  async #binary(path: string, body: Section): Promise<Section> {
    const answer = decodeStorage(await this.#ask(path, encodeStorage(body)));
    if (String(answer['status']) !== 'OK') throw new Error(`${path}: ${String(answer['status'])}`);
    return answer;
  }

  async #ask(path: string, body: Uint8Array): Promise<Buffer> {
    const began = performance.now();
    const { status, body: answer, node } = await this.#client.post(path, body);
    this.#tally.answered(node, performance.now() - began);
    if (status !== 200) throw new Error(`${path}: HTTP ${status} from ${node || 'the balancer'}`);
    if (this.#node !== '' && this.#node !== node) this.#tally.moves++;
    this.#node = node;
    return answer;
  }
}
