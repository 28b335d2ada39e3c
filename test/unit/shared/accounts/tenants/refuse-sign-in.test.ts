import { describe, expect, it } from 'vitest'
import { refuseSignIn } from '../../../../../shared/accounts/tenants/refuse-sign-in.ts'
import { frozenClock } from '../../../../make/builders/frozen-clock.ts'

const clock = frozenClock('2026-11-20T08:00:00.000Z')
const attempt = (roles: string[], deleteAt?: string) => () =>
  refuseSignIn(clock, { ...(deleteAt && { deleteAt }) }, { roles })

describe('a sign-in', () => {
  it('to a living tenant is never refused', () => {
    expect(attempt([])).not.toThrow()
  })

  it('to a deleted tenant is for administrators, until its removal is due', () => {
    const later = '2026-11-20T08:00:00.001Z'
    expect(attempt(['user', 'admin'], later)).not.toThrow()
    expect(attempt(['user'], later)).toThrow(expect.objectContaining({ code: 'tenant_deleted' }))
    expect(attempt(['admin'], '2026-11-20T08:00:00.000Z')).toThrow(expect.objectContaining({ code: 'tenant_deleted' }))
  })
})
