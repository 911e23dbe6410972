import { PageUnreadableError, readPage } from '@monero-node/dashboard';
import { createNodePage, type NodePage } from './node-page.ts';
import type { PageSources } from './page-sources.ts';

/**
 * Returns the page of a node. A page that cannot be read is reported and left out, because a node is of use without it; the
 * result is undefined then.
 */
export function openNodePage(sources: PageSources): NodePage | undefined {
  try {
    return createNodePage(readPage(), sources);
  } catch (error) {
    if (!(error instanceof PageUnreadableError)) throw error;
    sources.logger.warn(`no web page at /: ${error.message}`);
    return undefined;
  }
}
