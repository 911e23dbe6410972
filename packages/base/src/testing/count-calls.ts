import { Session } from 'node:inspector/promises';

/** Where V8 looks for the functions. */
const NAME = 'countedFunctions';

type Counted = ((...args: never[]) => unknown) | (new (...args: never[]) => object);

/**
 * Returns how often each of the functions was called on this thread while `action` ran. V8 counts, so no module has to be replaced.
 * Of a class, calls of the constructor count. Functions of the same name in the same file count as one; a generator counts again
 * whenever it goes on.
 *
 * Throws what `action` throws.
 */
export async function countCalls(
  functions: readonly Counted[],
  action: () => unknown,
): Promise<number[]> {
  const session = new Session();
  session.connect();
  try {
    const wanted = await Promise.all(functions.map((each) => locate(session, each)));
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    await action();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const calls = new Map<string, number>();
    for (const { scriptId, functions: called } of result) {
      for (const { functionName, ranges } of called) {
        const name = nameOf(scriptId, functionName);
        calls.set(name, (calls.get(name) ?? 0) + (ranges[0]?.count ?? 0));
      }
    }
    return wanted.map((name) => calls.get(name) ?? 0);
  } finally {
    await session.post('Profiler.disable');
    session.disconnect();
  }
}

const nameOf = (scriptId: string, functionName: string): string => `${scriptId} ${functionName}`;

/** Returns the name of a function, after V8's number of the script that it is in. */
async function locate(session: Session, counted: Counted): Promise<string> {
  Object.assign(globalThis, { [NAME]: counted });
  const evaluated = session.post('Runtime.evaluate', { expression: `globalThis.${NAME}` });
  Reflect.deleteProperty(globalThis, NAME);
  const objectId = (await evaluated).result.objectId ?? '';
  const { internalProperties } = await session.post('Runtime.getProperties', { objectId });
  const place = internalProperties?.find(({ name }) => name === '[[FunctionLocation]]')?.value;
  const { scriptId } = place?.value as { scriptId: string };
  return nameOf(scriptId, counted.name);
}
