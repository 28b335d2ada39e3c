export type { Condition, Transition, ValueKind } from './declaration.ts'
export { openPatterns, patternOf, type Patterns } from './patterns.ts'
export {
  checkValue,
  choicesOf,
  conditionsOf,
  fieldsInCondition,
  foldsCase,
  foreignSetting,
  isObjectValue,
  mayBeVariable,
  objectText,
  referencedTable,
  rolesIn,
  sharedValueSchemas,
  typeOfField,
} from './read-field.ts'
