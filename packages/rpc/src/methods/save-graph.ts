import type { HandlerOf } from '../method.ts';

/** Obsolete, without effect; kept because clients may still call it. */
export const saveGraph: HandlerOf<'saveGraph'> = () => ({});
