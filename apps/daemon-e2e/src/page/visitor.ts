import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { CHROMIUM_FLAGS, findChromium } from '../harness/chromium.ts';

export const WIDTHS = { phone: 375, desktop: 1280 } as const;
export const THEMES = ['light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** A page opened in Chromium, with what went wrong in it. */
export interface Visit {
  readonly page: Page;
  /** Messages of the console that are warnings or errors, errors of scripts, requests that failed or went elsewhere. */
  readonly troubles: readonly string[];
}

export interface VisitOptions {
  readonly width?: keyof typeof WIDTHS;
  readonly theme?: Theme;
  readonly login?: { readonly username: string; readonly password: string };
  /** Selector of an element that shows that the page is complete; by default the height on the page of a node. */
  readonly ready?: string;
}

/** Starts Chromium. Throws Error when it is not installed. */
export function startChromium(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('Chromium is not installed');
  return chromium.launch({ executablePath, args: [...CHROMIUM_FLAGS] });
}

/** Opens a page in a context of its own. */
export async function visit(
  browser: Browser,
  url: string,
  { width = 'desktop', theme = 'light', login, ready = 'h1 .figure' }: VisitOptions = {},
): Promise<Visit> {
  const options: BrowserContextOptions = {
    viewport: { width: WIDTHS[width], height: width === 'phone' ? 812 : 900 },
    colorScheme: theme,
    ...(login === undefined ? {} : { httpCredentials: login }),
  };
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const troubles: string[] = [];
  page.on('console', (message) => {
    const isLogin = message.text().includes('401');
    if (['error', 'warning'].includes(message.type()) && !isLogin) troubles.push(message.text());
  });
  page.on('pageerror', (error) => troubles.push(error.message));
  const own = new URL(url).origin;
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    // Those two are in the page already.
    if (origin === own || ['blob:', 'data:'].includes(protocol)) return;
    troubles.push(`foreign request: ${request.url()}`);
  });
  await page.goto(url);
  await page.locator(ready).first().waitFor();
  return { page, troubles };
}
