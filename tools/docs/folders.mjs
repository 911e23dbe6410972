// Where the documentation site is made. git ignores everything here.
import { join } from 'node:path';
import { ROOT } from '../markdown.mjs';

const MADE = join(ROOT, '.docs');
/** The Markdown that VitePress reads: copies of the repository's files, and the API. */
export const SOURCE = join(MADE, 'source');
/** The sidebar, for the configuration of VitePress. */
export const NAVIGATION = join(MADE, 'navigation.json');
/** The finished site. */
export const SITE = join(MADE, 'site');
/** What VitePress keeps between builds. */
export const CACHE = join(MADE, 'cache');
