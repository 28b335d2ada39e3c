import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AccountDependencies } from '../../../../../shared/accounts/dependencies.ts'
import { createTenant } from '../../../../../shared/accounts/people/create-tenant.ts'
import { findTenantId } from '../../../../../shared/accounts/tenants/find-tenant.ts'
import { Conflict, Invalid } from '../../../../../shared/kernel/failures/faults.ts'
import { createConfig } from '../../../../../shared/platform/store/config.ts'
import { firstTenantKey } from '../../../../../shared/platform/store/keys/auth.ts'
import { deploymentWide } from '../../../../../shared/platform/store/store.ts'
import { frozenClock } from '../../../../make/builders/frozen-clock.ts'
import { interruptedStore } from '../../../../make/services/stores/interrupted-store.ts'
import { openSingleTable, type SingleTable } from '../../../../make/services/stores/single-table.ts'
import { type AccountWorld, openAccountWorld } from '../../../../make/services/worlds/account-world.ts'

describe('a tenant', () => {
  let world: AccountWorld
  beforeAll(async () => {
    world = await openAccountWorld()
  })
  afterAll(() => world?.single.close())
  const make = (accounts: AccountDependencies, slug: string) => createTenant(accounts, { slug, name: slug })

  it('gets a slug that no other has, of two who want it at once', async () => {
    const made: number[] = []
    const overtaken = world.overtaken(async () => made.push((await make(world.accounts, 'engines')).tenant.id))
    await expect(make(overtaken, 'engines')).rejects.toThrow(Invalid)
    expect([await findTenantId(world.accounts.store, 'engines')]).toEqual(made)
  })
})

describe('the first tenant of a deployment', () => {
  let single: SingleTable
  beforeAll(async () => {
    single = await openSingleTable()
  })
  afterAll(() => single?.close())
  const clock = frozenClock()
  const make = (store = single.store, slug = 'acme', first = true) =>
    createTenant({ store, clock, config: createConfig(store, clock) } as never, { slug, name: slug }, { first })

  it('is one, of two that are made at once, and stays the first', async () => {
    const late = interruptedStore(single, 'TransactWriteItems', () => make())
    await expect(make(late, 'late')).rejects.toThrow(Conflict)
    expect(await findTenantId(single.store, 'late')).toBeUndefined()
    await expect(make(single.store, 'later')).rejects.toThrow(Conflict)
    await make(single.store, 'second', false)
    const row = await single.store.get(deploymentWide, firstTenantKey)
    expect(row?.tenant_id).toBe(await findTenantId(single.store, 'acme'))
  })
})
