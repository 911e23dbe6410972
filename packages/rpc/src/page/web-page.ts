import type { RequestListener } from 'node:http';
import type { EventChannel } from './event-channel.ts';

/** Which ports serve the page: only the owner's, all of them, or none. The first one is the default. */
export const PAGE_MODES = ['owner', 'all', 'none'] as const;
export type PageMode = (typeof PAGE_MODES)[number];

/** The facts that a page shows: all of them, or only those that the public may know. */
export type PageView = 'owner' | 'public';

/** A file of the page. */
export interface WebPageFile {
  readonly contentType: string;
  readonly body: Uint8Array;
  /** The body, compressed. */
  readonly gzip: Uint8Array;
  /** Whether the path changes with the content, so that browsers may keep the file. */
  readonly isImmutable: boolean;
}

/**
 * Returns a listener that has a GET or HEAD of one of the paths, which have no parameters, answered by `serve`, and all others by `rest`. It
 * only chooses: both answer within the limits of the port.
 */
export type PageRouter = (
  paths: readonly string[],
  serve: RequestListener,
  rest: RequestListener,
) => RequestListener;

/** The web page of a node. */
export interface WebPage {
  /** By path; the page itself is at `/`. */
  readonly files: ReadonlyMap<string, WebPageFile>;
  /** Path of the event stream. */
  readonly eventsPath: string;
  readonly events: Readonly<Record<PageView, EventChannel>>;
  /** Chooses who answers requests for the page; paths are compared as they are when absent. */
  readonly route?: PageRouter | undefined;
}

/** Returns whether a port serves the page. */
export function servesPage(mode: PageMode, restricted: boolean): boolean {
  return mode === 'all' || (mode === 'owner' && !restricted);
}
