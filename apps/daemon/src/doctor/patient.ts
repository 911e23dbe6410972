import type { DaemonSettings } from '../cli/daemon-settings.ts';
import type { Outcome } from './finding.ts';
import type { NodeFacts } from './node-facts.ts';
import type { Surroundings } from './surroundings.ts';

/** What is examined: the settings of a node, the node if one runs with them, and the machine. */
export interface Patient {
  readonly settings: DaemonSettings;
  /** What the running node has said of itself; undefined when none has answered. */
  readonly node: NodeFacts | undefined;
  /** Why no node has answered. */
  readonly silence: Silence | undefined;
  /** Id of the process that has the chain open; undefined when there is none, or nobody may know. */
  readonly pid: string | undefined;
  readonly system: Surroundings;
}

/** Why the RPC of the node has not answered. */
export interface Silence {
  /** `away`: nothing answers. `refused`: it wants another login. `odd`: what answers is no node, or a broken one. */
  readonly kind: 'away' | 'refused' | 'odd';
  readonly why: string;
}

/** One question of the examination. */
export interface Check {
  /** For programs; the same in every release. */
  readonly id: string;
  readonly run: (patient: Patient) => Outcome | Promise<Outcome>;
}
