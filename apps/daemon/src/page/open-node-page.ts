import { PageUnreadableError, readPage } from '@monero-node/dashboard';
import { servesPage, type RpcOptions } from '@monero-node/rpc';
import { createNodePage, type NodePage } from './node-page.ts';
import type { PageSources } from './page-sources.ts';

type PagePorts = Pick<RpcOptions, 'page' | 'restrictedRpc' | 'restrictedBindPort'>;

/**
 * Returns the page of a node; undefined when no port is to serve it. A page that cannot be read is reported and left out,
 * because a node is of use without it.
 */
export function openNodePage(
  { page = 'owner', restrictedRpc, restrictedBindPort }: PagePorts,
  sources: PageSources,
): NodePage | undefined {
  const isServed =
    servesPage(page, restrictedRpc) || (restrictedBindPort !== undefined && servesPage(page, true));
  if (!isServed) return undefined;
  try {
    return createNodePage(readPage(), sources);
  } catch (error) {
    if (!(error instanceof PageUnreadableError)) throw error;
    sources.logger.warn(`no web page at /: ${error.message}`);
    return undefined;
  }
}
