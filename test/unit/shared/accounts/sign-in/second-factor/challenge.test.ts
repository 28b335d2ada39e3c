import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ActiveMembership } from '../../../../../../shared/accounts/people/membership/active-membership.ts'
import { newUser } from '../../../../../../shared/accounts/people/new-user.ts'
import { challengeUser, openChallenge } from '../../../../../../shared/accounts/sign-in/second-factor/challenge.ts'
import { Unauthenticated } from '../../../../../../shared/kernel/failures/faults.ts'
import { deploymentWide } from '../../../../../../shared/platform/store/store.ts'
import { commit } from '../../../../../../shared/platform/store/writes/commit.ts'
import { frozenClock } from '../../../../../make/builders/frozen-clock.ts'
import { interruptedStore } from '../../../../../make/services/stores/interrupted-store.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'

const tenant = { id: 1, slug: 'acme', name: 'Acme Ltd', configVersion: 1 }
const user = newUser(7, { name: 'Ada', email: 'ada@acme.test' }, { roles: [] }, '2026-11-20T08:00:00.000Z')
const clock = frozenClock()
let single: SingleTable
beforeAll(async () => {
  single = await openSingleTable()
})
afterAll(() => single?.close())

const challenge = async (): Promise<string> =>
  (await challengeUser({ store: single.store, clock }, { tenant, user } as ActiveMembership)).mfa_token
const open = (secret: string, store = single.store) => openChallenge({ store, clock }, secret)
const use = async ({ use: step }: Awaited<ReturnType<typeof open>>) =>
  commit(single.store, deploymentWide, [step], clock.uuid())
const allowed = (answers: readonly PromiseSettledResult<unknown>[]) =>
  answers.filter(({ status }) => status === 'fulfilled').length

describe('a sign-in that waits for a code', () => {
  it('belongs to the user whose password was right', async () => {
    expect((await open(await challenge())).challenge).toEqual({
      email: 'ada@acme.test',
      tenantId: 1,
      userId: 7,
      credentialVersion: 1,
    })
  })

  it('takes five codes, also when more come at once', async () => {
    const secret = await challenge()
    expect(allowed(await Promise.allSettled(Array.from({ length: 9 }, () => open(secret))))).toBe(5)
    await expect(open(secret)).rejects.toThrow(Unauthenticated)
  })

  it('ends after five minutes, to the millisecond', async () => {
    const secret = await challenge()
    clock.advance(5 * 60_000 - 1)
    await open(secret)
    clock.advance(1)
    await expect(open(secret)).rejects.toThrow(Unauthenticated)
  })

  it('signs in once, of two right codes at once', async () => {
    const secret = await challenge()
    const opened = [await open(secret), await open(secret)]
    expect(allowed(await Promise.allSettled(opened.map(use)))).toBe(1)
    await expect(use(opened[0] as (typeof opened)[0])).rejects.toThrow(Unauthenticated)
  })

  it('does not begin again when it is used while a code for it is counted', async () => {
    const before = await single.itemsOf('MFA')
    const secret = await challenge()
    const opened = await open(secret)
    const late = interruptedStore(single, 'UpdateItem', () => use(opened))
    await expect(open(secret, late)).rejects.toThrow(Unauthenticated)
    expect(await single.itemsOf('MFA')).toEqual(before)
    await expect(open(secret)).rejects.toThrow(Unauthenticated)
  })
})
