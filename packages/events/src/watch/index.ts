export { watchStream, type WatchStreamOptions } from './watch-stream.ts';
export type {
  StreamBlockApplied,
  StreamBlockReverted,
  StreamEvent,
  StreamPosition,
} from './watched-chain.ts';
