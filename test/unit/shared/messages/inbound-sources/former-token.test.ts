import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Caller } from '../../../../../shared/kernel/principal.ts'
import {
  changeSource,
  createSource,
  type SourceDependencies,
} from '../../../../../shared/messages/inbound-sources/administer-sources.ts'
import { receiveRequest } from '../../../../../shared/messages/inbound-sources/receive-request.ts'
import type { SourceWithToken } from '../../../../../shared/messages/inbound-sources/schema.ts'
import { createConfig } from '../../../../../shared/platform/store/config.ts'
import { tenantKey } from '../../../../../shared/platform/store/keys/auth.ts'
import type { Store } from '../../../../../shared/platform/store/store.ts'
import { frozenClock } from '../../../../make/builders/frozen-clock.ts'
import { openSingleTable, type SingleTable } from '../../../../make/services/stores/single-table.ts'

const clock = frozenClock()
let table: SingleTable
let tenants = 0
let caller: Caller
beforeAll(async () => {
  table = await openSingleTable()
})
afterAll(() => table?.close())
beforeEach(async () => {
  const tenant = { id: ++tenants, slug: `acme-${tenants}`, name: 'Acme', configVersion: 1 }
  caller = { tenant, userId: 1 } as Caller
  const { slug, name } = tenant
  const row = { ...tenantKey(tenant), kind: 'tenant', v: 1, id: tenant.id, slug, name, config_version: 1 }
  await table.store.write(tenant, { put: row })
})

const secrets = { seal: async () => 'sealed', open: async () => 'opened' }
const services = (store: Store = table.store): SourceDependencies => ({
  store,
  config: createConfig(store, clock),
  clock,
  secrets,
  publicUrl: 'https://desk.example',
})
const create = async () => createSource(services(), caller, { name: 'Monitoring' })
const renew = async (id: number, store?: Store) =>
  (await changeSource(services(store), caller, id, { new_token: true })) as SourceWithToken
/** What another system gets that sends with a token: `taken`, or the code of the failure. */
const send = async (token: string): Promise<unknown> =>
  receiveRequest(
    { ...services(), secrets, putObject: async () => {} },
    { token, headers: { 'content-type': 'application/json' }, body: Buffer.from('{}') },
  ).then(
    () => 'taken',
    (error: { code: unknown }) => error.code,
  )
const tokenRows = async () =>
  (await table.itemsOf('INBOUND#')).filter(({ tenant_id }) => tenant_id === caller.tenant.id)

it('a former token is not accepted, and leaves nothing behind', async () => {
  const { id, token: former } = await create()
  expect(await send(former)).toBe('taken')
  const { token } = await renew(id)
  expect([await send(former), await send(token)]).toEqual(['endpoint_not_found', 'taken'])
  expect(await tokenRows()).toHaveLength(1)
})

it('a former token is not accepted either when the service crashed before it was removed', async () => {
  const { id, token: former } = await create()
  const crashing = table.storeThrough(async (operation, call) => {
    if (operation === 'DeleteItem') throw new Error('a crash')
    return call()
  })
  await expect(renew(id, crashing)).rejects.toThrow('a crash')
  expect(await tokenRows()).toHaveLength(2)
  expect(await send(former)).toBe('endpoint_not_found')
})

it('a token whose source was never stored opens nothing', async () => {
  const crashing = table.storeThrough(async (operation, call) => {
    if (operation === 'TransactWriteItems') throw new Error('a crash')
    return call()
  })
  const bytes: string[] = []
  const known = {
    ...clock,
    bytes: (size: number) => {
      const made = clock.bytes(size)
      bytes.push(Buffer.from(made).toString('base64url'))
      return made
    },
  }
  await expect(createSource({ ...services(crashing), clock: known }, caller, { name: 'Lost' })).rejects.toThrow(
    'a crash',
  )
  expect(await tokenRows()).toHaveLength(1)
  expect(await send(String(bytes[0]))).toBe('endpoint_not_found')
})
