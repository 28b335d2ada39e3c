import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  prepareIntent,
  storedIntents,
  storeIntent,
} from '../../../../../../shared/messages/deliveries/expand/write-intent.ts'
import { intentKey } from '../../../../../../shared/platform/store/keys/messages/deliveries.ts'
import { frozenClock } from '../../../../../make/builders/frozen-clock.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'
import { testChannel } from '../../../../../make/services/worlds/delivery-world.ts'

const tenant = { id: 1 }
const clock = frozenClock()
let table: SingleTable
beforeAll(async () => {
  table = await openSingleTable()
})
afterAll(() => table?.close())

const store = (uuid: string) =>
  storeIntent(
    { store: table.store, putObject: async () => {} },
    tenant,
    prepareIntent(clock, tenant, {
      channel: testChannel,
      recipients: ['https://crm.example.com'],
      content: { body: '{}' },
      source: { model: null, record_id: null },
      uuid,
    }),
  )

it('a repeat leaves an intent as it is, so that what was expanded is not sent again', async () => {
  await store('a')
  const change = { expression: 'SET is_expanded = :yes', values: { ':yes': true } }
  await table.store.write(tenant, { update: intentKey(tenant, 'a'), change })
  await store('a')
  expect(await table.store.get(tenant, intentKey(tenant, 'a'))).toMatchObject({ is_expanded: true })
})

it('those of some intents that are stored are known', async () => {
  await store('b')
  expect(await storedIntents(table.store, tenant, ['b', 'c'])).toEqual(new Set(['b']))
})
