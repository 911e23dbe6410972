import { gzipSync } from 'node:zlib';
import { EventChannel } from '../page/event-channel.ts';
import type { WebPageFile, WebPage } from '../page/web-page.ts';

function file(contentType: string, text: string, isImmutable: boolean): WebPageFile {
  const body = Buffer.from(text);
  return { contentType, body, gzip: gzipSync(body), isImmutable };
}

/** Returns a page of two files whose state names its view. */
export function madeUpPage(): WebPage {
  return {
    files: new Map([
      ['/', file('text/html; charset=utf-8', '<!doctype html><title>page</title>', false)],
      ['/page/app.js', file('text/javascript; charset=utf-8', 'export {};'.repeat(99), true)],
    ]),
    eventsPath: '/page/events',
    events: {
      owner: new EventChannel({ snapshot: () => '{"view":"owner"}' }),
      public: new EventChannel({ snapshot: () => '{"view":"public"}' }),
    },
  };
}
