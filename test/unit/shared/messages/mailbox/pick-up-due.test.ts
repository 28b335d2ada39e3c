import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Tenant } from '../../../../../shared/kernel/tenancy.ts'
import type { PollDependencies } from '../../../../../shared/messages/mailbox/dependencies.ts'
import { followSettings } from '../../../../../shared/messages/mailbox/follow-settings.ts'
import { pickUpDueMailboxes } from '../../../../../shared/messages/mailbox/pick-up-due.ts'
import { pollInBackground } from '../../../../../shared/messages/mailbox/poll-in-background.ts'
import { openSingleTable, type SingleTable } from '../../../../make/services/stores/single-table.ts'

const minute = 60_000
const start = Date.parse('2026-11-20T08:00:00Z')
const set = { IMAP_HOST: 'imap.acme.test', IMAP_USERNAME: 'desk', IMAP_PASSWORD: '********' }
let table: SingleTable
let now = start

beforeAll(async () => (table = await openSingleTable()))
afterAll(() => table.close())

const clock = { now: () => now }
const save = async (id: number, before: object, after: object): Promise<void> => {
  for (const write of followSettings(clock, { id }, before, after)) await table.store.write({ id }, write)
}
const pickUp = async (limit = 10): Promise<number[]> =>
  (await pickUpDueMailboxes({ store: table.store, clock }, limit))
    .map(({ tenant }) => tenant.id)
    .toSorted((a, b) => a - b)

it('mailboxes are picked up when they are due, and again only minutes later', async () => {
  for (let id = 1; id <= 9; id += 1) await save(id, {}, set)
  await save(9, set, {})
  expect(await pickUp()).toEqual([])
  now = start + minute + 1
  expect(await pickUp(1)).toEqual([1, 2, 3, 4])
  expect(await pickUp()).toEqual([5, 6, 7, 8])
  expect(await pickUp()).toEqual([])
  now += 5 * minute + 1
  expect(await pickUp()).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
})

it('the mailbox of a deleted tenant is not opened, and waits for an hour', async () => {
  const tenant: Tenant = { id: 1, slug: 'a', name: 'A', configVersion: 1, deleteAt: '2026-12-20T08:00:00.000Z' }
  await pollInBackground({ store: table.store, clock } as unknown as PollDependencies, tenant)
  now += 59 * minute
  expect(await pickUp()).not.toContain(1)
  now += 2 * minute
  expect(await pickUp()).toContain(1)
})

it('a tenant that never had a mailbox gets no row', async () => {
  await save(77, {}, { TIMEZONE: 'Europe/Vienna', MAIL_HOST: 'smtp.acme.test' } as object)
  expect(await table.itemsOf('T#77#')).toEqual([])
})
