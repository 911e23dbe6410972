import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** One connection on which raw requests are asked and answered one after another. */
export class Talk {
  readonly #socket: Socket;
  #received = '';
  #wake: () => void = () => undefined;
  #closed = false;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => {
      this.#received += text;
      this.#wake();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#closed = true;
      this.#wake();
    });
  }

  /** Takes over a connected socket (TLS, for example). */
  static on(socket: Socket): Talk {
    return new Talk(socket);
  }

  static async open(port: number, host = '127.0.0.1'): Promise<Talk> {
    const socket = connect(port, host);
    await once(socket, 'connect');
    return new Talk(socket);
  }

  /** Sends a request; resolves with head and body of the answer, both empty when the connection is closed instead. */
  async ask(request: string): Promise<{ readonly head: string; readonly body: string }> {
    this.#socket.write(request, 'latin1');
    for (;;) {
      const end = this.#received.indexOf('\r\n\r\n');
      const head = this.#received.slice(0, Math.max(0, end));
      const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
      if (end >= 0 && this.#received.length >= end + 4 + length) {
        const body = this.#received.slice(end + 4, end + 4 + length);
        this.#received = this.#received.slice(end + 4 + length);
        return { head, body };
      }
      if (this.#closed) return { head: '', body: '' };
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  close(): void {
    this.#socket.destroy();
  }
}
