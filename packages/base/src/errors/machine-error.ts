/**
 * The base of errors that are the fault of this machine or of its software: a full disk, a lack of memory, an engine
 * that fails, a worker that crashes. They say nothing about the data at hand, so nobody is to blame for it.
 */
export class MachineError extends Error {}
