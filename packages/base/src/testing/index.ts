export { keepBusy } from './keep-busy.ts';
export { oncePerRun } from './once-per-run.ts';
export { sampled } from './sampled.ts';
