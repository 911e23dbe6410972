import { markdownBlocks } from '../harness/markdown-blocks.ts';

/** The commands and the file that a guide has below one heading. */
export interface GuideSteps {
  /** The first block of commands. */
  readonly commands: string;
  /** The first file that is written, as the sentence above it names it. */
  readonly file: { readonly path: string; readonly text: string };
}

/** Returns the steps below a heading of a guide. Throws Error when commands, a file or its name are missing. */
export function guideSteps(markdown: string, heading: string): GuideSteps {
  const blocks = markdownBlocks(markdown).filter((block) => block.heading === heading);
  const commands = blocks.find(({ language }) => language === 'sh');
  const script = blocks.find(({ language }) => ['js', 'ts'].includes(language));
  const section = markdown.split(`\n## ${heading}\n`)[1] ?? '';
  const path = /`([\w./-]+\.m?[jt]s)`/.exec(section)?.[1];
  if (commands === undefined || script === undefined || path === undefined) {
    throw new Error(`the guide has no complete steps below "${heading}"`);
  }
  return { commands: commands.text, file: { path, text: `${script.text}\n` } };
}
