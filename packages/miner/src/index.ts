export type { BackgroundOptions } from './background.ts';
export { ExtraMessages, loadExtraMessages } from './extra-messages.ts';
export { thisMachine, type Machine, type ProcessorTimes } from './machine.ts';
export { Miner, type MinerOptions, type MinerStatus } from './miner.ts';
export type { MinerDependencies, MinerStart } from './dependencies.ts';
export {
  BACKGROUND_BOUNDS,
  backgroundSettings,
  DEFAULT_BACKGROUND,
  type BackgroundSettings,
} from './background-settings.ts';
export { copyLedger } from './ledger/copy-ledger.ts';
export {
  effortOf,
  FINDER_KINDS,
  finderName,
  foundSentence,
  LEDGER_FATES,
  type Finder,
  type FinderKind,
  type LedgerBlock,
  type LedgerEntry,
  type LedgerFate,
} from './ledger/ledger-block.ts';
export {
  MiningLedger,
  type LedgerDependencies,
  type LedgerEvents,
} from './ledger/mining-ledger.ts';
