// Reading of the built site's files.
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** A page of the site: what it links to and what can be linked to in it. */
export interface SitePage {
  /** Path from the folder of the site, such as `guides/mine.html`. */
  readonly path: string;
  readonly html: string;
  /** Values of `href` and `src`, without entities. */
  readonly targets: readonly string[];
  readonly ids: ReadonlySet<string>;
}

const unescape = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

/** Returns the values of an attribute in all tags of a page. */
function attribute(html: string, names: string): string[] {
  const pattern = new RegExp(`<[a-z][^>]*?\\s(?:${names})="([^"]*)"`, 'gi');
  return [...html.matchAll(pattern)].map(([, value = '']) => unescape(value));
}

/** Reads all pages of a site. */
export function readSite(folder: string): SitePage[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.html'))
    .sort()
    .map((path) => {
      const html = readFileSync(join(folder, path), 'utf8');
      const targets = attribute(html, 'href|src');
      return { path, html, targets, ids: new Set(attribute(html, 'id')) };
    });
}

/** Returns the path below which the site is served, from its front page. Throws Error when that loads no style. */
export function baseOf(pages: readonly SitePage[]): string {
  const front = pages.find(({ path }) => path === 'index.html');
  const base = /href="([^"]*)assets\/style/.exec(front?.html ?? '')?.[1];
  if (base === undefined) throw new Error('the front page of the site loads no style');
  return base;
}

/**
 * Returns the links that lead nowhere, as `page: target`. `files`: paths of all files of the site. Links to other hosts are
 * not followed.
 */
export function brokenLinks(
  pages: readonly SitePage[],
  files: ReadonlySet<string>,
  base: string,
): string[] {
  const byPath = new Map(pages.map((page) => [page.path, page]));
  const leads = (from: string, target: string): boolean => {
    const [way = '', anchor] = target.split('#');
    let path = from;
    if (way.startsWith('/')) {
      if (!way.startsWith(base)) return false;
      path = way.slice(base.length);
    } else if (way !== '') path = posix.join(posix.dirname(from), way);
    path = decodeURI(path).replace(/(^|\/)$/, '$1index.html');
    const page = byPath.get(path);
    if (page === undefined) return files.has(path);
    return anchor === undefined || anchor === '' || page.ids.has(decodeURIComponent(anchor));
  };
  return pages.flatMap(({ path, targets }) =>
    targets
      .filter((target) => !/^[a-z][a-z0-9+.-]*:/i.test(target) && !leads(path, target))
      .map((target) => `${path}: ${target}`),
  );
}
