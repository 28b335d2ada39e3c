import { afterAll, beforeAll, expect, it } from 'vitest'
import { administerApiKeys } from '../../../../../shared/auth/api-keys/administer-api-keys.ts'
import { NotFound } from '../../../../../shared/kernel/faults.ts'
import { type AccountWorld, openAccountWorld } from '../../../../make/services/account-world.ts'

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
