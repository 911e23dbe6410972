// Checks of single points, for programs that verify nothing. Apart from ../index.ts, which loads the backends.
export { areAddressKeys } from './one-time-key.ts';
export type { AddressKeys } from './one-time-key.ts';
export { isCurvePoint } from './point.ts';
