/** A fenced block of a Markdown document. */
export interface MarkdownBlock {
  /** The word after the fence; empty without one. */
  readonly language: string;
  /** The nearest heading above, without its signs. */
  readonly heading: string;
  readonly text: string;
}

/** Returns the fenced blocks of a Markdown document, in order. Throws Error when the last one has no end. */
export function markdownBlocks(markdown: string): MarkdownBlock[] {
  const blocks: MarkdownBlock[] = [];
  let heading = '';
  let open: { language: string; lines: string[] } | undefined;
  for (const line of markdown.split('\n')) {
    const fence = /^```(\S*)/.exec(line);
    if (open === undefined) {
      if (fence) open = { language: fence[1] ?? '', lines: [] };
      else heading = /^#+ (.*)$/.exec(line)?.[1] ?? heading;
    } else if (fence) {
      blocks.push({ language: open.language, heading, text: open.lines.join('\n') });
      open = undefined;
    } else open.lines.push(line);
  }
  if (open !== undefined) throw new Error(`a block below ${heading} has no end`);
  return blocks;
}
