import { loadRandomxAddon } from './addon.ts';

/**
 * Returns memory that the process has no use for to the system: free memory of malloc, and pages of the Node program
 * that only its start has needed. It concerns the whole process, so only the program itself should call it, when it has
 * started and from time to time. The work is done on another thread. Resolves at once where the addon or the system has
 * no way to do it.
 */
export async function releaseUnusedMemory(): Promise<void> {
  await loadRandomxAddon()?.releaseUnusedMemory();
}
