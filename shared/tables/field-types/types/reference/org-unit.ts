import { defineFieldType } from '../../declaration.ts'
import { referenceType } from './reference-type.ts'

export const orgUnit = defineFieldType({
  ...referenceType(() => 'an organisational unit'),
  description: 'The id of an organisational unit.',
  properties: {},
  refersToTable: () => 'sys_org_units',
})
