import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  administerInvitations,
  countInvitation,
} from '../../../../../shared/accounts/invitations/administer-invitations.ts'
import { TooManyRequests } from '../../../../../shared/kernel/failures/faults.ts'
import {
  maxDailyInvitations,
  maxDailyInvitationsOfAddress,
  maxInvitations,
  maxInvitationsOfAddress,
} from '../../../../../shared/kernel/limits/accounts.ts'
import { frozenClock } from '../../../../make/builders/frozen-clock.ts'
import { type AccountWorld, openAccountWorld } from '../../../../make/services/worlds/account-world.ts'

let world: AccountWorld
let tenants = 100
beforeAll(async () => {
  world = await openAccountWorld()
})
afterAll(() => world?.single.close())

const minuteMs = 60_000

/** A company that invites, at a time of its own. */
function company() {
  const [tenant, clock] = [{ id: ++tenants }, frozenClock()]
  const { store } = world.accounts
  /** Invites until it is refused, at most `most` times; answers how often, and the refusal. */
  async function invite(most: number, to: (n: number) => string) {
    for (let n = 0; n < most; n++) {
      try {
        await countInvitation({ store, clock }, tenant, to(n))
      } catch (error) {
        return { count: n, error }
      }
    }
    return { count: most }
  }
  return { clock, invite }
}

describe('a company', () => {
  it('invites a department by hand, then waits at most 20 minutes', async () => {
    const { clock, invite } = company()
    const { count, error } = await invite(200, (n) => `${n}@strangers.test`)
    expect([count, error instanceof TooManyRequests]).toEqual([maxInvitations, true])
    const { retryAfterSeconds, message } = error as TooManyRequests
    expect(message).toBe(`Too many invitations. Try again in ${retryAfterSeconds} seconds.`)
    expect(retryAfterSeconds).toBeLessThanOrEqual(20 * 60)
    clock.advance(retryAfterSeconds * 1000)
    expect((await invite(1, () => 'next@strangers.test')).count).toBe(1)
  })

  it('invites some hundred in a day', async () => {
    const { clock, invite } = company()
    let count = 0
    for (let hour = 0; hour <= maxDailyInvitations / maxInvitations; hour++) {
      count += (await invite(maxInvitations, (n) => `${hour}.${n}@strangers.test`)).count
      clock.advance(60 * minuteMs)
    }
    expect(count).toBe(maxDailyInvitations)
    clock.advance(24 * 60 * minuteMs)
    expect((await invite(1, () => 'next@strangers.test')).count).toBe(1)
  })

  it('invites one address few times, and others meanwhile', async () => {
    const { clock, invite } = company()
    const { count, error } = await invite(60, () => 'ada@strangers.test')
    expect([count, (error as Error).message]).toEqual([
      maxInvitationsOfAddress,
      expect.stringMatching(/^Too many invitations to this address\./),
    ])
    expect((await invite(1, () => 'grace@strangers.test')).count).toBe(1)
    clock.advance(20 * minuteMs)
    expect((await invite(60, () => 'ada@strangers.test')).count).toBe(maxInvitationsOfAddress)
    clock.advance(20 * minuteMs)
    expect([2 * maxInvitationsOfAddress, (await invite(1, () => 'ada@strangers.test')).count]).toEqual([
      maxDailyInvitationsOfAddress,
      0,
    ])
  })

  it('does not use up the budget of others', async () => {
    const [one, other] = [company(), company()]
    await one.invite(200, (n) => `${n}@strangers.test`)
    await one.invite(60, () => 'ada@strangers.test')
    expect((await other.invite(1, () => 'ada@strangers.test')).count).toBe(1)
  })
})

it('a renewed invitation counts as a new one, and nothing is stored for one too many', async () => {
  const { invite, resend, list } = administerInvitations(world.accounts, { publicUrl: 'https://api.acme.test' })
  const { id } = await invite(world.caller, { email: 'guest@strangers.test', roles: ['user'] })
  for (let n = 1; n < maxInvitationsOfAddress; n++) await resend(world.caller, id)
  await expect(resend(world.caller, id)).rejects.toThrow(TooManyRequests)
  await expect(invite(world.caller, { email: 'guest@strangers.test', roles: ['user'] })).rejects.toThrow(
    TooManyRequests,
  )
  const { items } = await list(world.caller.tenant, { page: 1, per_page: 100 })
  expect(items.filter(({ email }) => email === 'guest@strangers.test')).toHaveLength(1)
})
