import { createServer, type Server, type Socket } from 'node:net';
import { COMMAND, LevinConnection, nodeData, syncData, type Frame } from './levin.ts';
import { LOOPBACK } from './ports.ts';
import { bytesOf, pieces, u32, u64, type Section } from './storage.ts';

/** A block as this peer serves it; nothing says that it is right. */
export interface ServedBlock {
  /** The id under which it is announced. */
  id: Buffer;
  block: Buffer;
  txs: Buffer[];
  weight: number;
}

export interface EvilPeerOptions {
  /** Block by height, genesis first. */
  chain: readonly ServedBlock[];
  peerId?: bigint;
}

const MOST_IDS = 10_000;

/**
 * A peer that speaks Levin well enough to be synchronized from, and serves whatever chain it was
 * given. Counts what the other side does.
 */
export class EvilPeer {
  readonly port: number;
  /** Connections that were made to this peer. */
  connections = 0;
  /** Connections the other side closed. */
  dropped = 0;
  /** Ids of the blocks that were asked for. */
  readonly requested = new Set<string>();
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #chain: readonly ServedBlock[];
  readonly #byId: Map<string, ServedBlock>;
  readonly #peerId: bigint;

  private constructor(server: Server, port: number, options: EvilPeerOptions) {
    this.#server = server;
    this.port = port;
    this.#chain = options.chain;
    this.#byId = new Map(options.chain.map((block) => [block.id.toString('hex'), block]));
    this.#peerId = options.peerId ?? 0x0bad_0bad_0bad_0badn;
    server.on('connection', (socket) => this.#accept(socket));
  }

  static start(options: EvilPeerOptions): Promise<EvilPeer> {
    return new Promise((resolve, reject) => {
      const server = createServer();
      server.once('error', reject);
      server.listen(0, LOOPBACK, () => {
        const address = server.address();
        if (typeof address !== 'object' || address === null) {
          reject(new Error('no port'));
        } else {
          resolve(new EvilPeer(server, address.port, options));
        }
      });
    });
  }

  /** For `--add-exclusive-node`. */
  get address(): string {
    return `${LOOPBACK}:${this.port}`;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #accept(socket: Socket): void {
    this.connections++;
    this.#sockets.add(socket);
    socket.once('close', () => {
      this.#sockets.delete(socket);
      this.dropped++;
    });
    const connection = new LevinConnection(socket);
    connection.onFrame = (frame) => this.#answer(connection, frame);
  }

  #claim(): Section {
    const top = this.#chain.at(-1);
    if (top === undefined) throw new Error('an evil peer needs at least a genesis block');
    return syncData({
      height: this.#chain.length,
      topId: top.id,
      cumulativeDifficulty: BigInt(this.#chain.length),
    });
  }

  #answer(connection: LevinConnection, frame: Frame): void {
    switch (frame.command) {
      case COMMAND.handshake:
        return connection.respond(frame.command, {
          node_data: nodeData(this.#peerId, this.port),
          payload_data: this.#claim(),
        });
      case COMMAND.timedSync:
        return connection.respond(frame.command, { payload_data: this.#claim() });
      case COMMAND.ping:
        return connection.respond(frame.command, { peer_id: u64(this.#peerId), status: 'OK' });
      case COMMAND.supportFlags:
        return connection.respond(frame.command, { support_flags: u32(1) });
      case COMMAND.getChain:
        return this.#sendChain(connection, frame.body);
      case COMMAND.getObjects:
        return this.#sendObjects(connection, frame.body);
      default:
    }
  }

  #sendChain(connection: LevinConnection, request: Section): void {
    const heights = new Map(this.#chain.map((block, height) => [block.id.toString('hex'), height]));
    const start = pieces(bytesOf(request, 'block_ids'), 32)
      .map((id) => heights.get(id.toString('hex')))
      .find((height) => height !== undefined);
    if (start === undefined) return;
    const served = this.#chain.slice(start, start + MOST_IDS);
    const weights = Buffer.alloc(8 * served.length);
    served.forEach((block, i) => weights.writeBigUInt64LE(BigInt(block.weight), 8 * i));
    connection.notify(COMMAND.chainEntry, {
      cumulative_difficulty: u64(this.#chain.length),
      cumulative_difficulty_top64: u64(0),
      first_block: served[1]?.block ?? Buffer.alloc(0),
      m_block_ids: Buffer.concat(served.map((block) => block.id)),
      m_block_weights: weights,
      start_height: u64(start),
      total_height: u64(this.#chain.length),
    });
  }

  #sendObjects(connection: LevinConnection, request: Section): void {
    const ids = pieces(bytesOf(request, 'blocks'), 32).map((id) => id.toString('hex'));
    for (const id of ids) this.requested.add(id);
    const found = ids.flatMap((id) => this.#byId.get(id) ?? []);
    const missed = ids.filter((id) => !this.#byId.has(id));
    connection.notify(COMMAND.objects, {
      blocks: found.map((entry) => ({
        block: entry.block,
        ...(entry.txs.length > 0 ? { txs: entry.txs } : {}),
      })),
      current_blockchain_height: u64(this.#chain.length),
      ...(missed.length > 0 ? { missed_ids: Buffer.from(missed.join(''), 'hex') } : {}),
    });
  }
}
