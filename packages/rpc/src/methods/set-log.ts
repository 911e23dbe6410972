import { RpcStatus } from '../errors.ts';
import { defineMethod } from '../method.ts';
import { f, withDefault } from '../wire/fields.ts';

const MAX_LEVEL = 4;
/** Level 0, for a request that says nothing. */
const DEFAULTS = '0';

export const setLogLevel = defineMethod({
  paths: ['/set_log_level'],
  summary: 'Sets how much is logged, from 0 to 4.',
  restricted: 'hidden',
  available: ({ node }) => node.log !== undefined,
  base: 'basic',
  request: { level: f.i8() },
  response: {},
  handler: ({ level }, { node }) => {
    if (level < 0 || level > MAX_LEVEL) throw new RpcStatus('Error: log level not valid');
    node.log?.set(String(level));
    return {};
  },
});

/** An empty text turns everything off, as in monerod; an absent one sets the defaults, as documented. */
export const setLogCategories = defineMethod({
  paths: ['/set_log_categories'],
  summary: 'Sets, adds (+) or removes (-) log categories, and answers those in force.',
  restricted: 'hidden',
  available: ({ node }) => node.log !== undefined,
  base: 'basic',
  request: { categories: withDefault(f.text(), DEFAULTS) },
  response: { categories: f.text() },
  handler: ({ categories }, { node }) => {
    node.log?.set(categories);
    return { categories: node.log?.categories ?? '' };
  },
});
