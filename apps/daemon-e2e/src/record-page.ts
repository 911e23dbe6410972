// Records the pictures of docs/operating/page.md and the README: `node apps/daemon-e2e/dist/record-page.js [FOLDER]`, after a build.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PageServer } from './page/page-server.ts';
import { startChromium, visit, type VisitOptions } from './page/visitor.ts';

/** Unix seconds at which the pictures are taken. */
const TIME = 1_790_000_000;
/** Longest part of a phone's page that is shown, pixels. */
const PHONE_HEIGHT = 1500;

const PICTURES: readonly (VisitOptions & { readonly name: string })[] = [
  { name: 'page-light', width: 'desktop', theme: 'light' },
  { name: 'page-dark', width: 'desktop', theme: 'dark' },
  { name: 'page-phone-light', width: 'phone', theme: 'light' },
  { name: 'page-phone-dark', width: 'phone', theme: 'dark' },
];

const folder = process.argv[2] ?? fileURLToPath(new URL('../../../docs/images', import.meta.url));
const browser = await startChromium();
for (const { name, ...options } of PICTURES) {
  const server = new PageServer(TIME);
  const { page } = await visit(browser, await server.listen(), options);
  if (options.width === 'phone') await page.setViewportSize({ width: 375, height: PHONE_HEIGHT });
  else await page.setViewportSize({ width: 1280, height: 1000 });
  await server.pass(12);
  await page.waitForTimeout(1500);
  await page.screenshot({ path: join(folder, `${name}.png`) });
  await page.context().close();
  await server.close();
}
await browser.close();
