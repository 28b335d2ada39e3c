/** A service with processes whose tasks are offered, open and assigned, and people who may and may not do them. */
import { userWith } from '../../builders/people.ts'
import { bpmn, end, inARow, makeProcess, setFields, start } from '../../builders/processes/processes.ts'
import { makeRequests } from '../../builders/records/tables.ts'
import { sharedService } from '../service.ts'

export const tasks = '/api/sys/process-tasks'
export const instances = '/api/sys/process-instances'

const form = `<extensionElements><wf:form>
  <wf:formField name="comment" type="textarea" bind="record.note"/>
  <wf:formField name="move" type="text" bind="record.status"/>
  <wf:formField name="hours" type="integer" required="true"/>
  <wf:formField name="who" type="user"/>
  <wf:formField name="title" bind="record.title" readonly="true"/>
</wf:form></extensionElements>`
const offered = (role: string) =>
  inARow(
    start,
    `<userTask id="approve" name="Approve" wf:candidateRoles="${role}" wf:outcomes="yes,no">${form}</userTask>`,
    '<userTask id="after"/>',
    end,
  )

export type TaskWorld = Awaited<ReturnType<typeof taskWorld>>

export async function taskWorld() {
  const service = await sharedService()
  const api = (method: string, path: string, body?: unknown, token = service.admin.token) =>
    service.api(method, path, { token, body })

  /** Makes a record and starts a process with one task for it. */
  async function begin(code: string, record: object = {}) {
    const recordId = (await api('POST', '/api/e/requests', { title: 'A', ...record })).body.data.id as number
    const { status, body } = await api('POST', instances, { template_code: code, record_id: recordId })
    if (status !== 201) throw new Error(`not started: ${JSON.stringify(body)}`)
    return { recordId, instanceId: body.data.id as number, taskId: body.data.tokens[0].task_id as number }
  }
  const complete = (id: number, body?: unknown, token?: string) => api('POST', `${tasks}/${id}/complete`, body, token)
  /** The ids of the tasks that wait for somebody. */
  const mine = async (token: string, query = ''): Promise<number[]> =>
    (await api('GET', `${tasks}?mine=true&per_page=100${query}`, undefined, token)).body.data.map(({ id }: any) => id)

  await makeRequests(service)
  const agent = await userWith(service, ['requests.read'])
  const other = await userWith(service, ['requests.read'])
  const reader = await userWith(service, ['requests.read'])
  const outsider = await userWith(service, ['clients.*'])
  await service.api('PUT', `/api/sys/users/${other.id}`, { token: service.admin.token, body: { roles: [agent.role] } })
  await makeProcess(service, 'requests', 'offered', bpmn(offered(agent.role)))
  await makeProcess(
    service,
    'requests',
    'open',
    bpmn(inARow(start, '<userTask id="do"/>', setFields('close', { note: 'closed' }), end)),
  )
  await makeProcess(
    service,
    'requests',
    'assigned',
    bpmn(inARow(start, `<userTask id="do" wf:assignee="user:${agent.id}" wf:candidateRoles="${agent.role}"/>`, end)),
  )

  return { service, api, begin, complete, mine, agent, other, reader, outsider }
}
