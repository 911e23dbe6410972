import { readFileSync } from 'node:fs';

/** Returns the ids of the child processes of a process, oldest first. Linux only. */
export function childProcesses(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text.split(' ').flatMap((id) => (id.trim() === '' ? [] : [Number(id)]));
}
