import type { HandlerOf } from '../method.ts';
import { RpcStatus } from '../errors.ts';

const MAX_LEVEL = 4;

/** Sets the log level. Throws RpcStatus for a level outside 0 to 4. */
export const setLogLevel: HandlerOf<'setLogLevel'> = ({ level }, { node }) => {
  if (level < 0 || level > MAX_LEVEL) throw new RpcStatus('Error: log level not valid');
  node.log?.set(String(level));
  return {};
};

/**
 * Sets the log categories: empty text turns everything off, as in monerod; an absent field sets the defaults, as
 * documented.
 */
export const setLogCategories: HandlerOf<'setLogCategories'> = ({ categories }, { node }) => {
  node.log?.set(categories);
  return { categories: node.log?.categories ?? '' };
};
