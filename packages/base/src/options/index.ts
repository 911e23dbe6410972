export {
  checkArgument,
  checkOptions,
  NEEDED,
  OPTIONAL,
  optionalNames,
  type OptionRule,
  type OptionTable,
} from './check-options.ts';
export { OptionError, type OptionErrorCode } from './option-error.ts';
