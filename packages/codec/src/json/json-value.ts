/** JSON data. Integers that a double cannot hold exactly are bigints; objects have no prototype. */
export type JsonValue =
  null | boolean | number | bigint | string | JsonValue[] | { [key: string]: JsonValue };

/** A JSON object without prototype. */
export interface JsonObject {
  [key: string]: JsonValue;
}
