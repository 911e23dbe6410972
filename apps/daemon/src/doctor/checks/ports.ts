import { describeSystemError, systemCodeOf } from '@monero-node/storage/system';
import { shownAddress } from '../../banner/listen-lines.ts';
import { reachable } from '../../console/daemon-address.ts';
import { listenFailure } from '../../ending/listen-failure.ts';
import { failure, notChecked, ok, together, warning, type Outcome } from '../finding.ts';
import { optionOf, wantedListeners } from '../listeners.ts';
import type { Check, Patient } from '../patient.ts';

/** Whether a running node listens where it should, or a node that will start can. */
export const PORTS_CHECK: Check = {
  id: 'ports',
  run: async (patient) => {
    const { node, pid, silence } = patient;
    if (node === undefined && (pid !== undefined || silence?.kind === 'refused'))
      return notChecked('the node runs, but has not answered');
    const wanted = wantedListeners(patient.settings);
    if (wanted.length === 0) return ok('the system chooses every port');
    const found = await (node === undefined ? canListen(patient) : listens(patient));
    const addresses = wanted.map(shownAddress).join(', ');
    const good =
      node === undefined ? `nothing uses ${addresses}` : `the node listens on ${addresses}`;
    return found.length === 0 ? ok(good) : together(found);
  },
};

/** Returns what is wrong with the addresses that a node would listen on. */
async function canListen({ settings, system }: Patient): Promise<Outcome[]> {
  const wanted = wantedListeners(settings);
  const errors = await system.listeningErrors(wanted);
  return errors.flatMap((error, i) => {
    const address = wanted[i];
    if (error === undefined || address === undefined) return [];
    const sentence =
      listenFailure(error, settings) ??
      `${shownAddress(address)} (${optionOf(address, settings)}): ${describeSystemError(error, shownAddress(address))}`;
    return [
      address.isOptional
        ? warning(sentence, 'A node with these options starts without this port.')
        : failure(sentence, 'A node with these options does not start before that.'),
    ];
  });
}

/** Returns the addresses at which nothing accepts a connection although the node runs. */
async function listens({ settings, system }: Patient): Promise<Outcome[]> {
  const wanted = wantedListeners(settings);
  const errors = await Promise.all(
    wanted.map(({ host, port }) => system.connectionError({ host: reachable(host), port })),
  );
  return errors.flatMap((error, i) => {
    const address = wanted[i];
    if (error === undefined || address === undefined) return [];
    const reason = systemCodeOf(error) ?? (error as Error).message;
    return [
      warning(
        `nothing answers at ${shownAddress(address)} (${optionOf(address, settings)}: ${reason})`,
        'Give doctor the options and the config file of the node; if they are right, its log says at the start why it does not listen.',
      ),
    ];
  });
}
