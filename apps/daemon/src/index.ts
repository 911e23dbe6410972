export { createNode } from './node.ts';
export type { DaemonNode, NodeDependencies } from './node.ts';
export { makeDaemonSettings } from './cli/daemon-settings.ts';
export type { DaemonSettings } from './cli/daemon-settings.ts';
export { UsageError } from './cli/usage-error.ts';
export { parseArguments } from './cli/parse-arguments.ts';
export { optionNamed } from './cli/options/options.ts';
export { MONEROD_OPTIONS, type MonerodOption } from './cli/monerod-options.ts';
