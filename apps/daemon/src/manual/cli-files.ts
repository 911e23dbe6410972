import { bashCompletion } from './bash-completion.ts';
import { fishCompletion } from './fish-completion.ts';
import { manPage } from './man-page.ts';
import { optionDocument } from './option-document.ts';
import { zshCompletion } from './zsh-completion.ts';

/** Returns the files that are made from the table of options: path from the root of the repository and content. */
export function cliFiles(): ReadonlyMap<string, string> {
  return new Map([
    ['deploy/man/monero-node.1', manPage()],
    ['docs/options.md', optionDocument()],
    ['deploy/completions/monero-node.bash', bashCompletion()],
    ['deploy/completions/_monero-node', zshCompletion()],
    ['deploy/completions/monero-node.fish', fishCompletion()],
  ]);
}
