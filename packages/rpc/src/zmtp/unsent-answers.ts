import { ByteBudget } from '@monero-node/base';
import type { ZmtpConnection } from './connection.ts';

/** Bytes of answers that may wait for their readers. */
const MAX_UNSENT_BYTES = 128 * 1024 * 1024;

/** Bounds the answers that clients are reading: over the limit the oldest are abandoned with their connections. */
export class UnsentAnswers {
  readonly #budget = new ByteBudget({ limit: MAX_UNSENT_BYTES });
  /** Oldest first. */
  readonly #connections = new Set<ZmtpConnection>();

  /** Returns the function to call when the answer is sent or the connection is closed. */
  add(connection: ZmtpConnection, chunks: readonly Uint8Array[]): () => void {
    const bytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
    for (const oldest of this.#connections) {
      if (this.#budget.fits(bytes)) break;
      this.#remove(oldest);
      oldest.close();
    }
    this.#connections.add(connection);
    this.#budget.set(connection, bytes);
    return () => {
      this.#remove(connection);
    };
  }

  #remove(connection: ZmtpConnection): void {
    this.#connections.delete(connection);
    this.#budget.set(connection, 0);
  }
}
