// The documentation site: `npm run docs` (tools/docs.mjs) makes what this reads, and builds it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitepress';
import { CACHE, NAVIGATION, SITE, SOURCE } from '../../tools/docs/folders.mjs';
import { repositoryUrl } from '../../tools/docs/links.mjs';
import { ROOT, slugOf } from '../../tools/markdown.mjs';

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

/** In the document, so that no path is needed. */
const ICON =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'><circle cx='16' cy='16' r='16' fill='%23f26822'/>" +
  "<path d='M7 22V9l9 9 9-9v13' fill='none' stroke='%23fff' stroke-width='3.5'/></svg>";

export default defineConfig({
  title: 'monero-node',
  description: 'A Monero full node in TypeScript',
  lang: 'en',
  head: [['link', { rel: 'icon', href: ICON }]],
  // Pages are small and near; a phone need not load those that nobody opens.
  router: { prefetchLinks: false },
  srcDir: SOURCE,
  // The twins of the pages are served as they are.
  srcExclude: ['public/**'],
  outDir: SITE,
  cacheDir: CACHE,
  markdown: {
    // As on a host of repositories, so that links with anchors work there and here.
    anchor: { slugify: slugOf },
    config: (markdown) => markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false }),
    // Colors that are readable on the grey of code blocks.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    languageAlias: { i2pd: 'ini', torrc: 'ini', nft: 'ini', haproxy: 'ini' },
  },
  // The index of the search, which is loaded when it is opened, is larger than Vite likes.
  vite: { build: { chunkSizeWarningLimit: 4000 } },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Guides', link: '/guides/run-a-node', activeMatch: '^/guides/' },
      { text: 'Operating', link: '/operating/manual', activeMatch: '^/operating/' },
      { text: 'RPC', link: '/reference/rpc' },
      { text: 'Packages', link: '/packages/', activeMatch: '^/packages/' },
      { text: version, link: '/changelog' },
    ],
    sidebar: JSON.parse(readFileSync(NAVIGATION, 'utf8')),
    socialLinks: [{ icon: 'github', link: repositoryUrl() }],
  },
});
