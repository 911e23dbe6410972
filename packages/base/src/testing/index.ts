export { countCalls } from './count-calls.ts';
export { keepBusy } from './keep-busy.ts';
export { oncePerRun } from './once-per-run.ts';
export { readBuffered } from './read-buffered.ts';
export { isWhole, sampled, sampleSize } from './sampled.ts';
export { settle } from './settle.ts';
export { until } from './until.ts';
