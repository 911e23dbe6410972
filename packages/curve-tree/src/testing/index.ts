export { contentsOf } from './contents.ts';
export { readRecordedTrees, type RecordedTree } from './fixtures.ts';
