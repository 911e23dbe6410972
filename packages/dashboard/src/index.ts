export {
  EVENTS_PATH,
  PageUnreadableError,
  readPage,
  type BuiltFile,
  type BuiltPage,
} from './files/read-page.ts';
export {
  RANGES,
  SERIES,
  type History,
  type PagePoint,
  type RangeName,
  type SeriesName,
  type Track,
} from './messages/history.ts';
export {
  MOST_BLOCKS,
  MOST_LOG_LINES,
  type BlocksChange,
  type ChangeMessage,
  type PointChange,
  type StateMessage,
} from './messages/messages.ts';
export type { FoundRow, LedgerFacts, RigRow } from './messages/ledger.ts';
export type {
  BlockRow,
  ChainFacts,
  ClientFacts,
  ClientRow,
  DiskFacts,
  FeeFacts,
  HiddenService,
  LogRow,
  MiningFacts,
  NodeDescription,
  PeerFacts,
  PeerRow,
  PoolBand,
  PoolFacts,
  Sections,
  TrafficFacts,
  UpdateFacts,
} from './messages/state.ts';
