import { expect, it } from 'vitest'
import { typeOfField } from '../../../../../shared/tables/field-types/read-field.ts'
import type { Field } from '../../../../../shared/tables/field-types/schema.ts'
import { inEnglish } from '../../../../make/oracles/in-english.ts'

const status: Field = {
  name: 'status',
  type: 'state_model',
  states: [{ slug: 'new', is_initial: true }, { slug: 'open' }, { slug: 'closed' }],
  transitions: [
    { from: 'new', to: 'open' },
    { from: 'open', to: 'closed', roles: ['agent'] },
  ],
}
const agent = { roles: ['agent'], isAdministrator: false }
const user = { roles: ['user'], isAdministrator: false }
const admin = { roles: ['admin'], isAdministrator: true }
const { checkMove } = typeOfField(status).lifecycle!

it.each([
  ['new', 'open', user],
  ['new', 'new', user],
  ['open', 'closed', agent],
  ['open', 'closed', admin],
  [null, 'new', user],
  [undefined, null, user],
])('the state %s may move to %s', (from, to, actor) => expect(checkMove(status, from, to, actor)).toBeUndefined())

it.each([
  ['new', 'closed', admin, 'The status may not move from new to closed. Allowed: open.'],
  ['open', 'closed', user, 'Your roles may not move the status from open to closed. From here it may not move.'],
  ['open', 'new', agent, 'The status may not move from open to new. Allowed: closed.'],
  ['open', null, admin, 'The status may not move from open to no state. Allowed: closed.'],
  [null, 'closed', admin, 'The status may not move from no state to closed. Allowed: new.'],
])('the state %s may not move to %s', (from, to, actor, message) =>
  expect(inEnglish(checkMove(status, from, to, actor))).toBe(message),
)
