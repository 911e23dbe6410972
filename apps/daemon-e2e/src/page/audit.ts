import axe from 'axe-core';
import type { Page } from 'playwright-core';

interface Violation {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string }[];
}

/** Returns the serious and critical findings of axe-core about a page, one line each: of all its rules, or of one. */
export async function seriousFindings(page: Page, rule?: string): Promise<string[]> {
  // Not as a script element, which the page's policy forbids.
  await page.evaluate(axe.source);
  const options = JSON.stringify(rule === undefined ? {} : { runOnly: [rule] });
  const violations = (await page.evaluate(
    `axe.run(${options}).then(({ violations }) => violations)`,
  )) as Violation[];
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, impact, nodes }) => `${impact}: ${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

/** Returns the bytes that a page holds in memory: objects of scripts, of the browser on their behalf, and buffers. */
export async function memoryOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize, ...others } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  const { embedderHeapUsedSize = 0, backingStorageSize = 0 } = others as {
    embedderHeapUsedSize?: number;
    backingStorageSize?: number;
  };
  return usedSize + embedderHeapUsedSize + backingStorageSize;
}
