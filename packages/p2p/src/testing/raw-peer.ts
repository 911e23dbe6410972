import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { decodeMessage, encodeMessage } from '@monero-node/codec';
import type { Fields, OutputOf, Table } from '@monero-node/codec';
import { NETWORKS } from '@monero-node/consensus';
import { FrameReader } from '../levin/frame-reader.ts';
import { encodeInvoke, encodeNotify, encodeResponse } from '../levin/frame.ts';
import type { LevinMessage } from '../levin/frame.ts';
import { HANDSHAKE_REQUEST, HANDSHAKE_RESPONSE } from '../messages/admin.ts';
import type { NodeData, SyncData } from '../messages/admin.ts';
import { COMMANDS } from '../messages/commands.ts';

/** A peer of which the test controls every byte. */
export class RawPeer {
  readonly socket: Socket;
  readonly #messages: LevinMessage[] = [];
  readonly #waiting: (() => void)[] = [];
  readonly closed: Promise<void>;
  #expected: number[] = [];
  #isClosed = false;

  constructor(socket: Socket) {
    this.socket = socket;
    const reader = new FrameReader({
      maxPacket: () => 100_000_000,
      expectedResponse: () => this.#expected[0],
    });
    socket.on('data', (chunk: Uint8Array) => {
      try {
        reader.push(chunk);
        for (let message = reader.next(); message; message = reader.next()) {
          if (message.kind === 'response') this.#expected.shift();
          this.#messages.push(message);
        }
      } catch {
        socket.removeAllListeners('data').resume(); // answers to nonsense are of no interest
      }
      this.#wake();
    });
    socket.on('error', () => {});
    this.closed = new Promise((resolve) =>
      socket.once('close', () => {
        this.#isClosed = true;
        this.#wake();
        resolve();
      }),
    );
  }

  /** @param localAddress where the connection comes from; all of 127/8 is this machine */
  static async connectTo(port: number, localAddress = '127.0.0.1'): Promise<RawPeer> {
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    await new Promise((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('error', reject);
    });
    return new RawPeer(socket);
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }

  write(bytes: Uint8Array): void {
    this.socket.write(bytes);
  }

  invoke<F extends Fields>(command: number, table: Table<F>, message: OutputOf<F>): void {
    this.#expected.push(command);
    this.write(encodeInvoke(command, encodeMessage(table, message)));
  }

  notify<F extends Fields>(command: number, table: Table<F>, message: OutputOf<F>): void {
    this.write(encodeNotify(command, encodeMessage(table, message)));
  }

  respond<F extends Fields>(command: number, table: Table<F>, message: OutputOf<F>): void {
    this.write(encodeResponse(command, 1, encodeMessage(table, message)));
  }

  /** Returns a message of that command that has arrived already. */
  take(command: number): LevinMessage | undefined {
    const at = this.#messages.findIndex((message) => message.command === command);
    return at < 0 ? undefined : this.#messages.splice(at, 1)[0];
  }

  /** Returns the next message of that command; others stay queued. Rejects when the link is closed first. */
  async next(command: number): Promise<LevinMessage> {
    for (;;) {
      const message = this.take(command);
      if (message) return message;
      if (this.#isClosed) throw new Error(`closed before command ${command} came`);
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /** Makes the handshake and returns the node's answer. */
  async introduce(sync: SyncData, node: Partial<NodeData> = {}): Promise<LevinMessage> {
    this.invoke(COMMANDS.handshake, HANDSHAKE_REQUEST, {
      node_data: nodeData(node),
      payload_data: sync,
    });
    return this.next(COMMANDS.handshake);
  }

  /** Answers the handshake of a node that dialled. */
  async answerHandshake(sync: SyncData, node: Partial<NodeData> = {}): Promise<void> {
    decodeMessage(HANDSHAKE_REQUEST, (await this.next(COMMANDS.handshake)).body);
    this.respond(COMMANDS.handshake, HANDSHAKE_RESPONSE, {
      local_peerlist_new: [],
      node_data: nodeData(node),
      payload_data: sync,
    });
  }
}

function nodeData(changes: Partial<NodeData>): NodeData {
  return {
    my_port: 0,
    network_id: NETWORKS.regtest.networkId,
    peer_id: 77n,
    rpc_credits_per_hash: 0,
    rpc_port: 0,
    support_flags: 1,
    ...changes,
  };
}

/** Accepts connections as raw peers. */
export class RawListener {
  readonly #server: Server;
  readonly #accepted: RawPeer[] = [];
  readonly #waiting: (() => void)[] = [];

  private constructor(server: Server) {
    this.#server = server;
    server.on('connection', (socket) => {
      this.#accepted.push(new RawPeer(socket));
      for (const wake of this.#waiting.splice(0)) wake();
    });
  }

  static async open(host = '127.0.0.1'): Promise<RawListener> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, host, resolve));
    return new RawListener(server);
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async next(): Promise<RawPeer> {
    for (;;) {
      const peer = this.#accepted.shift();
      if (peer) return peer;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  close(): void {
    this.#server.close();
  }
}
