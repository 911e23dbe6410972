import { isLoopback } from '@monero-node/p2p/hosts';
import { formatDuration } from '../../runtime/sync-progress.ts';
import { note, notChecked, ok, warning } from '../finding.ts';
import type { Check, Patient } from '../patient.ts';

/** Seconds without a peer from outside after which one could have come. */
const PATIENCE = 6 * 3600;

/** Returns the option because of which nobody is meant to connect; undefined when anybody is. */
function closedBy({ node, settings }: Patient): string | undefined {
  const { bindIp, hideMyPort, inPeers, offline, proxy } = settings.p2p;
  if (offline || node?.isOffline === true) return '--offline';
  if (settings.network.name === 'regtest') return '--regtest';
  if (proxy !== undefined) return '--proxy';
  if (hideMyPort) return '--hide-my-port';
  if (isLoopback(bindIp)) return `--p2p-bind-ip ${bindIp}`;
  return inPeers === 0 ? '--in-peers 0' : undefined;
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
    const { incoming, startTime } = node.own;
    if (incoming > 0) return ok(`${incoming} peers have come in`);
    const up = system.now() - startTime;
    const port = settings.p2p.externalPort || settings.p2p.bindPort;
    const advice = `Open TCP port ${port} in the firewall, and have the router forward it to this machine; or say that it is closed, with --hide-my-port.`;
    const seen = `nobody is connected from outside, ${formatDuration(up)} after the start`;
    return up < PATIENCE ? note(`${seen}, which means nothing yet`, advice) : warning(seen, advice);
  },
};
