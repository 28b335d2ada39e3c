import { describe, expect, it } from 'vitest'
import { newUser } from '../../../../../shared/accounts/people/new-user.ts'
import type { User } from '../../../../../shared/accounts/people/user.ts'
import { mayImpersonate } from '../../../../../shared/accounts/people/user.ts'

const at = '2026-11-20T08:00:00.000Z'
const person = (id: number, roles: readonly string[], more: Partial<User> = {}): User => ({
  ...newUser(id, { name: `User ${id}`, email: `user${id}@acme.test` }, { roles }, at),
  ...more,
})
const administrator = person(1, ['admin'])
const agent = person(2, ['agent'])

describe('a user may act as another', () => {
  it('as an administrator, as a person who is none', () => {
    expect(mayImpersonate(administrator, agent)).toBe(true)
    expect(mayImpersonate(administrator, person(2, []))).toBe(true)
  })

  it.each<[string, User, User]>([
    ['without the role', person(1, ['agent']), agent],
    ['as a disabled administrator', person(1, ['admin'], { isActive: false }), agent],
    ['as a program', person(1, ['admin'], { kindOf: 'service', email: null }), agent],
    ['as itself', administrator, administrator],
    ['as another administrator', administrator, person(2, ['agent', 'admin'])],
    ['as a disabled user', administrator, person(2, ['agent'], { isActive: false })],
    ['as a program', administrator, person(2, ['agent'], { kindOf: 'service', email: null })],
  ])('but not %s', (_, one, other) => {
    expect(mayImpersonate(one, other)).toBe(false)
  })
})
