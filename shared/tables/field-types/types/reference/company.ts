import { defineFieldType } from '../../declaration.ts'
import { referenceType } from './reference-type.ts'

export const company = defineFieldType({
  ...referenceType(() => 'a company'),
  description: 'The id of a company.',
  properties: {},
  refersToTable: () => 'sys_companies',
})
