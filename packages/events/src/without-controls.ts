/**
 * Returns a text of a stranger as a terminal and a log can take it: each character that starts a line or a command of a terminal, or
 * turns the direction of writing, is replaced by a question mark.
 */
export function withoutControls(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '?');
}
