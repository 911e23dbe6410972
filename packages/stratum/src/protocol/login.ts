/** The parts of the login of a rig. */
export interface Login {
  /** The login without a difficulty. */
  readonly user: string;
  /** What stands before the first dot of it: the address, where the login has one. */
  readonly account: string;
  /** What stands after that dot; empty without one. */
  readonly worker: string;
  /** The difficulty that the rig wants; undefined: it follows its hash rate. */
  readonly difficulty: number | undefined;
}

/** Digits of a number after a dot that is a difficulty; a shorter one numbers the rig, such as `rig.12`. */
const FEWEST_DIGITS = 4;
/** More would not be exact. */
const MOST_DIGITS = 15;

/**
 * Splits a login as pools do: `LOGIN+50000` and `LOGIN.50000` ask for a fixed difficulty, and `LOGIN.NAME` names the rig. After a
 * dot only four or more digits are a difficulty.
 */
export function readLogin(login: string): Login {
  const digits = `\\d{1,${MOST_DIGITS}}`;
  const [, before, plus, dot] =
    new RegExp(`^(.*?)(?:\\+(${digits})|\\.(\\d{${FEWEST_DIGITS},${MOST_DIGITS}}))$`, 's').exec(
      login,
    ) ?? [];
  const user = before ?? login;
  const given = Number(plus ?? dot ?? 0);
  const at = user.indexOf('.');
  return {
    user,
    account: at === -1 ? user : user.slice(0, at),
    worker: at === -1 ? '' : user.slice(at + 1),
    difficulty: given > 0 ? given : undefined,
  };
}

const MAX_NAME = 48;

/**
 * Returns a name of a rig as the log shows it: its first 48 characters, with anything unprintable or not ASCII replaced, and a hyphen
 * at its beginning, with which a program that is told the name would take it for an option.
 */
export function shownName(name: string): string {
  return name.slice(0, MAX_NAME).replace(/[^\x20-\x7e]|^-/g, '?');
}
