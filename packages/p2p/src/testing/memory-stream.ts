import type { NetAddress } from '../net/address.ts';
import type { StreamHandlers, TransportStream } from '../transport/transport.ts';

export const REMOTE: NetAddress = { kind: 'ipv4', host: '8.8.4.4', port: 1234 };

/** A stream whose other end is the test. */
export class MemoryStream implements TransportStream {
  readonly remote: NetAddress;
  readonly written: Uint8Array[] = [];
  handlers: StreamHandlers | undefined;
  /** What `write` answers. */
  accepting = true;
  paused = false;
  destroyed = false;

  constructor(remote: NetAddress = REMOTE) {
    this.remote = remote;
  }

  open(handlers: StreamHandlers): void {
    this.handlers = handlers;
  }

  /** Bytes arrive. */
  receive(...chunks: Uint8Array[]): void {
    for (const chunk of chunks) this.handlers?.onData(chunk);
  }

  write(bytes: Uint8Array): boolean {
    this.written.push(bytes);
    return this.accepting;
  }

  /** Everything written so far, which is then forgotten. */
  take(): Uint8Array {
    return Uint8Array.from(this.written.splice(0).flatMap((part) => [...part]));
  }

  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
  }

  end(): void {
    this.destroy();
  }

  destroy(): void {
    this.destroyed = true;
  }
}
