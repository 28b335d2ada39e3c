import { afterAll, beforeAll, expect, it } from 'vitest'
import { userWith } from '../../make/builders/people.ts'
import { bpmn, end, inARow, makeProcess, start } from '../../make/builders/processes/processes.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { startService, type TestService } from '../../make/services/service.ts'

/* People without a right on a table hear by mail of what they asked for, and of what they are asked. */

let service: TestService
beforeAll(async () => {
  service = await startService({ log: () => {} })
  const config = { transport: 'ses', from_address: 'desk@acme.test' }
  await data('POST', '/api/sys/channels', { name: 'mail', type: 'email', is_default: true, config })
  await data('PUT', '/api/sys/settings', { TIMEZONE: 'Europe/Berlin', ACCENT_COLOR: '#aa3300' })
})
afterAll(() => service?.stop())

async function data(method: string, path: string, body?: unknown, token = service.admin.token): Promise<any> {
  const answer = await service.api(method, path, { token, body })
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body?.data
}
async function mailsTo({ id }: { readonly id: number }): Promise<any[]> {
  await service.cloud.idle()
  const to = encodeURIComponent((await data('GET', `/api/sys/users/${id}`)).email)
  return ((await (await fetch(`${service.url}/_local/outbox?type=mail&to=${to}`)).json()) as { data: any[] }).data
}
const bodyOf = async ({ id }: { id: number }) =>
  (await (await fetch(`${service.url}/_local/outbox/${id}/source`)).text())
    .replaceAll('=\r\n', '')
    .replaceAll('=3D', '=')

it('requesters and approvers get mails with a link into the portal until they choose otherwise; the team does not', async () => {
  await makeTable(service, 'trips', [{ name: 'title', type: 'text', required: true }])
  const [requester, approver] = [await userWith(service, []), await userWith(service, [])]
  const agent = await userWith(service, ['trips.read', 'trips.update', 'trips.comment'])
  const due = 'wf:dueDate="P1D"'
  const ask = `<userTask id="ask" name="May they go?" wf:candidateUsers="${approver.id},${agent.id}" wf:outcomes="yes,no" ${due}/>`
  await makeProcess(service, 'trips', 'trip', bpmn(inARow(start, ask, end)), { is_auto_start: true })
  const item = await data('POST', '/api/sys/portal/items', { name: 'A trip', model: 'trips', fields: ['title'] })
  const sent = { item_id: item.id, data: { title: 'Lisbon' } }
  const request = await data('POST', '/api/portal/requests', sent, requester.token)
  const [asked] = await mailsTo(approver)
  expect(asked).toMatchObject({ subject: 'New task: May they go?' })
  const body = await bodyOf(asked)
  expect(body).toContain(`href="${service.url}/portal/approvals"`)
  expect(body).toContain('border-left: 4px solid #aa3300')
  expect(body).not.toMatch(/due \d{4}-/)
  expect(body).toMatch(/due \d{1,2} \p{L}+ \d{4}, \d\d:\d\d/u)
  expect(await mailsTo(agent)).toEqual([])
  await data('POST', '/api/e/trips/1/watchers', undefined, agent.token)
  await data('POST', '/api/e/trips/1/comments', { body: 'Which day? 2026-07-01T22:30:00Z' }, agent.token)
  const [told] = await mailsTo(requester)
  const text = await bodyOf(told)
  expect(text).toContain(`${service.url}/portal/requests/${request.id}`)
  expect(text).toContain('about a request or a task of yours')
  // What people write stays as they wrote it.
  expect(text).toContain('Which day? 2026-07-01T22:30:00Z')
  const [rung] = await data('GET', '/api/notifications', undefined, requester.token)
  expect(rung).toMatchObject({ url: `${service.url}/portal/requests/${request.id}` })
  await data('PUT', '/api/user/preferences', { notifications: { comment: { email: false } } }, requester.token)
  await data('POST', '/api/e/trips/1/comments', { body: 'Never mind.' }, agent.token)
  expect(await mailsTo(requester)).toHaveLength(1)
})
