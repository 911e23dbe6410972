import type { HandlerOf } from '../method.ts';
import { RpcStatus } from '../errors.ts';

const MAX_LEVEL = 4;

export const setLogLevel: HandlerOf<'setLogLevel'> = ({ level }, { node }) => {
  if (level < 0 || level > MAX_LEVEL) throw new RpcStatus('Error: log level not valid');
  node.log?.set(String(level));
  return {};
};

/** An empty text turns everything off, as in monerod; an absent one sets the defaults, as documented. */
export const setLogCategories: HandlerOf<'setLogCategories'> = ({ categories }, { node }) => {
  node.log?.set(categories);
  return { categories: node.log?.categories ?? '' };
};
