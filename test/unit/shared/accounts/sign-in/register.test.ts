import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTenantWithAdministrator } from '../../../../../shared/accounts/people/create-tenant.ts'
import { registerTenant, registerUser } from '../../../../../shared/accounts/sign-in/register.ts'
import type { TooManyRequests } from '../../../../../shared/kernel/failures/faults.ts'
import { createConfig } from '../../../../../shared/platform/store/config.ts'
import { type FrozenClock, frozenClock } from '../../../../make/builders/frozen-clock.ts'
import { openSingleTable, type SingleTable } from '../../../../make/services/stores/single-table.ts'

const ada = { name: 'Ada Lovelace', email: 'ada@example.com', password: 'brass gears 1843' }
let table: SingleTable
let clock: FrozenClock
const accounts = () => ({ store: table.store, config: createConfig(table.store, clock), clock })
beforeAll(async () => {
  table = await openSingleTable()
  clock = frozenClock()
  await createTenantWithAdministrator(accounts(), { slug: 'engines', name: 'Engines', administrator: ada })
})
afterAll(() => table.close())
beforeEach(() => {
  clock.advance(24 * 3_600_000)
})

// The address is taken, so that no password is hashed: such a registration counts like any other.
const registerIn = {
  saas: (sourceIp: string) =>
    registerTenant(
      accounts(),
      { ...ada, company_name: 'Other Engines', slug: 'others' },
      { sourceIp, userAgent: undefined, mustVerify: false },
    ),
  single: (sourceIp: string) => registerUser(accounts(), ada, { sourceIp, userAgent: undefined }),
}
const taken = { code: 'validation_failed', errors: { email: ['The email has already been taken.'] } }

describe.each(['saas', 'single'] as const)('registrations in %s mode', (mode) => {
  const register = registerIn[mode]

  it('of one network are sixty, then it waits for as long as it is told, and others go on', async () => {
    const address = '198.51.100.1'
    for (let n = 0; n < 60; n += 1) await expect(register(address)).rejects.toMatchObject(taken)
    const refused = (await register(address).catch((error: unknown) => error)) as TooManyRequests
    expect(refused).toMatchObject({ code: 'too_many_attempts' })
    expect(refused.retryAfterSeconds).toBeGreaterThan(0)
    expect(refused.retryAfterSeconds).toBeLessThanOrEqual(20 * 60)
    await expect(register('203.0.113.7')).rejects.toMatchObject(taken)
    clock.advance(refused.retryAfterSeconds * 1000)
    await expect(register(address)).rejects.toMatchObject(taken)
  })
})
