import { createServer, type Server, type Socket } from 'node:net';
import { blockId, parseLooseBlock } from '../chain/block.ts';
import { COMMAND, LevinConnection, nodeData, syncData, type Frame } from './levin.ts';
import { LOOPBACK } from './ports.ts';
import { bytesOf, pieces, u32, u64, type Section } from './portable-storage.ts';

/** A block that a peer serves; it may be invalid. */
export interface ServedBlock {
  /** The id under which it is announced. */
  id: Buffer;
  block: Buffer;
  txs: Buffer[];
  weight: number;
}

/** Returns a block with its true id. The weight is only a hint for the other side's queue. */
export function served(
  block: Buffer,
  txs: Buffer[],
  id = blockId(parseLooseBlock(block)),
): ServedBlock {
  const weight = txs.reduce((sum, tx) => sum + tx.length, block.length);
  return { id, block, txs, weight };
}

/** Replaces a peer's answer to a command. */
export type Misbehavior = (connection: LevinConnection, frame: Frame) => void;

export interface EvilPeerOptions {
  /** Blocks by height, genesis first. */
  chain: readonly ServedBlock[];
  /** The height that it claims; by default the true one. */
  claimedHeight?: number;
  /** Replaced answers by command number. */
  misbehave?: Readonly<Record<number, Misbehavior>>;
  peerId?: bigint;
}

const MOST_IDS = 10_000;

/**
 * Answers a node that synchronizes: serves the given chain, valid or not, and misbehaves as the options say.
 */
export class EvilChain {
  readonly #options: EvilPeerOptions;
  readonly #byId: Map<string, ServedBlock>;
  /** Ids of the blocks that were requested. */
  readonly requested = new Set<string>();

  constructor(options: EvilPeerOptions) {
    this.#options = options;
    this.#byId = new Map(options.chain.map((block) => [block.id.toString('hex'), block]));
  }

  get #height(): number {
    return this.#options.claimedHeight ?? this.#options.chain.length;
  }

  get peerId(): bigint {
    return this.#options.peerId ?? 0x0bad_0bad_0bad_0badn;
  }

  claim(): Section {
    const top = this.#options.chain.at(-1);
    if (top === undefined) throw new Error('a peer needs at least a genesis block');
    return syncData({
      height: this.#height,
      topId: top.id,
      cumulativeDifficulty: BigInt(this.#height),
    });
  }

  answer(connection: LevinConnection, frame: Frame, port = 0): void {
    const misbehavior = this.#options.misbehave?.[frame.command];
    if (misbehavior !== undefined) return misbehavior(connection, frame);
    switch (frame.command) {
      case COMMAND.handshake:
        return connection.respond(frame.command, {
          node_data: nodeData(this.peerId, port),
          payload_data: this.claim(),
        });
      case COMMAND.timedSync:
        return connection.respond(frame.command, { payload_data: this.claim() });
      case COMMAND.ping:
        return connection.respond(frame.command, { peer_id: u64(this.peerId), status: 'OK' });
      case COMMAND.supportFlags:
        return connection.respond(frame.command, { support_flags: u32(1) });
      case COMMAND.getChain:
        return connection.notify(COMMAND.chainEntry, this.chainEntry(frame.body));
      case COMMAND.getObjects:
        return connection.notify(COMMAND.objects, this.objects(frame.body));
      default:
    }
  }

  /** Returns the ids from the newest block that both sides know. */
  chainEntry(request: Section): Section {
    const { chain } = this.#options;
    const heights = new Map(chain.map((block, height) => [block.id.toString('hex'), height]));
    const start =
      pieces(bytesOf(request, 'block_ids'), 32)
        .map((id) => heights.get(id.toString('hex')))
        .find((height) => height !== undefined) ?? 0;
    const listed = chain.slice(start, start + MOST_IDS);
    const weights = Buffer.alloc(8 * listed.length);
    listed.forEach((block, i) => weights.writeBigUInt64LE(BigInt(block.weight), 8 * i));
    return {
      cumulative_difficulty: u64(this.#height),
      cumulative_difficulty_top64: u64(0),
      first_block: listed[1]?.block ?? Buffer.alloc(0),
      m_block_ids: Buffer.concat(listed.map((block) => block.id)),
      m_block_weights: weights,
      start_height: u64(start),
      total_height: u64(this.#height),
    };
  }

  objects(request: Section): Section {
    const ids = pieces(bytesOf(request, 'blocks'), 32).map((id) => id.toString('hex'));
    for (const id of ids) this.requested.add(id);
    const found = ids.flatMap((id) => this.#byId.get(id) ?? []);
    const missed = ids.filter((id) => !this.#byId.has(id));
    return {
      blocks: found.map((entry) => ({
        block: entry.block,
        ...(entry.txs.length > 0 ? { txs: entry.txs } : {}),
      })),
      current_blockchain_height: u64(this.#height),
      ...(missed.length > 0 ? { missed_ids: Buffer.from(missed.join(''), 'hex') } : {}),
    };
  }
}

/** A listening peer, for `--add-exclusive-node`. */
export class ListeningPeer {
  readonly port: number;
  readonly chain: EvilChain;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server, port: number, options: EvilPeerOptions) {
    this.#server = server;
    this.port = port;
    this.chain = new EvilChain(options);
    server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
      const connection = new LevinConnection(socket);
      connection.onFrame = (frame) => this.chain.answer(connection, frame, port);
    });
  }

  static start(options: EvilPeerOptions): Promise<ListeningPeer> {
    return new Promise((resolve, reject) => {
      const server = createServer();
      server.once('error', reject);
      server.listen(0, LOOPBACK, () => {
        const address = server.address();
        if (typeof address !== 'object' || address === null) reject(new Error('no port'));
        else resolve(new ListeningPeer(server, address.port, options));
      });
    });
  }

  get address(): string {
    return `${LOOPBACK}:${this.port}`;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}

/**
 * Connects to a node, makes a handshake and then answers its requests. `from` is the loopback address to
 * connect from. Throws Error when the node refuses the handshake.
 */
export async function dialAsPeer(
  port: number,
  options: EvilPeerOptions,
  from?: string,
): Promise<{ connection: LevinConnection; chain: EvilChain }> {
  const chain = new EvilChain(options);
  const connection = await LevinConnection.connect(port, from);
  connection.onFrame = (frame) => chain.answer(connection, frame);
  const answer = await connection.invoke(COMMAND.handshake, {
    node_data: nodeData(chain.peerId),
    payload_data: chain.claim(),
  });
  if (answer === undefined || answer.returnCode <= 0) {
    connection.close();
    throw new Error('the node refused the handshake');
  }
  return { connection, chain };
}
