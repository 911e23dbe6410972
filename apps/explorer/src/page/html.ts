/** A piece of a page that is safe to send: everything foreign in it is escaped. */
export class Html {
  readonly text: string;

  /** `text`: markup, not data. Use {@link html}. */
  constructor(text: string) {
    this.text = text;
  }
}

/** A value in a template: data, which is escaped, or markup. Nothing is shown for undefined, null and false. */
export type TemplateValue =
  Html | string | number | bigint | undefined | null | false | readonly TemplateValue[];

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
}

function shown(value: TemplateValue): string {
  if (value === undefined || value === null || value === false) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(shown).join('');
  return escaped(String(value));
}

/** Tag of templates: returns markup in which every value is escaped. Values in attributes must be in double quotes. */
export function html(parts: TemplateStringsArray, ...values: readonly TemplateValue[]): Html {
  return new Html(parts.reduce((text, part, i) => text + shown(values[i - 1]) + part));
}
