/** The one message from the background process to the command that started it. */
export type StartReport = { readonly started: true } | { readonly failed: string };

/**
 * Environment variable that marks the background process, which has the same arguments as the command that starts
 * it.
 */
const MARK = 'MONERO_NODE_DETACHED';

/** Returns the environment for the background process. */
export function markedEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...environment, [MARK]: '1' };
}

/** Returns whether this is the background process, and removes the mark so that programs it runs do not inherit it. */
export function takeMark(environment: NodeJS.ProcessEnv): boolean {
  const marked = environment[MARK] !== undefined;
  delete environment[MARK];
  return marked;
}

/** Sends the report to the command that waits for the start, if it still runs, and disconnects from it. */
export async function reportStart(report: StartReport): Promise<void> {
  if (!process.connected) return;
  // An error means that the command has ended, which is no reason to stop.
  await new Promise<void>((resolve) => {
    process.send?.(report, undefined, {}, () => resolve());
  });
  if (process.connected) process.disconnect();
}
