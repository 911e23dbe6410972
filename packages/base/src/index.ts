export { ByteBudget, type ByteBudgetOptions } from './budget/byte-budget.ts';
export { TokenBucket } from './budget/token-bucket.ts';
export { BoundedMap } from './collections/bounded-map.ts';
export { Seats, type Seated, type SeatLimits } from './collections/seats.ts';
export { MachineError } from './errors/machine-error.ts';
export {
  guardEmitter,
  guardServer,
  type ErrorEmitter,
  type SocketServer,
} from './events/guard-emitter.ts';
export type { Logger } from './log/logger.ts';
export { silentLogger } from './log/silent-logger.ts';
export { stderrLogger } from './log/stderr-logger.ts';
export { poisson, randomBelow } from './random/distributions.ts';
export { secureRandom, seededRandom, type RandomSource } from './random/source.ts';
export { FairScheduler } from './scheduling/fair-scheduler.ts';
export { Mutex } from './scheduling/mutex.ts';
export { Periodic } from './scheduling/periodic.ts';
export { Semaphore } from './scheduling/semaphore.ts';
export { inSlices, runAtOnce } from './scheduling/in-slices.ts';
export { SharedSlice, type SpentTime } from './scheduling/shared-slice.ts';
export { Yielder, type YielderOptions } from './scheduling/yielder.ts';
export { groupedDigits } from './text/grouped-digits.ts';
export {
  monotonicMilliseconds,
  systemMilliseconds,
  systemSeconds,
  type MillisecondClock,
  type SecondClock,
} from './time/clock.ts';
export type { PoolWorker } from './workers/pool-worker.ts';
export { adaptWebWorker, type WebWorker } from './workers/web-worker.ts';
export { WorkerPool, type WorkerMessage, type WorkerPoolFailure } from './workers/worker-pool.ts';
