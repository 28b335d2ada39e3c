import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAccountLink, readAccountLink } from '../../../../../shared/accounts/account-mail/account-link.ts'
import { claimMail, releaseMail, settleMail } from '../../../../../shared/accounts/account-mail/mail-account.ts'
import type { Person } from '../../../../../shared/accounts/people/person.ts'
import { Invalid } from '../../../../../shared/kernel/failures/faults.ts'
import { deploymentWide } from '../../../../../shared/platform/store/store.ts'
import { commit } from '../../../../../shared/platform/store/writes/commit.ts'
import { frozenClock } from '../../../../make/builders/frozen-clock.ts'
import { openSingleTable, type SingleTable } from '../../../../make/services/stores/single-table.ts'

const clock = frozenClock()
let single: SingleTable
beforeAll(async () => {
  single = await openSingleTable()
})
afterAll(() => single?.close())
const services = () => ({ store: single.store, clock })

describe('a mailed link', () => {
  const person = { email: 'ada@acme.test', passwordHash: 'hash' } as Person
  const make = () => createAccountLink(services(), 'password_reset', person)
  const read = (secret: string, purpose: 'password_reset' | 'email_verification' = 'password_reset') =>
    readAccountLink(services(), purpose, secret)
  const use = async (link: Awaited<ReturnType<typeof read>>) =>
    commit(single.store, deploymentWide, [link.use], clock.uuid())

  it('is used once, of two who read it at the same time', async () => {
    const secret = await make()
    const [one, other] = [await read(secret), await read(secret)]
    await use(one)
    await expect(use(other)).rejects.toThrow(Invalid)
    await expect(read(secret)).rejects.toThrow(Invalid)
  })

  it('is for one purpose, for an hour', async () => {
    const secret = await make()
    await expect(read(secret, 'email_verification')).rejects.toThrow(Invalid)
    clock.advance(3_600_000 - 1)
    expect((await read(secret)).email).toBe('ada@acme.test')
    clock.advance(1)
    await expect(read(secret)).rejects.toThrow(Invalid)
  })
})

describe('a mail that the queue delivers twice', () => {
  it('is sent by one attempt at a time, and by the next when that one crashed', async () => {
    expect([await claimMail(services(), 'a'), await claimMail(services(), 'a')]).toEqual(['claimed', 'busy'])
    clock.advance(90_000)
    expect(await claimMail(services(), 'a')).toBe('busy')
    clock.advance(1)
    expect([await claimMail(services(), 'a'), await claimMail(services(), 'a')]).toEqual(['claimed', 'busy'])
  })

  it('is not sent again once it is settled, and at once when it was released', async () => {
    await claimMail(services(), 'b')
    await settleMail(services(), 'b')
    clock.advance(100_000)
    expect(await claimMail(services(), 'b')).toBe('settled')
    await claimMail(services(), 'c')
    await releaseMail(services(), 'c')
    expect(await claimMail(services(), 'c')).toBe('claimed')
  })
})
