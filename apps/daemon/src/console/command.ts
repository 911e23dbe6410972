import { RpcConnectionError, RpcLoginError, type RpcClient } from '@monero-node/rpc-client';

/** Lets commands use a daemon, this one or another, through its RPC. */
export interface CommandContext {
  readonly daemon: Pick<RpcClient, 'rpc' | 'path'>;
  /** Whether the daemon is another process. */
  readonly remote: boolean;
  /** Facts about the daemon that its RPC does not have; undefined when they are unknown. */
  readonly own?: OwnState | undefined;
  /** Examines the node of this process and its machine. Returns the report; absent where the daemon is another process. */
  readonly examine?: (() => Promise<string>) | undefined;
  /** Has the node of this process take over its config file. Returns what to print; absent where the daemon is another process. */
  readonly reload?: (() => Promise<string>) | undefined;
  /** Returns the current time in Unix seconds. */
  readonly now: () => number;
}

/** Facts about a node that its RPC does not have. */
export interface OwnState {
  /** Blocks added per second while synchronizing; 0 when unknown. */
  readonly blocksPerSecond: number;
  /** A sentence about what is wrong with this machine; undefined while all is well. */
  readonly problem: string | undefined;
  /** A sentence, without its end, about events on NATS; absent while none are published. */
  readonly events?: string | undefined;
  /** How much of what the node has for answers to RPC calls is in use, percent. */
  readonly saturation?: number | undefined;
  /** A sentence, without its end, about the other nodes of the fleet; absent when the node knows of none. */
  readonly fleet?: string | undefined;
  /** A sentence, without its end, about the copy of the chain to a new node; absent while there is none. */
  readonly seed?: string | undefined;
  /** A sentence, without its end, about the curve tree; absent unless it is being built. */
  readonly tree?: string | undefined;
}

/** A command for the console, which can also be passed to `monero-node` on the command line. */
export interface Command {
  readonly name: string;
  /** The parameters in the form that `help` shows. */
  readonly parameters?: string;
  readonly help: string;
  /** Returns the text to print. Throws CommandSyntaxError, CommandError or RpcError. */
  readonly run: (args: readonly string[], context: CommandContext) => Promise<string>;
}

/** The parameters of a command are invalid. */
export class CommandSyntaxError extends Error {
  constructor(message: string) {
    super(`Invalid syntax: ${message}. For more details, use the help command.`);
    this.name = 'CommandSyntaxError';
  }
}

/** A command cannot be carried out, for a reason other than an error of the daemon. */
export class CommandError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CommandError';
  }
}

/** There is no command of that name. */
export class UnknownCommandError extends Error {
  /** @param near the command that was probably meant */
  constructor(name: string, near: string | undefined) {
    const hint = near === undefined ? '' : ` Did you mean ${near}?`;
    super(`Unknown command: ${name}.${hint} Type help for a list of commands.`);
    this.name = 'UnknownCommandError';
  }
}

/** Returns whether an error means that no daemon could be asked. */
export function isUnreachable(error: unknown): error is RpcConnectionError | RpcLoginError {
  return error instanceof RpcConnectionError || error instanceof RpcLoginError;
}

/** Creates a command. `usage` is its name followed by its parameters, separated by spaces. */
export function command(usage: string, help: string, run: Command['run']): Command {
  const [name = '', ...parameters] = usage.split(' ');
  return {
    name,
    help,
    run,
    ...(parameters.length === 0 ? {} : { parameters: parameters.join(' ') }),
  };
}

/** Checks the number of parameters. Throws CommandSyntaxError when there are fewer than `least` or more than `most`. */
export function expectCount(args: readonly string[], least: number, most: number): void {
  if (args.length >= least && args.length <= most) return;
  const wanted = least === most ? 'exactly' : args.length < least ? 'at least' : 'at most';
  const count = args.length < least ? least : most;
  throw new CommandSyntaxError(`${wanted} ${count} parameter${count === 1 ? '' : 's'} expected`);
}

/**
 * Parses a decimal integer without sign, at most 2^53 - 1. Throws CommandSyntaxError, naming the parameter `what`, for
 * any other text.
 */
export function naturalNumber(text: string | undefined, what: string): number {
  const value = Number(text);
  if (text === undefined || !/^\d+$/.test(text) || !Number.isSafeInteger(value)) {
    throw new CommandSyntaxError(`${what} must be a number`);
  }
  return value;
}

/**
 * Returns the hex digits of 32 bytes in lower case. Throws CommandSyntaxError, naming the parameter `what`, for any other
 * text.
 */
export function hashText(text: string | undefined, what: string): string {
  if (text === undefined || !/^[0-9a-f]{64}$/i.test(text)) {
    throw new CommandSyntaxError(`${what} must be 64 hex digits`);
  }
  return text.toLowerCase();
}
