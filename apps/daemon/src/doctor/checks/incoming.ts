import { closedToPeers } from '@monero-node/p2p/settings';
import { REACH_PATIENCE } from '../../notices/reach-notice.ts';
import { openAdvice } from '../../runtime/reach-sentence.ts';
import { formatDuration } from '../../runtime/sync-progress.ts';
import { note, notChecked, ok, warning } from '../finding.ts';
import type { Check, Patient } from '../patient.ts';

/** Returns the option because of which nobody is meant to connect; undefined when anybody is. */
function closedBy({ node, settings }: Patient): string | undefined {
  if (node?.isOffline === true) return '--offline';
  return closedToPeers(settings.p2p, settings.network);
}

/** Whether anybody connects to this node from outside. */
export const INCOMING_CHECK: Check = {
  id: 'incoming',
  run: (patient) => {
    const { node, settings, system } = patient;
    const option = closedBy(patient);
    if (option !== undefined) return notChecked(`with ${option} nobody is to come in`);
    if (node === undefined) return notChecked('only a running node knows who has come in');
    if (node.own === undefined) return notChecked('the RPC of the node is restricted');
    const { incoming, lastIncoming, startTime } = node.own;
    if (incoming > 0) return ok(`${incoming} peers have come in`);
    const now = system.now();
    const up = now - startTime;
    const advice = openAdvice(settings.p2p.externalPort || settings.p2p.bindPort);
    const seen = `nobody is connected from outside, ${formatDuration(up)} after the start`;
    const quiet = now - Math.max(startTime, lastIncoming ?? 0);
    if (lastIncoming === undefined) {
      if (quiet < REACH_PATIENCE) return note(`${seen}, which means nothing yet`, advice);
      return warning(`${seen}, and no earlier one is on record`, advice);
    }
    const last = `${seen}; the last was there ${formatDuration(now - lastIncoming)} ago`;
    return quiet < REACH_PATIENCE ? ok(last) : warning(last, advice);
  },
};
