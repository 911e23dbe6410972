import { count } from './format.ts';
import { html, type Html, type TemplateValue } from './html.ts';

export interface PageParts {
  readonly title: string;
  /** Height of the newest block, -1 when there is none. */
  readonly height: number;
  readonly body: TemplateValue;
  /** Text in the search field. */
  readonly query?: string;
}

/** Returns a whole page. */
export function layout({ title, height, body, query = '' }: PageParts): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · Monero explorer</title>
        <link rel="icon" href="/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/style.css" />
        <script src="/live.js" type="module"></script>
      </head>
      <body>
        <header class="top">
          <a class="brand" href="/"
            ><img src="/icon.svg" alt="" width="28" height="28" />Explorer</a
          >
          <form class="search" action="/search" role="search">
            <input
              name="q"
              type="search"
              maxlength="66"
              required
              autocomplete="off"
              spellcheck="false"
              aria-label="Search"
              placeholder="Height, block, transaction, key image, output key or #index"
              value="${query}"
            />
            <button>Search</button>
          </form>
          <p class="state" id="state" data-state="waiting">
            <span class="dot"></span><span id="tip">${count(Math.max(height, 0))}</span>
          </p>
        </header>
        <main>${body}</main>
        <footer>
          An example of monero-node: PostgreSQL tables on the node's stream of events.
        </footer>
      </body>
    </html>`;
}

/** A row of a list of facts. */
export type Fact = readonly [name: string, value: TemplateValue];

/** Returns a list of facts; those without a value are left out. */
export function facts(rows: readonly (Fact | undefined)[]): Html {
  return html`<dl class="facts">
    ${rows.map(
      (row) =>
        row &&
        html`<div>
          <dt>${row[0]}</dt>
          <dd>${row[1]}</dd>
        </div>`,
    )}
  </dl>`;
}
