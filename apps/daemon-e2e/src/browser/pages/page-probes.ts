/** Resolves with the time, Unix milliseconds, when the page shows that height. Runs in the page. */
export function heightShown(text: string): Promise<number> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (document.querySelector('h1 .figure')?.textContent === text) resolve(Date.now());
    };
    new MutationObserver(look).observe(document.body, {
      childList: true,
      subtree: true,
      characterData: true,
    });
    look();
  });
}

/** Returns the bytes of the document and its files as they were sent. Runs in the page. */
export function bytesSent(): number {
  return [
    ...performance.getEntriesByType('navigation'),
    ...performance.getEntriesByType('resource'),
  ]
    .map((entry) => entry as PerformanceResourceTiming)
    .filter(({ initiatorType }) => initiatorType !== 'other')
    .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
}

/** Returns the width of the content and that of the window. Runs in the page. */
export function widths(): readonly [content: number, window: number] {
  return [document.documentElement.scrollWidth, document.documentElement.clientWidth];
}

/**
 * Tries to start mining and to read the events from a page of another origin, and returns what became of it. Runs in the
 * page.
 */
export async function attack([base, address]: readonly [string, string]): Promise<string[]> {
  const call = (options: RequestInit): Promise<string> =>
    fetch(`${base}start_mining`, {
      method: 'POST',
      ...options,
      body: JSON.stringify({ miner_address: address, threads_count: 1 }),
    }).then(({ type, status }) => `${type} ${status}`, String);
  const events = new Promise<string>((resolve) => {
    const source = new EventSource(`${base}page/events`);
    source.addEventListener('state', () => resolve('read'));
    source.addEventListener('error', () => resolve('refused'));
  });
  const mark = { 'X-Requested-With': 'monero-node' };
  return [await call({ headers: mark }), await call({ mode: 'no-cors' }), await events];
}
