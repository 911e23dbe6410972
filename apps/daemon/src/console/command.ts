import { RpcConnectionError, RpcLoginError, type RpcClient } from '@monero-node/rpc-client';

/** What a command may use: the daemon, this one or another, through its RPC. */
export interface CommandContext {
  readonly daemon: Pick<RpcClient, 'rpc' | 'path'>;
  /** The daemon is another process. */
  readonly remote: boolean;
  /** Unix seconds. */
  readonly now: () => number;
}

/** Something that can be typed into the console, or given to `monero-node` as words. */
export interface Command {
  readonly name: string;
  /** Parameters as the help shows them. */
  readonly parameters?: string;
  readonly help: string;
  /** Returns the text to print. Throws CommandSyntaxError, CommandError or RpcError. */
  readonly run: (args: readonly string[], context: CommandContext) => Promise<string>;
}

/** A command was given words that it does not understand. */
export class CommandSyntaxError extends Error {
  constructor(message: string) {
    super(`Invalid syntax: ${message}. For more details, use the help command.`);
    this.name = 'CommandSyntaxError';
  }
}

/** A command that cannot be carried out, for a reason that the daemon does not give. */
export class CommandError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CommandError';
  }
}

/** Returns whether an error means that no daemon could be asked. */
export function isUnreachable(error: unknown): error is RpcConnectionError | RpcLoginError {
  return error instanceof RpcConnectionError || error instanceof RpcLoginError;
}

/** A command and what it does. */
export function command(usage: string, help: string, run: Command['run']): Command {
  const [name = '', ...parameters] = usage.split(' ');
  return {
    name,
    help,
    run,
    ...(parameters.length === 0 ? {} : { parameters: parameters.join(' ') }),
  };
}

/** @throws CommandSyntaxError */
export function expectCount(args: readonly string[], least: number, most: number): void {
  if (args.length >= least && args.length <= most) return;
  const wanted = least === most ? 'exactly' : args.length < least ? 'at least' : 'at most';
  const count = args.length < least ? least : most;
  throw new CommandSyntaxError(`${wanted} ${count} parameter${count === 1 ? '' : 's'} expected`);
}

/** A number without sign. @throws CommandSyntaxError */
export function naturalNumber(text: string | undefined, what: string): number {
  const value = Number(text);
  if (text === undefined || !/^\d+$/.test(text) || !Number.isSafeInteger(value)) {
    throw new CommandSyntaxError(`${what} must be a number`);
  }
  return value;
}

/** 32 bytes in hex. @throws CommandSyntaxError */
export function hashText(text: string | undefined, what: string): string {
  if (text === undefined || !/^[0-9a-f]{64}$/i.test(text)) {
    throw new CommandSyntaxError(`${what} must be 64 hex digits`);
  }
  return text.toLowerCase();
}
