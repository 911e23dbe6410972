import type { StorageItem, StorageType, StorageValue } from '../storage/types.ts';

/** Options every field takes. */
export interface FieldOptions<T> {
  /**
   * Makes the field optional with this default: not written when equal to it, and taken when absent. Other
   * fields are always written, and take the zero value of their type when absent.
   */
  optional?: T;
  /** Name on the wire, when it is not the property's. */
  name?: string;
}

/** How one property of a message is stored. Made by the functions of `field`. */
export interface Field<T> {
  /** What the field is, for tools that walk a message's fields (for example to describe it). */
  readonly kind: string;
  readonly name: string | undefined;
  /** Whether the field is left out when it equals its default. */
  readonly optional: boolean;
  /** @param value the stored entry; undefined when there is none. @throws DecodeError */
  read(value: StorageValue | undefined): T;
  /** The entry to store; undefined to store none. @throws RangeError for a value that does not fit. */
  write(value: T): StorageValue | undefined;
}

/** What tells one kind of field from another. */
export interface FieldRules<T> {
  kind: string;
  /** Value of a field that is absent. A function, because arrays and objects must not be shared. */
  zero(): T;
  /** The value of an entry, or undefined when the entry counts as absent. @throws DecodeError */
  decode(value: StorageValue): T | undefined;
  encode(value: T): StorageValue | undefined;
  equal?(a: T, b: T): boolean;
}

/** Builds a field from its rules, adding what optional fields need. */
export function makeField<T>(rules: FieldRules<T>, options: FieldOptions<T> = {}): Field<T> {
  const { optional, name } = options;
  const equal = rules.equal ?? Object.is;
  const absent = () => (optional === undefined ? rules.zero() : optional);
  return {
    kind: rules.kind,
    name,
    optional: optional !== undefined,
    read(value) {
      const decoded = value === undefined ? undefined : rules.decode(value);
      return decoded === undefined ? absent() : decoded;
    },
    write(value) {
      return optional !== undefined && equal(value, optional) ? undefined : rules.encode(value);
    },
  };
}

/** Type and item of an entry that is no array; an array has the type 'array', which converts to nothing. */
export function scalarOf(value: StorageValue): { type: StorageType; item: StorageItem } {
  // An array handed to a conversion fails there like any type that does not convert.
  if (value.type === 'array') return { type: 'object', item: new Map() };
  return { type: value.type, item: value.value };
}
