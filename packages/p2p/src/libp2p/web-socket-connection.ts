import type { Logger, MessageStreamDirection } from '@libp2p/interface';
import { AbstractMultiaddrConnection, type SendResult } from '@libp2p/utils';
import type { Multiaddr } from '@multiformats/multiaddr';
import type { RawData, WebSocket } from 'ws';

/** Unsent bytes above which the multiplexer waits, and above which pings go unanswered. */
const MAX_UNSENT = 4 * 1024 * 1024;
const MAX_UNSENT_FOR_PONG = 64 * 1024;
/** Close codes of a connection that ended as it should. */
const CLEAN_CODES = [1000, 1001, 1005];

/**
 * Options of every WebSocket that carries libp2p, accepted or dialled. An encrypted frame has at most 64 KiB.
 * Messages are not compressed, because a few compressed bytes can unpack to many.
 */
export const WEB_SOCKET_OPTIONS = {
  maxPayload: 1024 * 1024,
  perMessageDeflate: false,
  autoPong: false,
} as const;

export interface WebSocketConnectionOptions {
  /** An open socket that nothing has been read from. */
  readonly socket: WebSocket;
  readonly remoteAddr: Multiaddr;
  readonly direction: MessageStreamDirection;
  readonly log: Logger;
}

/** Adapts a WebSocket to libp2p's interface of a connection. A malformed frame ends this connection only. */
export class WebSocketConnection extends AbstractMultiaddrConnection {
  readonly #socket: WebSocket;

  constructor({ socket, ...init }: WebSocketConnectionOptions) {
    super(init);
    this.#socket = socket;
    // The errors of frames arrive here; 'close' would follow only when the peer agrees.
    socket.on('error', (error) => this.abort(error));
    socket.on('close', (code) => {
      if (CLEAN_CODES.includes(code)) this.onTransportClosed();
      else if (this.status === 'open' || this.status === 'closing') this.onRemoteReset();
    });
    socket.on('message', (data) => this.onData(plainBytes(data)));
    socket.on('ping', (data) => {
      // A peer that reads nothing must not fill the memory with answers.
      if (socket.bufferedAmount < MAX_UNSENT_FOR_PONG) socket.pong(data);
    });
  }

  sendData(data: Iterable<Uint8Array> & { readonly byteLength: number }): SendResult {
    const socket = this.#socket;
    const onSent = (): void => {
      if (this.writableNeedsDrain && socket.bufferedAmount === 0) this.safeDispatchEvent('drain');
    };
    for (const bytes of data) socket.send(bytes, onSent);
    return { sentBytes: data.byteLength, canSendMore: socket.bufferedAmount < MAX_UNSENT };
  }

  sendReset(): void {
    this.#socket.terminate();
  }

  sendClose(): Promise<void> {
    this.#socket.close();
    return Promise.resolve();
  }

  sendPause(): void {
    this.#socket.pause();
  }

  sendResume(): void {
    this.#socket.resume();
  }
}

/** The bytes of a message; `ws` delivers one Buffer unless told otherwise. */
function plainBytes(data: RawData): Uint8Array {
  const { buffer, byteOffset, byteLength } = data as Buffer;
  return new Uint8Array(buffer, byteOffset, byteLength);
}
