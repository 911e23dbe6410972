import { Periodic } from '@monero-node/base';
import { releaseUnusedMemory } from '@monero-node/pow/process-memory';

/** Milliseconds after the start: what runs once has run by then. */
const AFTER_START = 1000;
/** Milliseconds between later times. A synchronization leaves free memory behind as well. */
const INTERVAL = 600_000;

/**
 * Returns memory that is only needed during the start, or while blocks are stored, to the system: once after the start and
 * then every ten minutes. Returns a function that ends it.
 */
export function releaseMemoryRegularly(release = releaseUnusedMemory): () => void {
  // It fails when the system has no thread or memory left: then the next time has to do, and the node goes on.
  const tryRelease = (): Promise<void> => release().catch(() => undefined);
  const first = setTimeout(() => void tryRelease(), AFTER_START).unref();
  const later = new Periodic(INTERVAL, tryRelease);
  later.start();
  return () => {
    clearTimeout(first);
    later.stop();
  };
}
