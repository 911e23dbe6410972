// Takes the prose out of a file: comments, texts of several words, paragraphs of Markdown.
import ts from 'typescript';

/** Returns [line, text] for every piece of prose in a file. */
export function proseOf(path, text) {
  if (path.endsWith('.md')) return markdown(text);
  if (/\.[cm]?[jt]s$/.test(path)) return script(path, text);
  if (/\.(cpp|h|c)$/.test(path)) return comments(text, /\/\*[\s\S]*?\*\/|\/\/.*/g);
  return comments(text, /(?<=^|\s)#(?!!).*/gm);
}

const lineAt = (text, offset) => text.slice(0, offset).split('\n').length;

/** One piece for consecutive comments, because sentences continue on the next line. */
function comments(text, pattern) {
  const found = [];
  let end = -1;
  for (const match of text.matchAll(pattern)) {
    const line = lineAt(text, match.index);
    const bare = bareComment(match[0]);
    const last = found.at(-1);
    if (last !== undefined && line === end + 1 && !match[0].startsWith('/*')) last[1] += ` ${bare}`;
    else found.push([line, bare]);
    end = line + match[0].split('\n').length - 1;
  }
  return found;
}

function bareComment(comment) {
  return comment
    .replace(/^(\/\*\*?|\/\/+|#+)|\*\/$/g, '')
    .replace(/\n\s*\* ?/g, '\n')
    .replace(/`[^`]*`/g, '`x`')
    .replace(/\n(?!\n)/g, ' ')
    .trim();
}

function script(path, text) {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true);
  const found = [];
  // Comments precede tokens; every token's leading and trailing trivia is looked at once.
  const seen = new Map();
  const trivia = (ranges) => {
    for (const { pos, end } of ranges ?? []) seen.set(pos, end);
  };
  const visit = (node) => {
    const children = node.getChildren(source);
    if (children.length === 0) {
      trivia(ts.getLeadingCommentRanges(text, node.pos));
      trivia(ts.getTrailingCommentRanges(text, node.end));
    }
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) {
      if (isSentence(node.text)) found.push([lineAt(text, node.getStart(source)), node.text]);
    } else if (ts.isTemplateExpression(node)) {
      const parts = [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)];
      if (isSentence(parts.join(' x '))) {
        found.push([lineAt(text, node.getStart(source)), parts.join('…')]);
      }
    }
    for (const child of children) visit(child);
  };
  visit(source);
  const masked = text.replace(/[^\n]/g, ' ').split('');
  for (const [pos, end] of seen) for (let i = pos; i < end; i += 1) masked[i] = text[i];
  found.push(...comments(masked.join(''), /\/\*[\s\S]*?\*\/|\/\/.*/g));
  return found.sort(([a], [b]) => a - b);
}

/** Whether a text is words for people: three words at least, and not code or a path. */
function isSentence(text) {
  return /[A-Za-z]+[,;:.]? [A-Za-z0-9'"$%-]+[,;:.]? \S/.test(text) && !/[{}<>]{2}|=>/.test(text);
}

function markdown(text) {
  const found = [];
  let paragraph;
  let fenced = false;
  text.split('\n').forEach((line, i) => {
    if (/^\s*```/.test(line)) fenced = !fenced;
    const starts = /^\s*([-*|#>]|\d+\.)/.test(line);
    if (fenced || line.trim() === '' || starts) paragraph = undefined;
    if (fenced || line.trim() === '') return;
    const bare = line.replace(/`[^`]*`/g, '`x`').trim();
    if (paragraph === undefined) found.push((paragraph = [i + 1, bare]));
    else paragraph[1] += ` ${bare}`;
  });
  return found;
}
