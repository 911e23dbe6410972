import { spanEnd } from './span.ts';
import type { Span } from './span.ts';

/**
 * Returns one character per span between brackets: `<` overlaps the spans below, `.` scheduled, `m` filled at the
 * chain's height, `o` filled at a greater height. Gaps are `_`.
 * Source: get_overview in src/cryptonote_protocol/block_queue.cpp
 *
 * @param spans ascending by start height
 */
export function spanOverview(spans: readonly Span[], chainHeight: number): string {
  let expected = chainHeight;
  let text = '';
  for (const span of spans) {
    if (expected > span.start) {
      text += '<';
      continue;
    }
    if (expected < span.start)
      text += '_'.repeat(Math.max(1, Math.floor((span.start - expected) / span.ids.length)));
    text += !span.blocks ? '.' : span.start === chainHeight ? 'm' : 'o';
    expected = spanEnd(span);
  }
  return `[${text}]`;
}
