/** What a process in the background tells the command that started it, once. */
export type StartReport = { readonly started: true } | { readonly failed: string };

/** Set for the process in the background, which has the same arguments as the command that starts it. */
const MARK = 'MONERO_NODE_DETACHED';

/** The environment for a process in the background. */
export function markedEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...environment, [MARK]: '1' };
}

/** Whether this is the process in the background. The mark is taken off: programs run by it must not inherit it. */
export function takeMark(environment: NodeJS.ProcessEnv): boolean {
  const marked = environment[MARK] !== undefined;
  delete environment[MARK];
  return marked;
}

/** Tells the command that waits for the start, if it still does, and lets go of it. */
export async function reportStart(report: StartReport): Promise<void> {
  if (!process.connected) return;
  // An error means that nobody waits any more, which is no reason not to run.
  await new Promise<void>((resolve) => {
    process.send?.(report, undefined, {}, () => resolve());
  });
  if (process.connected) process.disconnect();
}
