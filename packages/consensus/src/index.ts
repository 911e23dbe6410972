export * from './constants.ts';
export * from './errors.ts';
export * from './error-table.ts';
export * from './network/types.ts';
export * from './pending.ts';
