export {
  createScanWorker,
  type ScanCallOptions,
  ScanWorker,
  ScanWorkerError,
  type ScanWorkerErrorCode,
  type ScanWorkerOptions,
} from './scan-worker.ts';
export { indexedDbStore, type TableStore } from './stores.ts';
