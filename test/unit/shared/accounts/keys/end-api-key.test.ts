import { afterAll, beforeAll, expect, it } from 'vitest'
import { administerApiKeys } from '../../../../../shared/accounts/keys/administer-api-keys.ts'
import { NotFound } from '../../../../../shared/kernel/failures/faults.ts'
import { TransactionRefused } from '../../../../../shared/platform/store/writes/refusals.ts'
import { type AccountWorld, openAccountWorld } from '../../../../make/services/worlds/account-world.ts'

let world: AccountWorld
beforeAll(async () => {
  world = await openAccountWorld()
})
afterAll(() => world?.single.close())

it('an API key is ended once, of two who end it at the same time', async () => {
  const keys = administerApiKeys(world.accounts)
  const { id } = await keys.create(world.caller, { name: 'import', roles: ['user'] })
  const late = administerApiKeys(world.overtaken(() => keys.end(world.caller, id)))
  await expect(late.end(world.caller, id)).rejects.toThrow(NotFound)
  await expect(keys.end(world.caller, id)).rejects.toThrow(NotFound)
})

it('the number of an API key is never one that another token has', async () => {
  const number = Buffer.from('0000000000001000', 'hex')
  const { clock } = world.accounts
  const sameNumber = { ...clock, bytes: (size: number) => (size === 8 ? number : clock.bytes(size)) }
  const keys = administerApiKeys({ ...world.accounts, clock: sameNumber })
  await keys.create(world.caller, { name: 'first', roles: ['user'] })
  const before = await world.single.itemsOf('TOKEN')
  await expect(keys.create(world.caller, { name: 'second', roles: ['user'] })).rejects.toThrow(TransactionRefused)
  expect(await world.single.itemsOf('TOKEN')).toEqual(before)
})
