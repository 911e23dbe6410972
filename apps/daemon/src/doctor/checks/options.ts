import { resolveRpcOptions } from '@monero-node/rpc/options';
import { resolveTls } from '@monero-node/rpc/settings';
import { rpcAddress } from '@monero-node/zmq/options';
import type { DaemonSettings } from '../../cli/daemon-settings.ts';
import { checkLibp2p } from '../../cli/p2p-settings.ts';
import { LogLevels } from '../../log/log-levels.ts';
import { failure, ok, together, warning, type Outcome } from '../finding.ts';
import type { Check } from '../patient.ts';

const REFUSED = 'Correct the options: a node with them does not start. --help OPTION explains one.';

/** Returns the outcome for options that a node refuses to start with. */
export const refusedOptions = (why: string): Outcome => failure(why, REFUSED);

/** Whether options contradict each other, or have no effect. Most are looked at before, when the settings are made. */
export const OPTIONS_CHECK: Check = {
  id: 'options',
  run: async ({ settings }) => {
    const refused = await contradictions(settings);
    const idle = settings.warnings.map((sentence) =>
      warning(sentence, 'Leave out what has no effect, or add what it needs.'),
    );
    const found = [...refused, ...idle];
    const count = settings.shownOptions.length;
    return found.length > 0 ? together(found) : ok(`${count} given, and they agree`);
  },
};

/** Returns what the parts of a node would refuse at its start, by their own rules. */
async function contradictions(settings: DaemonSettings): Promise<Outcome[]> {
  const { logLevel, p2p, rpc, zmq } = settings;
  const rules: (() => unknown)[] = [
    () => resolveRpcOptions(rpc),
    () => resolveTls(rpc.tls),
    () => zmq && rpcAddress(zmq),
    () => new LogLevels(logLevel),
    () => checkLibp2p(p2p.libp2p),
  ];
  const results = await Promise.allSettled(rules.map(async (rule) => rule()));
  return results.flatMap((each) =>
    each.status === 'rejected' ? [refusedOptions(messageOf(each.reason))] : [],
  );
}

/** The levels of the log do not name their option. */
function messageOf(reason: unknown): string {
  const { message } = reason as Error;
  return reason instanceof RangeError ? `--log-level: ${message}` : message;
}
