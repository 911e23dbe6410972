// Links of the repository's Markdown as the documentation site needs them.
import { statSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { readJson } from '../publish/packages.mjs';
import { ROOT } from '../markdown.mjs';

/** A fenced block, a code span, a link in brackets, or the target of a reference. */
const PARTS =
  /^( *)(```|~~~)[\s\S]*?^\1\2 *$|`[^`\n]*`|(\]\(\s*<?)([^)\s>]+)|^(\[[^\]]+\]:\s+)(\S+)/gm;
const ABSOLUTE = /^[a-z][a-z0-9+.-]*:/i;

/** Returns the address of the repository, from its package.json. */
export function repositoryUrl() {
  const { repository } = readJson(join(ROOT, 'package.json'));
  return repository.url.replace(/^git\+|\.git$/g, '');
}

/** Returns the address of a file or folder on the host of the repository. */
function hosted(path) {
  const kind = statSync(join(ROOT, path)).isDirectory() ? 'tree' : 'blob';
  return `${repositoryUrl()}/${kind}/main/${path}`;
}

/**
 * Returns the text of a file with links between pages leading to the pages, and all other relative links to the repository.
 * Code stays unchanged.
 *
 * `file`: path of the file from the root. `paths`: for each file that is a page or image, its path on the site, with extension.
 */
export function siteLinks(text, file, paths) {
  const from = dirname(paths.get(file));
  const rewrite = (target) => {
    if (ABSOLUTE.test(target) || target.startsWith('#')) return target;
    const [path, anchor] = target.split('#');
    const place = normalize(join(dirname(file), decodeURI(path))).replace(/\/$/, '');
    const page = paths.get(place) ?? paths.get(`${place}/README.md`);
    const suffix = anchor === undefined ? '' : `#${anchor}`;
    if (page === undefined) return hosted(place) + suffix;
    const way = relative(from, page);
    return (way.startsWith('.') ? way : `./${way}`) + suffix;
  };
  return text.replace(PARTS, (whole, indent, fence, bracket, link, label, reference) => {
    if (link !== undefined) return bracket + rewrite(link);
    return reference === undefined ? whole : label + rewrite(reference);
  });
}
