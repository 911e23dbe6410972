/** Returns a text as roff: backslashes, hyphens, which a reader may copy, and control characters at its start escaped. */
export function roff(text: string): string {
  return text
    .replace(/`/g, '')
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/, '\\&$1');
}

/** Returns a paragraph with a term. The text is escaped here, the term is roff already. */
export const roffItem = (term: string, text: string): string => `.TP\n${term}\n${roff(text)}`;
