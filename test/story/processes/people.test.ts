import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { userWith } from '../../make/builders/people.ts'
import { bpmn, end, eventually, inARow, makeProcess, read, start } from '../../make/builders/processes/processes.ts'
import { makeRequests } from '../../make/builders/records/tables.ts'
import { type TestService, sharedService } from '../../make/services/service.ts'

let service: TestService
let agent: { id: number }
let nobodies = 0
const api = (method: string, path: string, body?: unknown) =>
  service.api(method, path, { token: service.admin.token, body })
const tasks = '/api/sys/process-tasks'
const instances = '/api/sys/process-instances'

beforeAll(async () => {
  service = await sharedService()
  await makeRequests(service)
  agent = await userWith(service, ['requests.read'])
})
afterAll(() => service?.stop())

describe('people in a process', () => {
  it('are found by address: of a literal, a list and a variable', async () => {
    const [ada, ben] = [await userWith(service, []), await userWith(service, [])]
    const [first, second] = [
      `${ada.role}@${service.tenant.slug}.test`,
      `${ben.role.toUpperCase()}@${service.tenant.slug}.test`,
    ]
    const each = `<multiInstanceLoopCharacteristics wf:collection="\${['${first}', '${second}']}" wf:elementVariable="person"/>`
    const elements = inARow(
      start,
      `<userTask id="review" name="Review by \${variables.person}" wf:assignee="\${variables.person}">
        <extensionElements><wf:setFields on="complete"><wf:set field="note" value="\${variables.person}, \${loop.index}"/></wf:setFields></extensionElements>${each}</userTask>`,
      `<userTask id="sign" wf:candidateUsers="${first}, ${second}, ${agent.id}"/>`,
      end,
    )
    await makeProcess(service, 'requests', 'addressed', bpmn(elements))
    const recordId = (await api('POST', '/api/e/requests', { title: 'A' })).body.data.id
    const begun = await api('POST', instances, { template_code: 'addressed', record_id: recordId })
    const instanceId = begun.body.data.id
    const open = async () =>
      (await read(service, `${tasks}?per_page=100&status=pending`)).filter(
        (task: any) => task.instance_id === instanceId,
      )
    const reviews = await eventually('two reviews', async () => ((await open()).length === 2 ? open() : undefined))
    expect(reviews.map(({ assignee }: any) => assignee).toSorted()).toEqual([ada.id, ben.id].toSorted())
    expect(reviews.map(({ name }: any) => name).toSorted()).toEqual(
      [`Review by ${first}`, `Review by ${second}`].toSorted(),
    )
    for (const { id, assignee } of reviews) {
      expect((await api('POST', `${tasks}/${id}/complete`)).status).toBe(200)
      const { note } = (await read(service, `/api/e/requests/${recordId}`)).data
      expect(note).toBe(assignee === ada.id ? `${first}, 0` : `${second}, 1`)
    }
    const [sign] = await eventually('the last task', async () => ((await open()).length === 1 ? open() : undefined))
    const { candidates } = await read(service, `${tasks}/${sign.id}`)
    expect(candidates.users.toSorted()).toEqual([ada.id, ben.id, agent.id].toSorted())
  })

  it.each([
    [
      'wf:assignee="${record.note}"',
      'gone@people.test',
      'wf:assignee is "gone@people.test", which is the address of no active user.',
    ],
    ['wf:assignee="${record.note}"', 'Ada', 'wf:assignee is "Ada", which is neither the id nor the address of a user.'],
    [
      'wf:candidateUsers="${record.note}"',
      'gone@people.test',
      'wf:candidateUsers is "gone@people.test", which is the address of no active user.',
    ],
    [
      'wf:candidateOrgUnits="${record.note}"',
      'IT',
      'wf:candidateOrgUnits is "IT", which is not the id of an org unit.',
    ],
  ])('are an incident, when %s is %s', async (attribute, note, message) => {
    const code = `nobody_${++nobodies}`
    await makeProcess(service, 'requests', code, bpmn(inARow(start, `<userTask id="do" ${attribute}/>`, end)))
    const recordId = (await api('POST', '/api/e/requests', { title: 'A', note })).body.data.id
    const { body } = await api('POST', instances, { template_code: code, record_id: recordId })
    const { status, incidents } = await read(service, `${instances}/${body.data.id}`)
    expect([status, incidents.map((one: any) => one.message)]).toEqual(['incident', [message]])
    await api('PATCH', `/api/e/requests/${recordId}`, { note: null })
    await api('POST', `${instances}/${body.data.id}/retry`)
    await eventually(
      'the task',
      async () => (await read(service, `${instances}/${body.data.id}`)).status === 'running' || undefined,
    )
  })
})
