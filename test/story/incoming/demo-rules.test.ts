import { afterAll, beforeAll, expect, it } from 'vitest'
import { demoRules, demoTables } from '../../../infra/local/demo/demo.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

let service: TestService
const api = async (method: string, path: string, body?: object) => {
  const { status, body: answer } = await service.api(method, path, { token: service.admin.token, body })
  if (status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
  return answer.data
}
const messages = '/api/sys/incoming_messages'

beforeAll(async () => {
  service = await sharedService()
  await demoTables(api)
  await demoRules(api)
})
afterAll(() => service?.stop())

it('the rules of the demo make a request of a message, and a client of its sender by a button', async () => {
  const ann = { from_name: 'Ann Carter', from_email: 'ann@northwind.example' }
  const first = await api('POST', messages, { ...ann, body: 'No paper', payload: { priority: '4' } })
  const button = (await api('GET', '/api/sys/incoming-actions')).find((rule: any) => !rule.is_automatic)
  const client = await api('POST', `/api/sys/incoming-actions/${button.id}/execute`, { message_id: first.id })
  expect(client.data).toEqual({ name: 'Ann Carter', email: 'ann@northwind.example' })
  const second = await api('POST', messages, { ...ann, subject: 'Still no paper' })
  await service.cloud.idle()
  const request = async ({ id }: { id: number }) => {
    const { records } = await api('GET', `${messages}/${id}`)
    const made = records.find(({ model }: { model: string }) => model === 'requests')
    return (await api('GET', `/api/e/requests/${made.id}`)).data
  }
  expect(await request(first)).toMatchObject({ title: 'Message of Ann Carter', description: 'No paper', priority: 4 })
  expect(await request(second)).toMatchObject({ title: 'Still no paper', client_id: client.id, priority: 3 })
})
