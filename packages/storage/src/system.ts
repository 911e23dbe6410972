/**
 * What can be learned of a store from outside: its file, the process that has it open, and sentences about disks, and
 * how its folder is made. Nothing here loads lmdb.
 */
export { DATA_FILE } from './lmdb/files/file-names.ts';
export { ownerOf } from './lmdb/files/process-lock.ts';
export { makeFolder } from './make-folder.ts';
export { describeSystemError, systemCodeOf } from './system-error.ts';
