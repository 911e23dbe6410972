/**
 * What can be learned of a store from outside: its file, the process that has it open, and sentences about disks. Nothing here loads
 * lmdb or writes anything.
 */
export { DATA_FILE } from './lmdb/files/file-names.ts';
export { ownerOf } from './lmdb/files/process-lock.ts';
export { describeSystemError, systemCodeOf } from './system-error.ts';
