export type { ValueKind } from './declaration.ts'
export {
  checkValue,
  choicesOf,
  foreignSetting,
  isObjectValue,
  objectText,
  referencedTable,
  rolesIn,
  sharedValueSchemas,
  typeOfField,
} from './read-field.ts'
