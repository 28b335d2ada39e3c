import { expect, it } from 'vitest'
import { tenantLane } from '../../../../../shared/platform/queue/message-attributes.ts'

it('the work of a tenant has four groups, of which no other tenant has one', () => {
  const conversations = Array.from({ length: 500 }, (_, n) => `#${n}`)
  const [ours, theirs] = [1, 11].map((tenant) => new Set(conversations.map((one) => tenantLane(tenant, one))))
  expect([ours?.size, theirs?.size]).toEqual([4, 4])
  expect(ours?.isDisjointFrom(theirs as Set<string>)).toBe(true)
  expect(tenantLane(1, 'm7#42')).toBe(tenantLane(1, 'm7#42'))
})
