import { expect, it } from 'vitest'
import { defaultsFor } from '../../../../../shared/automation/portal-items/portal-item.ts'
import { tableOf } from '../../../../make/builders/lists/query-records.ts'

it('sets the requester where a field of people asks for them, and every other value as it is', () => {
  const table = tableOf(101, 'requests', [
    { name: 'title', type: 'text' },
    { name: 'asked_by', type: 'user' },
    { name: 'assigned_to', type: 'user' },
  ])
  const defaults = { asked_by: '$CURRENT_USER', assigned_to: 5, title: '$CURRENT_USER', gone: '$CURRENT_USER' }
  expect(defaultsFor(table, { defaults }, 7)).toEqual({ ...defaults, asked_by: 7 })
})
