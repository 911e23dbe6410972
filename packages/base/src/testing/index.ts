export { keepBusy } from './keep-busy.ts';
