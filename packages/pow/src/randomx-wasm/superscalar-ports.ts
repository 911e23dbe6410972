import { type MacroOp, P0, P1, P5, type Ports } from './superscalar-instructions.ts';

/** The ports in the order in which they are tried, so that the port for multiplications stays free longest. */
const PORTS: readonly Ports[] = [P5, P0, P1];

/** Records the execution ports of the reference CPU in use in each cycle (specification, 6.3.3). */
export class PortSchedule {
  /** Sets of ports in use, by cycle. */
  readonly #busy: Uint8Array;

  /** @param cycles number of cycles in which macro-ops can be scheduled */
  constructor(cycles: number) {
    this.#busy = new Uint8Array(cycles);
  }

  /**
   * Returns the first cycle from `cycle` on in which the macro-op can run, or undefined. `dependsOn` is the cycle in
   * which the previous macro-op has finished.
   */
  find(macroOp: MacroOp, cycle: number, dependsOn: number): number | undefined {
    let at = macroOp.isDependent === true ? Math.max(cycle, dependsOn) : cycle;
    if (macroOp.ports.length === 0) return at;
    for (; at < this.#busy.length; at++) {
      if (macroOp.ports.every((ports) => this.#freePort(ports, at) !== undefined)) return at;
    }
    return undefined;
  }

  /** Like `find`, but also takes the ports. */
  take(macroOp: MacroOp, cycle: number, dependsOn: number): number | undefined {
    const at = this.find(macroOp, cycle, dependsOn);
    if (at === undefined) return undefined;
    for (const ports of macroOp.ports) {
      const port = this.#freePort(ports, at);
      if (port !== undefined) this.#busy[at] = (this.#busy[at] as number) | port;
    }
    return at;
  }

  #freePort(ports: Ports, cycle: number): Ports | undefined {
    const busy = this.#busy[cycle] as number;
    return PORTS.find((port) => (ports & port) !== 0 && (busy & port) === 0);
  }
}
