import type { Command } from './command.ts';
import { CHAIN_COMMANDS } from './commands/chain.ts';
import { CONTROL_COMMANDS, MINING_COMMANDS } from './commands/control.ts';
import { PEER_COMMANDS } from './commands/peers.ts';
import { POOL_COMMANDS } from './commands/pool.ts';
import { STATE_COMMANDS } from './commands/state.ts';

/** Commands that belong together. */
export interface CommandTopic {
  readonly name: string;
  readonly title: string;
  readonly commands: readonly Command[];
}

/** Every command but those of the help. */
export const COMMAND_TOPICS: readonly CommandTopic[] = [
  { name: 'state', title: 'State of the node', commands: STATE_COMMANDS },
  { name: 'peers', title: 'Peers, bans and limits', commands: PEER_COMMANDS },
  { name: 'chain', title: 'Blocks and transactions', commands: CHAIN_COMMANDS },
  { name: 'pool', title: 'Transaction pool', commands: POOL_COMMANDS },
  { name: 'mining', title: 'Mining', commands: MINING_COMMANDS },
  { name: 'control', title: 'Control of the node', commands: CONTROL_COMMANDS },
];
