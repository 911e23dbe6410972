import { RpcError } from '@monero-node/rpc-client';
import { reachSentence } from '../../runtime/reach-sentence.ts';
import { isUnreachable, type CommandContext } from '../command.ts';

/**
 * Returns a sentence for `status` about who comes in from outside; undefined when nobody is to, or the daemon does not say, as restricted
 * ones do not. Throws RpcError when no daemon can be asked.
 */
export async function reachState({ daemon, now }: CommandContext): Promise<string | undefined> {
  try {
    const answer = await daemon.rpc('get_reachability');
    const { addresses, closed_by: closedBy, mapping, networks, port } = answer;
    if (closedBy !== '') return undefined;
    const open = networks.find(({ network }) => network === 'public');
    const last = Number(open?.last ?? 0);
    const facts = {
      port,
      connected: Number(open?.connected ?? 0),
      last: last === 0 ? undefined : last,
      addresses: addresses.map(({ address }) => address),
      mapping: mapping?.state,
    };
    return `Incoming: ${reachSentence(facts, now())}`;
  } catch (error) {
    if (isUnreachable(error) || !(error instanceof RpcError)) throw error;
    return undefined;
  }
}
