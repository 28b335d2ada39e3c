import { describe, expect, it } from 'vitest'
import { activeSince, isActiveFor } from '../../../../../shared/platform/configured-objects/active-since.ts'

const [earlier, at, later] = ['2026-11-20T08:00:00.000Z', '2026-11-20T08:00:01.000Z', '2026-11-20T08:00:02.000Z']
const active = { table: 'cases', isActive: true, activeSince: earlier }

describe('an object acts on changes of its table', () => {
  it.each([
    ['is new', undefined, at],
    ['is switched on', { ...active, isActive: false }, at],
    ['gets another table', { ...active, table: 'plans' }, at],
  ])('since it %s', (_title, before, since) => {
    expect(activeSince(before, { table: 'cases' }, at)).toEqual({ activeSince: since })
  })

  it.each([
    ['as before when something else changes', active, earlier],
    ['always, if nobody noted when it was made', { table: 'cases', isActive: true }, undefined],
  ])('%s', (_title, before, since) => {
    expect(activeSince(before, { table: 'cases' }, at)).toEqual({ activeSince: since })
  })
})

describe('an object that is active since a moment', () => {
  it.each([
    ['not act on a change from before', earlier, false],
    ['act on one of the same millisecond', at, true],
    ['act on a later one', later, true],
    ['act on one whose message does not say when', undefined, true],
  ])('does %s', (_title, changedAt, acts) => {
    expect(isActiveFor({ ...active, activeSince: at }, changedAt)).toBe(acts)
    expect(isActiveFor({ ...active, activeSince: at, isActive: false }, changedAt)).toBe(false)
  })

  it('acts on every change when its row does not say since when', () => {
    expect(isActiveFor({ table: 'cases', isActive: true }, earlier)).toBe(true)
  })
})
