import { afterAll, beforeAll, expect, it } from 'vitest'
import { otherTenant } from '../../make/builders/people.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

/* Rules that are slow or fail, beside those of somebody else. */

const messages = '/api/sys/incoming_messages'
const rules = '/api/sys/incoming-actions'
const rule = {
  name: 'All',
  channel: 'api',
  target_model: 'requests',
  is_automatic: true,
  field_mapping: { title: 'subject' },
}
let service: TestService
let other: string

beforeAll(async () => {
  service = await sharedService()
  other = (await otherTenant(service)).token
  const table = { name: 'requests', table_fields: [{ name: 'title', type: 'text' }] }
  await makeTable(service, table.name, table.table_fields)
  await service.api('POST', '/api/sys/entities', { token: other, body: table })
  await service.api('POST', rules, { token: other, body: rule })
})
afterAll(() => service?.stop())

const ours = (method: string, path: string, body?: unknown) =>
  service.api(method, path, { token: service.admin.token, body })

it('forty messages with a rule that never ends do not delay the message of another company', async () => {
  const { id } = (await ours('POST', rules, { ...rule, script: 'while (true) {}' })).body.data
  for (let n = 0; n < 40; n += 1) await ours('POST', messages, { body: String(n) })
  const sent = await service.api('POST', messages, { token: other, body: { subject: 'Lamp', body: '' } })
  const read = () => service.api('GET', `${messages}/${sent.body.data.id}`, { token: other })
  const isDone = async () => !(await read()).body.data.is_waiting
  await expect.poll(isDone).toBe(true)
  const waiting = (await ours('GET', `${messages}?per_page=100`)).body.data.filter((one: any) => one.is_waiting)
  expect(waiting.length).toBeGreaterThan(10)
  await ours('DELETE', `${rules}/${id}`)
  await service.cloud.idle()
})
