import { UsageError } from '../cli/usage-error.ts';
import { EXIT } from '../ending/exit-codes.ts';
import { failureOfStart } from '../ending/failure.ts';
import type { StoreTask } from './store-task.ts';

/**
 * Runs a subcommand that looks after the stored data; returns the exit status. It writes no log file, because that of a running
 * node has one writer.
 *
 * Throws UsageError.
 */
export async function runStoreTask(
  run: ((task: StoreTask) => Promise<number | void>) | undefined,
  input: Pick<StoreTask, 'settings' | 'own' | 'words'>,
): Promise<number> {
  const stop = new AbortController();
  const end = () => stop.abort(new Error('interrupted'));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, end);
  const print = (line: string) => void process.stdout.write(`${line}\n`);
  try {
    const status = await run?.({ ...input, print, signal: stop.signal });
    return status ?? EXIT.ok;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const failure = failureOfStart(error, input.settings.dataDir);
    process.stderr.write(`${stop.signal.aborted ? 'interrupted' : failure.text}\n`);
    return stop.signal.aborted ? EXIT.interrupted : failure.status;
  }
}
