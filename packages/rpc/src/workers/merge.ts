import type { MethodUsage } from '../context.ts';

/** Adds the uses of methods in a worker to those of this process. */
export function addUses(
  usage: Map<string, MethodUsage>,
  uses: readonly { readonly name: string; readonly count: number; readonly time: number }[],
): void {
  for (const { name, count, time } of uses) {
    const used = usage.get(name) ?? { count: 0, time: 0 };
    usage.set(name, { count: used.count + count, time: used.time + time });
  }
}
