import { defineFieldType } from '../../declaration.ts'
import { referenceType } from './reference-type.ts'

export const user = defineFieldType({
  ...referenceType(() => 'a user'),
  description: 'The id of a user.',
  properties: {},
  isWatched: true,
  refersToPeople: true,
  inForms: 'plain',
  inWords: (_, value, users) => (typeof value === 'number' ? (users.get(value) ?? `user ${value}`) : undefined),
})
