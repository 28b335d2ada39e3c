import { afterAll, beforeAll, expect, it } from 'vitest'
import { userWith } from '../../make/builders/people.ts'
import { bpmn, end, eventually, inARow, makeProcess, start } from '../../make/builders/processes/processes.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

let service: TestService
beforeAll(async () => {
  service = await sharedService()
})
afterAll(() => service?.stop())

async function data(method: string, path: string, body?: unknown, token = service.admin.token): Promise<any> {
  const answer = await service.api(method, path, { token, body })
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body?.data
}

it('a task that asks for an outcome is an approval of who it waits for, without a permission on its table', async () => {
  await makeTable(service, 'journeys', [
    { name: 'title', label: 'Where', type: 'text', required: true },
    { name: 'budget', type: 'integer' },
  ])
  const requester = await userWith(service, [])
  const approver = await userWith(service, [])
  const stranger = await userWith(service, [])
  const asked = `<userTask id="ask" name="May they go?" wf:candidateUsers="${approver.id}" wf:outcomes="yes,no"/>`
  const told = `<userTask id="told" name="Book it" wf:assignee="${approver.id}"/>`
  await makeProcess(service, 'journeys', 'journey', bpmn(inARow(start, asked, told, end)), { is_auto_start: true })
  const { id: item } = await data('POST', '/api/sys/portal/items', {
    name: 'A journey',
    model: 'journeys',
    fields: ['title'],
    defaults: { budget: 4711 },
  })
  const body = { item_id: item, data: { title: 'Lisbon' } }
  const request = await data('POST', '/api/portal/requests', body, requester.token)
  const approvals = (as: { token: string }): Promise<any[]> => data('GET', '/api/portal/approvals', undefined, as.token)
  const [approval] = await eventually('the approval', async () => {
    const found = await approvals(approver)
    return found.length > 0 ? found : undefined
  })
  expect(approval).toMatchObject({
    name: 'May they go?',
    is_claimed: false,
    outcomes: ['yes', 'no'],
    request: {
      item: { id: item, name: 'A journey' },
      title: 'Lisbon',
      state: null,
      requester: { id: requester.id },
      fields: [{ name: 'title', label: 'Where', value: 'Lisbon' }],
      created_at: request.created_at,
    },
  })
  expect(JSON.stringify(approval)).not.toMatch(/4711|journeys/)
  for (const nobody of [requester, stranger]) expect(await approvals(nobody)).toEqual([])
  const comment = `/api/portal/approvals/${approval.id}/comments`
  for (const nobody of [requester, stranger])
    expect(await service.api('POST', comment, { token: nobody.token, body: { body: 'Yes!' } })).toMatchObject({
      status: 404,
      body: { code: 'task_not_found' },
    })
  expect(await data('POST', comment, { body: 'By train, please.' }, approver.token)).toEqual(approval)
  expect(
    (await data('GET', `/api/portal/requests/${request.id}`, undefined, requester.token)).conversation,
  ).toMatchObject([{ body: 'By train, please.', author: { is_team: true, is_you: false } }])
  await data('POST', `/api/sys/process-tasks/${approval.id}/complete`, { outcome: 'yes' }, approver.token)
  // The next task waits for the same person, and asks for no outcome.
  await eventually('the next task', async () => {
    const tasks = await data('GET', '/api/sys/process-tasks?mine=true', undefined, approver.token)
    return tasks.some(({ name }: any) => name === 'Book it') || undefined
  })
  expect(await approvals(approver)).toEqual([])
  expect(
    (await service.api('POST', comment, { token: approver.token, body: { body: 'Too late.' } })).status,
    'a task that is done takes no comment',
  ).toBe(404)
})
