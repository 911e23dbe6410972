// A subscriber of ZeroMQ (ZMTP 3.0, https://rfc.zeromq.org/spec/23/) written by hand, which notes when messages come.
import { once } from 'node:events';
import { connect } from 'node:net';
import { COMMAND, GREETING_BYTES, greeting, LONG, ready, zmtpFrame } from '../hostile/zmtp.mjs';
import { LOOPBACK } from '../programs.mjs';

/** @import { Socket } from 'node:net' */

/** The first byte of a message that subscribes. */
const SUBSCRIBE = Buffer.from([1]);

export class Subscriber {
  #socket;
  #topic;
  #onMessage;
  #buffer = Buffer.alloc(0);
  #isGreeted = false;

  /**
   * @param {Socket} socket
   * @param {string} topic
   * @param {(text: string) => void} onMessage
   */
  constructor(socket, topic, onMessage) {
    this.#socket = socket;
    this.#topic = topic;
    this.#onMessage = onMessage;
    socket.on('error', () => {}).on('data', (chunk) => this.#receive(chunk));
  }

  /**
   * Connects to a publisher and subscribes to a topic once it has greeted.
   *
   * @param {number} port
   * @param {string} topic
   * @param {(text: string) => void} onMessage called with each message
   */
  static async open(port, topic, onMessage) {
    const socket = connect({ host: LOOPBACK, port, noDelay: true });
    await once(socket, 'connect');
    const subscriber = new Subscriber(socket, topic, onMessage);
    socket.write(greeting());
    return subscriber;
  }

  close() {
    this.#socket.destroy();
  }

  /**
   * Reads frames. Messages of these publishers have one frame, and their only command ends the handshake.
   *
   * @param {Buffer} chunk
   */
  #receive(chunk) {
    this.#buffer = Buffer.concat([this.#buffer, chunk]);
    if (!this.#isGreeted) {
      if (this.#buffer.length < GREETING_BYTES) return;
      this.#isGreeted = true;
      this.#buffer = this.#buffer.subarray(GREETING_BYTES);
      this.#socket.write(ready('SUB'));
    }
    for (;;) {
      const [flags = 0] = this.#buffer;
      const head = flags & LONG ? 9 : 2;
      if (this.#buffer.length < head) return;
      const length =
        flags & LONG ? Number(this.#buffer.readBigUInt64BE(1)) : this.#buffer.readUInt8(1);
      if (this.#buffer.length < head + length) return;
      const body = this.#buffer.subarray(head, head + length);
      this.#buffer = this.#buffer.subarray(head + length);
      if (flags & COMMAND) this.#subscribe();
      else this.#onMessage(body.toString('latin1'));
    }
  }

  #subscribe() {
    this.#socket.write(zmtpFrame(Buffer.concat([SUBSCRIBE, Buffer.from(this.#topic)])));
  }
}
