// The machine on which figures were measured.
import { availableParallelism, cpus } from 'node:os';

/** Returns the processor, its threads and the version of Node, for tables and reports. */
export function machineText() {
  return `${cpus()[0]?.model ?? 'unknown CPU'}, ${availableParallelism()} threads, Node ${process.version}`;
}
