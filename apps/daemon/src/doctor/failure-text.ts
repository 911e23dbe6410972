import { systemCodeOf } from '@monero-node/storage/system';

/** Returns the name of a failure of the system, such as `ECONNREFUSED`, or the message of any other error. */
export function failureText(error: unknown): string {
  return systemCodeOf(error) ?? (error instanceof Error ? error.message : String(error));
}
