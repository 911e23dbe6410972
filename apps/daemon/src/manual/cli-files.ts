import { bashCompletion } from './bash-completion.ts';
import { chainBash, chainFish, chainZsh } from './chain-completions.ts';
import { chainManPage } from './chain-man-page.ts';
import { fishCompletion } from './fish-completion.ts';
import { manPage } from './man-page.ts';
import { optionDocument } from './option-document.ts';
import { zshCompletion } from './zsh-completion.ts';

/** Returns the files that are made from the table of options: path from the root of the repository and content. */
export function cliFiles(): ReadonlyMap<string, string> {
  return new Map([
    ['deploy/man/monero-node.1', manPage()],
    ['deploy/man/monero-node-chain.1', chainManPage()],
    ['deploy/completions/monero-node-chain.bash', chainBash()],
    ['deploy/completions/_monero-node-chain', chainZsh()],
    ['deploy/completions/monero-node-chain.fish', chainFish()],
    ['docs/reference/options.md', optionDocument()],
    ['deploy/completions/monero-node.bash', bashCompletion()],
    ['deploy/completions/_monero-node', zshCompletion()],
    ['deploy/completions/monero-node.fish', fishCompletion()],
  ]);
}
