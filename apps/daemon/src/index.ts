export { createNode } from './node.ts';
export type { MoneroNode } from './node.ts';
export { makeSettings } from './cli/settings.ts';
export type { Settings } from './cli/settings.ts';
export { parseArguments } from './cli/parse-arguments.ts';
