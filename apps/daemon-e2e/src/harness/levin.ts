import { connect, type Socket } from 'node:net';
import { LOOPBACK } from './ports.ts';
import { decodeStorage, encodeStorage, u32, u64, u8, type Section } from './portable-storage.ts';
import { TimeoutError } from './wait.ts';

/** Command numbers (monerod src/p2p/p2p_protocol_defs.h, cryptonote_protocol_defs.h). */
export const COMMAND = {
  handshake: 1001,
  timedSync: 1002,
  ping: 1003,
  supportFlags: 1007,
  newTransactions: 2002,
  getObjects: 2003,
  objects: 2004,
  getChain: 2006,
  chainEntry: 2007,
  newFluffyBlock: 2008,
  fluffyMissing: 2009,
} as const;

const SIGNATURE = 0x0101010101012101n;
const HEADER = 33;
const FLAG = { request: 1, response: 2 } as const;

export interface Frame {
  command: number;
  /** Whether the sender waits for a response. */
  invoke: boolean;
  response: boolean;
  returnCode: number;
  body: Section;
}

function frameBytes(
  command: number,
  body: Section,
  kind: 'invoke' | 'notify' | 'response',
): Buffer {
  const payload = encodeStorage(body);
  const header = Buffer.alloc(HEADER);
  header.writeBigUInt64LE(SIGNATURE, 0);
  header.writeBigUInt64LE(BigInt(payload.length), 8);
  header.writeUInt8(kind === 'invoke' ? 1 : 0, 16);
  header.writeUInt32LE(command, 17);
  header.writeInt32LE(kind === 'response' ? 1 : 0, 21);
  header.writeUInt32LE(kind === 'response' ? FLAG.response : FLAG.request, 25);
  header.writeUInt32LE(1, 29);
  return Buffer.concat([header, payload]);
}

/** A Levin connection. Frames for which no call waits are passed to `onFrame`. */
export class LevinConnection {
  readonly #socket: Socket;
  #buffer = Buffer.alloc(0);
  #waiting: { command: number; resolve: (frame: Frame) => void }[] = [];
  #onFrame: (frame: Frame) => void = () => undefined;
  readonly closed: Promise<void>;
  #open = true;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (bytes) => this.#read(bytes));
    // A reset is one of the ways in which a peer ends the connection.
    socket.on('error', () => undefined);
    this.closed = new Promise((resolve) =>
      socket.once('close', () => {
        this.#open = false;
        resolve();
      }),
    );
  }

  /** Connects. `from` is the loopback address to connect from, so that a ban affects no other connection. */
  static connect(port: number, from: string = LOOPBACK): Promise<LevinConnection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host: LOOPBACK, port, localAddress: from });
      socket.once('error', reject);
      socket.once('connect', () => {
        socket.off('error', reject);
        resolve(new LevinConnection(socket));
      });
    });
  }

  get open(): boolean {
    return this.#open;
  }

  set onFrame(handler: (frame: Frame) => void) {
    this.#onFrame = handler;
  }

  notify(command: number, body: Section): void {
    this.#socket.write(frameBytes(command, body, 'notify'));
  }

  respond(command: number, body: Section): void {
    this.#socket.write(frameBytes(command, body, 'response'));
  }

  /** Sends a request and waits for its response; undefined when the peer closes instead. */
  async invoke(command: number, body: Section, timeout = 30_000): Promise<Frame | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const answer = new Promise<Frame>((resolve) => this.#waiting.push({ command, resolve }));
    this.#socket.write(frameBytes(command, body, 'invoke'));
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new TimeoutError(`no response to command ${command}`)),
        timeout,
      );
    });
    try {
      return await Promise.race([answer, late, this.closed.then(() => undefined)]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Sends raw bytes. */
  raw(bytes: Uint8Array): void {
    this.#socket.write(bytes);
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(bytes: Buffer): void {
    this.#buffer = Buffer.concat([this.#buffer, bytes]);
    while (this.#buffer.length >= HEADER) {
      const length = Number(this.#buffer.readBigUInt64LE(8));
      if (this.#buffer.length < HEADER + length) return;
      const flags = this.#buffer.readUInt32LE(25);
      const payload = this.#buffer.subarray(HEADER, HEADER + length);
      const frame: Frame = {
        command: this.#buffer.readUInt32LE(17),
        invoke: this.#buffer.readUInt8(16) !== 0,
        response: (flags & FLAG.response) !== 0,
        returnCode: this.#buffer.readInt32LE(21),
        body: length === 0 ? {} : decodeStorage(payload),
      };
      this.#buffer = this.#buffer.subarray(HEADER + length);
      this.#deliver(frame);
    }
  }

  #deliver(frame: Frame): void {
    const waiting = this.#waiting[0];
    if (frame.response && waiting !== undefined) {
      this.#waiting.shift();
      waiting.resolve(frame);
    } else {
      this.#onFrame(frame);
    }
  }
}

/** Network id of mainnet, which regtest shares. */
const NETWORK_ID = Buffer.from('1230f171610441611731008216a1a110', 'hex');

/** The chain that a node announces in a handshake. */
export interface ChainClaim {
  height: number;
  topId: Uint8Array;
  cumulativeDifficulty: bigint;
}

export function syncData(claim: ChainClaim): Section {
  return {
    cumulative_difficulty: u64(claim.cumulativeDifficulty),
    cumulative_difficulty_top64: u64(0),
    current_height: u64(claim.height),
    top_id: claim.topId,
    top_version: u8(claim.height <= 1 ? 1 : 16),
  };
}

export function nodeData(peerId: bigint, port = 0): Section {
  return {
    my_port: u32(port),
    network_id: NETWORK_ID,
    peer_id: u64(peerId),
    support_flags: u32(1),
  };
}

/** Connects and shakes hands. Throws Error when the peer refuses. */
export async function shakeHands(
  port: number,
  claim: ChainClaim,
  peerId: bigint,
  from?: string,
): Promise<LevinConnection> {
  const connection = await LevinConnection.connect(port, from);
  connection.onFrame = (frame) => {
    if (!frame.invoke) return;
    if (frame.command === COMMAND.timedSync) {
      connection.respond(frame.command, { payload_data: syncData(claim) });
    } else if (frame.command === COMMAND.supportFlags) {
      connection.respond(frame.command, { support_flags: u32(1) });
    }
  };
  const answer = await connection.invoke(COMMAND.handshake, {
    node_data: nodeData(peerId),
    payload_data: syncData(claim),
  });
  if (answer === undefined || answer.returnCode <= 0) {
    connection.close();
    throw new Error('the node refused the handshake');
  }
  return connection;
}
