export { RANGES, type RangeName, type SeriesName, type Track } from '../../messages/history.ts';
export {
  MOST_BLOCKS,
  MOST_LOG_LINES,
  type BlocksChange,
  type ChangeMessage,
  type PointChange,
  type StateMessage,
} from '../../messages/messages.ts';
export type * from '../../messages/ledger.ts';
export type * from '../../messages/state.ts';
