import { RpcHttpError, RpcLoginError } from '@monero-node/rpc-client';
import { CommandSyntaxError, UnknownCommandError } from './command.ts';

/** Returns the line that reports a failed command. */
export function errorText(error: unknown): string {
  const { message } = error as Error;
  const isWhole = error instanceof CommandSyntaxError || error instanceof UnknownCommandError;
  return isWhole ? message : `Error: ${reasonOf(error, message)}`;
}

/** Returns the reason for a failure in words for the operator; `message` is the error's own. */
export function reasonOf(error: unknown, message: string): string {
  if (error instanceof RpcLoginError) return 'the daemon requires a login (--rpc-login)';
  if (!(error instanceof RpcHttpError)) return message;
  return error.status === 404
    ? 'not available from this daemon'
    : `the daemon answered HTTP status ${error.status}`;
}
