import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  findTemplate,
  headRow,
  type NotificationTemplate,
} from '../../../../../shared/messages/notification-templates/template.ts'
import { createConfig, putConfigRow } from '../../../../../shared/platform/store/config.ts'
import { objectRow } from '../../../../../shared/platform/store/rows/object-row.ts'
import { openSingleTable, type SingleTable } from '../../../../make/services/stores/single-table.ts'

const tenant = { id: 7, slug: 'acme', name: 'Acme', configVersion: 1 }
const welcome: NotificationTemplate = {
  id: 3,
  name: 'Welcome',
  code: 'welcome',
  subject: 'Hello',
  body: '<p>Hello</p>',
  translations: {},
  version: 2,
}
const audit = { userId: 1, at: '2026-11-20T07:17:00.000Z' }

let single: SingleTable
let calls: string[]
let config: ReturnType<typeof createConfig>
beforeAll(async () => {
  single = await openSingleTable()
  await single.store.write(tenant, putConfigRow(tenant, 'NOTIFICATION_TEMPLATE', objectRow(welcome), null, audit))
  await single.store.write(tenant, putConfigRow(tenant, 'NOTIFICATION_CODE', headRow(welcome), null, audit))
})
afterAll(() => single?.close())
beforeEach(() => {
  calls = []
  const store = single.storeThrough((operation, call) => {
    calls.push(operation)
    return call()
  })
  config = createConfig(store, { uuid: () => 'none', now: () => 0 })
})

describe('a template is found by its code', () => {
  it('with two reads at first, and with none until the configuration changes', async () => {
    expect(await findTemplate({ config }, tenant, 'welcome')).toMatchObject(welcome)
    expect(calls).toEqual(['GetItem', 'GetItem'])
    expect(await findTemplate({ config }, tenant, 'welcome')).toMatchObject(welcome)
    expect(calls).toHaveLength(2)
    await findTemplate({ config }, { ...tenant, configVersion: 2 }, 'welcome')
    expect(calls).toHaveLength(4)
  })

  it('in its own tenant only', async () => {
    expect(await findTemplate({ config }, { ...tenant, id: 8 }, 'welcome')).toBeUndefined()
  })

  it.each(['', 'Welcome', 'with space', '#', 'x'.repeat(5_000)])('and not by %j', async (code) => {
    expect(await findTemplate({ config }, tenant, code)).toBeUndefined()
  })
})
