import type { Logger } from '@monero-node/base';
import { systemMilliseconds } from '@monero-node/base/clock';
import type { P2pNode, SyncProgress } from '@monero-node/p2p';

/** Least number of milliseconds between two lines. */
const INTERVAL = 2000;

/** Returns a time span, given in seconds, as `3 h 12 min`, `4 min 5 s` or `7 s`. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${whole % 60} s` : `${whole} s`;
}

/** Returns a line with height, blocks per second and, where the target is known, percentage and estimated time left. */
export function formatProgress({ height, target, blocksPerSecond }: SyncProgress): string {
  // Nobody has said yet how high the chain is.
  if (target === 0) return `Synced ${height} (${blocksPerSecond.toFixed(1)} blocks/s)`;
  const percent = Math.min(100, (100 * height) / target);
  // Rounding must not show 100% before the end.
  const shown = height < target ? Math.min(99.9, percent) : 100;
  const left = Math.max(0, target - height);
  const eta =
    left > 0 && blocksPerSecond > 0 ? `, ${formatDuration(left / blocksPerSecond)} left` : '';
  return `Synced ${height}/${target} (${shown.toFixed(1)}%, ${blocksPerSecond.toFixed(1)} blocks/s${eta})`;
}

/** Logs progress at most every two seconds, and always at the end. */
class ProgressLine {
  readonly #logger: Logger;
  #last = 0;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  update(progress: SyncProgress): void {
    const now = systemMilliseconds();
    if (now - this.#last < INTERVAL && progress.height < progress.target) return;
    this.#last = now;
    this.#logger.info(formatProgress(progress));
  }
}

/** Logs the progress of synchronization and its end. */
export function reportProgress({ events }: Pick<P2pNode, 'events'>, logger: Logger): void {
  const line = new ProgressLine(logger);
  events.on('progress', (progress) => line.update(progress));
  events.on('synchronized', () => {
    logger.info('You are now synchronized with the network.');
  });
}
