export { encodeCarrotExtra } from './extra.ts';
export { type CarrotDestination, type CarrotPayment, makeCoinbaseEnote } from './make-enote.ts';
export type { CarrotCoinbaseEnote } from './enote.ts';
