import type { Yielder } from '@monero-node/base';
import type { BlakeGenerator } from './blake-generator.ts';
import { isZeroOrPowerOf2 } from './reciprocal.ts';
import {
  KINDS,
  P0,
  P1,
  P5,
  type InstructionKind,
  type MacroOp,
  type OperationName,
  type Ports,
  type SuperscalarInstruction,
  type SuperscalarProgram,
} from './superscalar-instructions.ts';

/** RANDOMX_SUPERSCALAR_LATENCY: the cycles that a program fills. */
const LATENCY = 170;
const MAX_INSTRUCTIONS = 3 * LATENCY + 2;
/** Cycles that an instruction may wait for an operand before it is discarded. */
const LOOK_FORWARD = 4;
/** Instructions discarded in a row before the decode group is abandoned. */
const MAX_THROWN_AWAY = 256;
/** IADD_RS cannot write this register. */
const R5 = 5;

/** Slot sizes, in bytes, of the groups that the CPU decodes together (specification, table 6.3.1). */
const GROUP_484 = [4, 8, 4];
const GROUP_493 = [4, 9, 3];
const GROUP_4444 = [4, 4, 4, 4];
const GROUP_3310 = [3, 3, 10];
const RANDOM_GROUPS = [GROUP_484, [7, 3, 3, 3], [3, 7, 3, 3], GROUP_493];

interface RegisterState {
  /** The cycle from which its value is available. */
  ready: number;
  lastGroup: OperationName | undefined;
  lastOperand: number;
}

/** An instruction whose macro-ops are being scheduled. */
interface Pending {
  readonly kind: InstructionKind;
  readonly mod: number;
  readonly immediate: number;
  /** Distinguishes the operands of one group: the source register, -1 for constants or a random number. */
  operand: number;
  source: number;
  destination: number;
}

function pick<T>(choices: readonly T[], random: number): T {
  return choices[random % choices.length] as T;
}

function choose(
  slot: number,
  isLast: boolean,
  is4444: boolean,
  random: BlakeGenerator,
): InstructionKind {
  const { ISUB_R, IXOR_R, IMULH_R, ISMULH_R, IROR_C, IADD_RS } = KINDS;
  switch (slot) {
    case 3:
      return pick(isLast ? [ISUB_R, IXOR_R, IMULH_R, ISMULH_R] : [ISUB_R, IXOR_R], random.byte());
    case 4:
      if (is4444 && !isLast) return KINDS.IMUL_R;
      return pick([IROR_C, IADD_RS], random.byte());
    case 7:
      return pick([KINDS.IXOR_C7, KINDS.IADD_C7], random.byte());
    case 8:
      return pick([KINDS.IXOR_C8, KINDS.IADD_C8], random.byte());
    case 9:
      return pick([KINDS.IXOR_C9, KINDS.IADD_C9], random.byte());
    default:
      return KINDS.IMUL_RCP;
  }
}

/** Draws the random parts of the instruction except its registers. */
function create(kind: InstructionKind, random: BlakeGenerator): Pending {
  let mod = 0;
  let immediate = 0;
  let operand = -1;
  switch (kind.group) {
    case 'IADD_RS':
      if (kind.name === 'IADD_RS') mod = random.byte();
      break;
    case 'IROR_C':
      do immediate = random.byte() % 64;
      while (immediate === 0);
      break;
    case 'IADD_C7':
    case 'IXOR_C7':
      immediate = random.uint32();
      break;
    case 'IMULH_R':
    case 'ISMULH_R':
      operand = random.uint32();
      break;
    case 'IMUL_RCP':
      do immediate = random.uint32();
      while (isZeroOrPowerOf2(immediate));
      break;
    default:
  }
  return { kind, mod, immediate, operand, source: -1, destination: -1 };
}

/** Generates one program of SuperscalarHash (specification, 6.3). */
class Generator {
  readonly #random: BlakeGenerator;
  readonly #ports = new PortSchedule(LATENCY + 4);
  readonly #registers: readonly RegisterState[];
  readonly #instructions: SuperscalarInstruction[] = [];
  #current: Pending | undefined;
  /** Index of the next macro-op of the current instruction. */
  #macroOp = 0;
  /** Number of groups that were filled. */
  #decoded = 0;
  #cycle = 0;
  #finished = 0;
  #isSaturated = false;
  #multiplications = 0;
  #thrownAway = 0;

  constructor(random: BlakeGenerator) {
    this.#random = random;
    this.#registers = Array.from({ length: 8 }, () => ({
      ready: 0,
      lastGroup: undefined,
      lastOperand: -1,
    }));
  }

  /** Fills one group of instructions; returns whether there is room for another one. */
  step(): boolean {
    if (this.#decoded >= LATENCY || this.#isFull()) return false;
    this.#fillGroup(this.#nextGroup(this.#decoded++));
    this.#cycle++;
    return true;
  }

  get program(): SuperscalarProgram {
    return { instructions: this.#instructions, addressRegister: this.#addressRegister() };
  }

  #isFull(): boolean {
    return this.#isSaturated || this.#instructions.length >= MAX_INSTRUCTIONS;
  }

  #nextGroup(decoded: number): readonly number[] {
    const current = this.#current?.kind.name;
    if (current === 'IMULH_R' || current === 'ISMULH_R') return GROUP_3310;
    if (this.#multiplications < decoded + 1) return GROUP_4444;
    if (current === 'IMUL_RCP') return pick([GROUP_493, GROUP_484], this.#random.byte() % 2);
    return pick(RANDOM_GROUPS, this.#random.byte());
  }

  #fillGroup(group: readonly number[]): void {
    let slot = 0;
    while (slot < group.length) {
      const startCycle = this.#cycle;
      if (this.#current === undefined || this.#macroOp >= this.#current.kind.macroOps.length) {
        if (this.#isFull()) return;
        const isLast = slot + 1 === group.length;
        const kind = choose(group[slot] as number, isLast, group === GROUP_4444, this.#random);
        this.#current = create(kind, this.#random);
        this.#macroOp = 0;
      }
      const outcome = this.#schedule(this.#current);
      if (outcome === 'abandon-group') return;
      if (outcome === 'retry') continue;
      slot++;
      this.#cycle = startCycle;
      if (this.#macroOp >= this.#current.kind.macroOps.length) this.#emit(this.#current);
    }
  }

  /** Schedules the next macro-op of the instruction. */
  #schedule(current: Pending): 'done' | 'retry' | 'abandon-group' {
    const { kind } = current;
    const macroOp = kind.macroOps[this.#macroOp] as MacroOp;
    let cycle = this.#ports.find(macroOp, this.#cycle, this.#finished);
    if (cycle === undefined) return this.#saturate();
    if (this.#macroOp === kind.sourceOp) {
      cycle = this.#wait(cycle, (at) => this.#selectSource(current, at));
      if (cycle === undefined) return this.#throwAway(kind);
    }
    if (this.#macroOp === kind.destinationOp) {
      cycle = this.#wait(cycle, (at) => this.#selectDestination(current, at));
      if (cycle === undefined) return this.#throwAway(kind);
    }
    this.#thrownAway = 0;
    cycle = this.#ports.take(macroOp, cycle, cycle);
    if (cycle === undefined) return this.#saturate();
    this.#finished = cycle + macroOp.latency;
    if (this.#macroOp === kind.resultOp) {
      const register = this.#registers[current.destination] as RegisterState;
      register.ready = this.#finished;
      register.lastGroup = kind.group;
      register.lastOperand = current.operand;
    }
    this.#macroOp++;
    if (cycle >= LATENCY) this.#isSaturated = true;
    return 'done';
  }

  #saturate(): 'abandon-group' {
    this.#isSaturated = true;
    return 'abandon-group';
  }

  /** Returns the cycle in which `select` found an operand, or undefined. */
  #wait(cycle: number, select: (cycle: number) => boolean): number | undefined {
    for (let forward = 0; forward < LOOK_FORWARD; forward++) {
      if (select(cycle + forward)) return cycle + forward;
      this.#cycle++;
    }
    return undefined;
  }

  #throwAway(kind: InstructionKind): 'retry' | 'abandon-group' {
    if (this.#thrownAway < MAX_THROWN_AWAY) {
      this.#thrownAway++;
      this.#macroOp = kind.macroOps.length;
      return 'retry';
    }
    this.#current = undefined;
    return 'abandon-group';
  }

  #readyRegisters(cycle: number): number[] {
    const ready: number[] = [];
    for (const [i, register] of this.#registers.entries()) {
      if (register.ready <= cycle) ready.push(i);
    }
    return ready;
  }

  /** Returns one of the registers, or undefined when there are none; draws a number only if there is a choice. */
  #draw(registers: readonly number[]): number | undefined {
    if (registers.length <= 1) return registers[0];
    return pick(registers, this.#random.uint32());
  }

  #selectSource(current: Pending, cycle: number): boolean {
    const ready = this.#readyRegisters(cycle);
    const { name, group } = current.kind;
    // With r5 and one other register for IADD_RS, r5 must be the source.
    const isForced = name === 'IADD_RS' && ready.length === 2 && ready.includes(R5);
    const source = isForced ? R5 : this.#draw(ready);
    if (source === undefined) return false;
    current.source = source;
    if (group !== 'IMULH_R' && group !== 'ISMULH_R') current.operand = source;
    return true;
  }

  #selectDestination(current: Pending, cycle: number): boolean {
    const destination = this.#draw(
      this.#readyRegisters(cycle).filter((register) => this.#isAllowed(current, register)),
    );
    if (destination === undefined) return false;
    current.destination = destination;
    return true;
  }

  /** Returns whether the instruction may change the register (specification, 6.3.4). */
  #isAllowed(current: Pending, register: number): boolean {
    const { kind, source, operand } = current;
    const { lastGroup, lastOperand } = this.#registers[register] as RegisterState;
    const mayBeSource = kind.group === 'IMULH_R' || kind.group === 'ISMULH_R';
    if (register === source && !mayBeSource) return false;
    const isChained = kind.group === 'IMUL_R' && lastGroup === 'IMUL_R';
    if (isChained && this.#thrownAway === 0) return false;
    if (lastGroup === kind.group && lastOperand === operand) return false;
    return !(kind.name === 'IADD_RS' && register === R5);
  }

  #emit({ kind, source, destination, mod, immediate }: Pending): void {
    this.#instructions.push({
      operation: kind.name,
      destination,
      source: source >= 0 ? source : destination,
      mod,
      immediate,
    });
    if (kind.isMultiplication) this.#multiplications++;
  }

  /** Returns the register at the end of the longest chain of instructions if each takes one cycle. */
  #addressRegister(): number {
    const latencies = Array<number>(8).fill(0);
    for (const { destination, source } of this.#instructions) {
      const longest = Math.max(latencies[destination] as number, latencies[source] as number);
      latencies[destination] = longest + 1;
    }
    return latencies.indexOf(Math.max(...latencies));
  }
}

/** Programs of SuperscalarHash, one for each access to the cache (RANDOMX_CACHE_ACCESSES). */
export const PROGRAMS = 8;

/** Returns the next program. {@link PROGRAMS} in a row are the SuperscalarHash of a cache. */
export function generateSuperscalar(random: BlakeGenerator): SuperscalarProgram {
  const generator = new Generator(random);
  while (generator.step());
  return generator.program;
}

/** Returns the same, and lets the event loop have its turns. */
export async function generateSuperscalarPatiently(
  random: BlakeGenerator,
  yielder: Yielder,
): Promise<SuperscalarProgram> {
  const generator = new Generator(random);
  while (generator.step()) await yielder.yieldIfDue();
  return generator.program;
}

/** The ports in the order in which they are tried, so that the port for multiplications stays free longest. */
const PORTS: readonly Ports[] = [P5, P0, P1];

/** Records the execution ports of the reference CPU in use in each cycle (specification, 6.3.3). */
class PortSchedule {
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
