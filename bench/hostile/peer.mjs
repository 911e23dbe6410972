// A peer whose bytes are written by hand. It speaks as much of Levin as an attacker or a simple good peer needs.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { paced } from './pace.mjs';
import { body, object, string, u32, u64, u8 } from './storage.mjs';

/**
 * @import { Socket } from 'node:net'
 * @import { ChainFacts } from './attack.d.ts'
 */
/**
 * What a peer says of its chain; by default, that it is that of the node.
 *
 * @typedef {{ height?: number, topId?: string }} Claim
 */
/**
 * The header of a frame.
 *
 * @typedef {{ command: number, flags: number, length: number }} Header
 */

export const COMMAND = {
  handshake: 1001,
  timedSync: 1002,
  ping: 1003,
  newBlock: 2001,
  newTransactions: 2002,
  requestObjects: 2003,
  requestChain: 2006,
  responseChain: 2007,
  newFluffyBlock: 2008,
  txpoolComplement: 2010,
};
/** Flags of a Levin header. */
export const FLAG = { request: 1, response: 2, begin: 4, end: 8 };
const HEADER_BYTES = 33;
const SIGNATURE = Buffer.from('0121010101010101', 'hex');
const NETWORK_ID = Buffer.from('1230f171610441611731008216a1a110', 'hex');
const HANDSHAKE_LIMIT_MS = 10_000;

/**
 * Returns a frame. `expectsAnswer` makes it an invoke.
 *
 * @param {number} command
 * @param {Uint8Array} bytes
 */
export function frame(
  command,
  bytes,
  { expectsAnswer = false, flags = FLAG.request, code = 0 } = {},
) {
  const header = Buffer.alloc(HEADER_BYTES);
  SIGNATURE.copy(header);
  header.writeBigUInt64LE(BigInt(bytes.length), 8);
  header.writeUInt8(expectsAnswer ? 1 : 0, 16);
  header.writeUInt32LE(command, 17);
  header.writeInt32LE(code, 21);
  header.writeUInt32LE(flags, 25);
  header.writeUInt32LE(1, 29);
  return Buffer.concat([header, bytes]);
}

/** @type {(command: number, bytes: Uint8Array) => Buffer} */
export const invoke = (command, bytes) => frame(command, bytes, { expectsAnswer: true });
/** @type {(command: number, bytes: Uint8Array) => Buffer} */
export const notify = (command, bytes) => frame(command, bytes);

/**
 * Returns the field in which a peer describes its chain: by default, the same as that of the node.
 *
 * @param {ChainFacts} chain
 * @param {Claim} [claim]
 */
export function syncData(chain, { height = chain.height, topId = chain.topHash } = {}) {
  return object('payload_data', [
    u64('cumulative_difficulty', height),
    u64('cumulative_difficulty_top64', 0),
    u64('current_height', height),
    string('top_id', Buffer.from(topId, 'hex')),
    u8('top_version', 16),
  ]);
}

/**
 * @param {ChainFacts} chain
 * @param {Claim} [claim]
 */
function handshake(chain, claim) {
  const node = object('node_data', [
    u32('my_port', 0),
    string('network_id', NETWORK_ID),
    u64('peer_id', randomBytes(8).readBigUInt64LE()),
    u32('support_flags', 1),
  ]);
  return invoke(COMMAND.handshake, body([node, syncData(chain, claim)]));
}

/** One connection to the node. Everything received is read and thrown away, unless `listen` is called. */
export class Peer {
  #closed = false;
  /** @type {(header: Header) => void} */
  #onFrame = () => {};
  #buffer = Buffer.alloc(0);
  #skip = 0;

  /** @param {Socket} socket */
  constructor(socket) {
    this.socket = socket;
    /** @type {Promise<void>} */
    this.closed = new Promise((resolve) =>
      socket.once('close', () => {
        this.#closed = true;
        resolve();
      }),
    );
    socket.on('error', () => {}).on('data', (chunk) => this.#receive(chunk));
  }

  /**
   * Connects from a loopback address. Rejects when the node refuses.
   *
   * @param {number} port
   * @param {string} localAddress
   */
  static async connect(port, localAddress) {
    const socket = connect({ host: '127.0.0.1', port, localAddress, noDelay: true });
    await once(socket, 'connect');
    return new Peer(socket);
  }

  /**
   * Connects and shakes hands. `claim` replaces the height and the top block of the peer's chain.
   *
   * @param {number} port
   * @param {string} localAddress
   * @param {ChainFacts} chain
   * @param {Claim} [claim]
   */
  static async open(port, localAddress, chain, claim) {
    const peer = await Peer.connect(port, localAddress);
    await peer.introduce(chain, claim);
    return peer;
  }

  /**
   * @param {ChainFacts} chain
   * @param {Claim} [claim]
   */
  async introduce(chain, claim) {
    const answered = new Promise((resolve) => {
      this.#onFrame = ({ command }) => command === COMMAND.handshake && resolve(true);
    });
    this.socket.write(handshake(chain, claim));
    /** @type {NodeJS.Timeout | undefined} */
    let giveUp;
    const late = new Promise((resolve) => (giveUp = setTimeout(resolve, HANDSHAKE_LIMIT_MS)));
    const done = await Promise.race([answered, late, this.closed]);
    clearTimeout(giveUp);
    this.#onFrame = () => {};
    if (done === true) return;
    this.close();
    throw new Error('no answer to the handshake');
  }

  get isClosed() {
    return this.#closed;
  }

  /**
   * Calls `onFrame` for the header of every frame.
   *
   * @param {(header: Header) => void} onFrame
   */
  listen(onFrame) {
    this.#onFrame = onFrame;
  }

  /**
   * Sends bytes; resolves when the system has taken them, or when the connection has ended.
   *
   * @param {Buffer} bytes
   */
  async send(bytes) {
    await paced(bytes.length);
    if (this.#closed || this.socket.write(bytes)) return;
    await Promise.race([this.closed, once(this.socket, 'drain').catch(() => {})]);
  }

  close() {
    this.socket.destroy();
  }

  /**
   * Reads headers and skips bodies.
   *
   * @param {Buffer} chunk
   */
  #receive(chunk) {
    const skipped = Math.min(this.#skip, chunk.length);
    this.#skip -= skipped;
    this.#buffer = Buffer.concat([this.#buffer, chunk.subarray(skipped)]);
    while (this.#skip === 0 && this.#buffer.length >= HEADER_BYTES) {
      const header = this.#buffer;
      const length = Number(header.readBigUInt64LE(8));
      const received = Math.min(length, header.length - HEADER_BYTES);
      this.#skip = length - received;
      this.#buffer = header.subarray(HEADER_BYTES + received);
      this.#onFrame({
        command: header.readUInt32LE(17),
        flags: header.readUInt32LE(25),
        length,
      });
    }
  }
}
