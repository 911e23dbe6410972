/**
 * What is wrong: `unknown-option` for a name that there is not, `missing-option` for one that was left out, `bad-option` for a value
 * that is not one of the choices, or that is no object where one is expected.
 */
export type OptionErrorCode = 'unknown-option' | 'missing-option' | 'bad-option';

/** Thrown for options that a function does not take, before it does anything. The message names what it takes. */
export class OptionError extends TypeError {
  override readonly name = 'OptionError';
  readonly code: OptionErrorCode;
  /** The option, with those that it is in: `at.account`. Empty where the options themselves are not an object. */
  readonly option: string;
  /** The names or the values that are taken; empty where any value is. */
  readonly choices: readonly unknown[];

  constructor(
    code: OptionErrorCode,
    message: string,
    { option, choices = [] }: { readonly option: string; readonly choices?: readonly unknown[] },
  ) {
    super(message);
    this.code = code;
    this.option = option;
    this.choices = choices;
  }
}
