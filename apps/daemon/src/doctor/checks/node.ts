import { ALONE_PATIENCE } from '../../notices/network-notice.ts';
import { formatDuration } from '../../runtime/sync-progress.ts';
import { failure, note, notChecked, ok, warning, type Outcome } from '../finding.ts';
import type { NodeFacts } from '../node-facts.ts';
import type { Check, Silence } from '../patient.ts';

/** Whether a node runs, of the right network, and answers. */
export const NODE_CHECK: Check = {
  id: 'node',
  run: ({ node, pid, settings, silence }) =>
    node === undefined ? silent(silence, pid) : answering(node, settings.network.nettype),
};

function silent(silence: Silence | undefined, pid: string | undefined): Outcome {
  const { kind, why } = silence ?? { kind: 'away', why: 'nothing has answered' };
  if (kind === 'refused') return warning(why, 'With the login, more can be checked.');
  if (pid !== undefined)
    return failure(
      `process ${pid} has the chain open, but ${why}`,
      'Give doctor the options and the config file of the node, or see in its log why the RPC does not answer. If it is monero-node-chain, wait for its end.',
    );
  if (kind === 'odd')
    return failure(why, 'See which program has the port, and choose another with --rpc-bind-port.');
  return note(
    `no node runs with these options: ${why}`,
    'A running node tells more: start it and ask again, with the same options.',
  );
}

function answering(
  { height, isSynchronized, nettype, target, version }: NodeFacts,
  wanted: string,
): Outcome {
  if (nettype !== wanted)
    return failure(
      `the RPC answers for ${nettype}, the options are for ${wanted}`,
      'Give doctor the options of the node, or choose another port with --rpc-bind-port.',
    );
  const name = version === '' ? 'a node' : `version ${version}`;
  const state = isSynchronized ? 'synchronized' : `of ${target}`;
  return ok(`${name} runs at height ${height}, ${state}`);
}

/** Whether the node has peers. */
export const PEERS_CHECK: Check = {
  id: 'peers',
  run: ({ node, settings, system }) => {
    if (node === undefined) return notChecked('no node has answered');
    if (node.isOffline) return notChecked('the node is offline');
    if (node.own === undefined) return notChecked('the RPC of the node is restricted');
    const { incoming, outgoing, startTime } = node.own;
    if (incoming + outgoing > 0) return ok(`${outgoing} outgoing and ${incoming} incoming`);
    const up = system.now() - startTime;
    if (settings.network.name === 'regtest') return notChecked('a private chain needs none');
    if (1000 * up < ALONE_PATIENCE) return notChecked('the node has only just started');
    return failure(
      `no peers, ${formatDuration(up)} after the start: the node gets no blocks or transactions`,
      'Check the connection to the internet, the firewall and --proxy, or name a peer with --add-peer HOST:PORT.',
    );
  },
};
