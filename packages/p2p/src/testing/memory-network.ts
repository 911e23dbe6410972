import { ipAddress } from '../net/parse-address.ts';
import type { NetAddress } from '../net/address.ts';
import type {
  StreamHandlers,
  Transport,
  TransportListener,
  TransportStream,
} from '../transport/transport.ts';

/** Bytes a stream takes before it asks its writer to wait. */
const WINDOW = 64 * 1024;

/** One end of a stream; bytes written to it arrive at the other end one turn later. */
class Pipe implements TransportStream {
  readonly remote: NetAddress;
  other: Pipe | undefined;
  #handlers: StreamHandlers | undefined;
  #incoming: Uint8Array[] = [];
  #incomingBytes = 0;
  #paused = false;
  #full = false;
  #ended = false;
  #closed = false;
  #scheduled = false;

  constructor(remote: NetAddress) {
    this.remote = remote;
  }

  open(handlers: StreamHandlers): void {
    this.#handlers = handlers;
    if (this.#closed) queueMicrotask(() => handlers.onClose());
    else this.#schedule();
  }

  write(bytes: Uint8Array): boolean {
    const other = this.other;
    if (this.#closed || this.#ended || !other) return true;
    other.#incoming.push(bytes.slice());
    other.#incomingBytes += bytes.length;
    other.#schedule();
    this.#full = other.#incomingBytes > WINDOW;
    return !this.#full;
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    this.#schedule();
  }

  end(): void {
    this.#ended = true;
    const { other } = this;
    if (other) other.#schedule();
  }

  destroy(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#incoming = [];
    queueMicrotask(() => this.#handlers?.onClose());
    const other = this.other;
    if (other) setImmediate(() => other.destroy());
  }

  #schedule(): void {
    if (this.#scheduled || !this.#handlers) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#deliver();
    });
  }

  #deliver(): void {
    while (!this.#paused && !this.#closed) {
      const chunk = this.#incoming.shift();
      if (!chunk) break;
      this.#incomingBytes -= chunk.length;
      this.#handlers?.onData(chunk);
    }
    const other = this.other;
    if (!other || this.#closed || this.#incoming.length > 0) return;
    if (other.#full) {
      other.#full = false;
      other.#handlers?.onDrain();
    }
    if (other.#ended) this.destroy();
  }
}

interface Listening {
  onStream: (stream: TransportStream) => void;
}

/** A network in memory, in which the test chooses the addresses. */
export class MemoryNetwork {
  readonly #listening = new Map<string, Listening>();
  #nextPort = 40_000;
  /** Every attempt to connect, as `from>host:port`. */
  readonly dials: string[] = [];

  /** The transport of the machine with that IP. */
  machine(host: string): Transport {
    return {
      connect: (address, options) => this.#connect(host, address, options),
      listen: (at, onStream) => this.#listen(host, at.port || this.#nextPort++, onStream),
    };
  }

  async #listen(
    host: string,
    port: number,
    onStream: (stream: TransportStream) => void,
  ): Promise<TransportListener> {
    const key = `${host}:${port}`;
    if (this.#listening.has(key)) throw new Error(`EADDRINUSE ${key}`);
    this.#listening.set(key, { onStream });
    return {
      port,
      close: async () => void this.#listening.delete(key),
    };
  }

  #connect(
    from: string,
    address: NetAddress,
    options: { timeoutMs: number; signal?: AbortSignal },
  ): Promise<TransportStream> {
    this.dials.push(`${from}>${address.host}:${address.port}`);
    return new Promise((resolve, reject) => {
      const onAbort = (): void => fail('aborted');
      const fail = (reason: string): void => {
        options.signal?.removeEventListener('abort', onAbort);
        reject(new Error(reason));
      };
      options.signal?.addEventListener('abort', onAbort, { once: true });
      if (options.signal?.aborted) return fail('aborted');
      // Addresses in 203.0.113.0/24 never answer, like a firewall.
      if (address.host.startsWith('203.0.113.')) {
        setTimeout(() => fail('timed out'), options.timeoutMs).unref();
        return;
      }
      setImmediate(() => {
        const target = this.#listening.get(`${address.host}:${address.port}`);
        if (!target) return fail('ECONNREFUSED');
        const here = new Pipe(address);
        const there = new Pipe(ipAddress(from, this.#nextPort++) as NetAddress);
        here.other = there;
        there.other = here;
        options.signal?.removeEventListener('abort', onAbort);
        resolve(here);
        target.onStream(there);
      });
    });
  }
}
