import { expect, it } from 'vitest'
import type { IncomingAction } from '../../../../../shared/automation/incoming-actions/incoming-action.ts'
import { matchingRules } from '../../../../../shared/automation/incoming-actions/match/matching-rules.ts'
import type { IncomingMessage } from '../../../../../shared/messages/incoming-messages/message.ts'

const message = {
  id: 1,
  channel: 'api',
  subject: 'Lamp',
  body: '',
  payload: {},
  attachments: [],
  outcomes: [],
  receivedAtMs: 0,
} as unknown as IncomingMessage
const variables = { nowMs: 0, timeZone: 'UTC' }
const rule = (id: number, more: object = {}): IncomingAction =>
  ({ id, isActive: true, isAutomatic: true, channel: 'all', position: 0, condition: null, ...more }) as IncomingAction
const ids = (rules: readonly IncomingAction[]): number[] => rules.map(({ id }) => id)

it('are those of the channel whose condition holds, in order', async () => {
  const rules = [
    rule(1, { position: 3 }),
    rule(2, { channel: 'email' }),
    rule(3, { isAutomatic: false }),
    rule(4, { condition: { subject: 'Lamp' } }),
    rule(5, { condition: { subject: 'Chair' } }),
    rule(6, { isActive: false }),
  ]
  const { matching, untested } = await matchingRules(rules, message, variables)
  expect([ids(matching), ids(untested)]).toEqual([[4, 1], []])
})

it('leaves the rest untested when conditions take more than five seconds', async () => {
  let now = 0
  const slow = () => (now += 1_000)
  const rules = Array.from({ length: 10 }, (_, n) => rule(n + 1))
  const { matching, untested } = await matchingRules(rules, message, variables, slow)
  expect([ids(matching), ids(untested)]).toEqual([
    [1, 2, 3, 4, 5, 6],
    [7, 8, 9, 10],
  ])
})
