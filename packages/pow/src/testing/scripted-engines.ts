import { PowUnavailableError } from '../errors.ts';
import type { PowHasher, PowRequest } from '../pow-hasher.ts';
import { ConfirmingHasher, type ConfirmingOptions } from '../second-opinion/confirming-hasher.ts';
import type { PowIncident } from '../second-opinion/incident.ts';

export const REQUEST: PowRequest = {
  kind: 'randomx',
  seedHash: new Uint8Array(32),
  blob: new Uint8Array(76),
};
export const RIGHT = new Uint8Array(32).fill(1);
export const WRONG = new Uint8Array(32).fill(2);
export const OTHER = new Uint8Array(32).fill(3);

export const CRASH = new PowUnavailableError('worker-crashed', 'it crashed');
export const NO_MEMORY = new PowUnavailableError('no-memory', '256 MiB are missing');

export type Answer = Uint8Array | Promise<Uint8Array> | Error | 'never';

/** Engines that give these answers, each the last of its own for ever. */
export function setUp(answers: Record<'main' | 'second' | 'third', Answer[]>, options = {}) {
  const journal: string[] = [];
  const incidents: PowIncident[] = [];
  const make = (name: 'main' | 'second' | 'third') => (): PowHasher => {
    const number = journal.filter((line) => line.startsWith(`new ${name}`)).length + 1;
    journal.push(`new ${name} ${number}`);
    return {
      name,
      hash: async () => {
        const [answer] = answers[name].length > 1 ? answers[name].splice(0, 1) : answers[name];
        if (answer instanceof Error) throw answer;
        return answer === 'never' ? new Promise(() => undefined) : (answer as Promise<Uint8Array>);
      },
      close: async () => void journal.push(`close ${name} ${number}`),
    };
  };
  const settings: ConfirmingOptions = {
    threads: 2,
    onIncident: (incident) => incidents.push(incident),
    answerMilliseconds: 50,
    now: () => 0,
    ...options,
  };
  const engines = { main: make('main'), second: make('second'), third: make('third') };
  return { hasher: new ConfirmingHasher(engines, settings), journal, incidents };
}
