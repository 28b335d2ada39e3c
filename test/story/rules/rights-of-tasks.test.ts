import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { userWith } from '../../make/builders/people.ts'
import {
  bpmn,
  end,
  inARow,
  makeProcess,
  read,
  setFields,
  start,
  taskOf,
} from '../../make/builders/processes/processes.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { type ApiAnswer, sharedService, type TestService } from '../../make/services/service.ts'

type Person = Awaited<ReturnType<typeof userWith>>

let service: TestService
/** Read all deeds, update those of IT, and write their titles only. */
let [agent, helper]: Person[] = []
/** Reads deeds. */
let reader: Person
const tasks = '/api/sys/process-tasks'
const instances = '/api/sys/process-instances'
const rules = [{ table: 'deeds', action: 'update', filter: { dept: 'it' } }]
const fields = { deeds: { read: ['title', 'dept'], write: ['title'] } }

const api = (method: string, path: string, body?: unknown, who: { token: string } = service.admin) =>
  service.api(method, path, { token: who.token, body })
const act = (what: string, id: number, body: unknown, who?: { token: string }) =>
  api('POST', `${tasks}/${id}/${what}`, body, who)
const told = ({ status, body }: ApiAnswer) => [status, body.code]
const forbidden = [403, 'record_forbidden']
const deed = async (dept: string): Promise<number> =>
  (await api('POST', '/api/e/deeds', { title: 'Plan', secret: 'before', dept })).body.data.id
const secretOf = async (id: number): Promise<string> => (await read(service, `/api/e/deeds/${id}`)).data.secret
const completed = { outcome: 'yes', data: { sec: 'after' } }

/** A task of a new record: offered to nobody, unless the process says otherwise. */
async function begin(dept: string, code = 'open'): Promise<{ recordId: number; taskId: number }> {
  const recordId = await deed(dept)
  const started = await api('POST', instances, { template_code: code, record_id: recordId })
  if (started.status !== 201) throw new Error(JSON.stringify(started.body))
  return { recordId, taskId: (await taskOf(service, 'deeds', recordId)).id }
}

const task = (attributes: string) =>
  `<userTask id="do" name="Do it" wf:outcomes="yes,no" ${attributes}><extensionElements><wf:form>
    <wf:formField name="sec" type="text" bind="record.secret"/><wf:formField name="title" type="text" bind="record.title"/>
  </wf:form></extensionElements></userTask>`

beforeAll(async () => {
  service = await sharedService()
  await makeTable(
    service,
    'deeds',
    ['title', 'secret', 'dept'].map((name) => ({ name, type: 'text' })),
  )
  agent = await userWith(service, ['deeds.read', 'deeds.update'], rules, fields)
  helper = await userWith(service, ['deeds.read', 'deeds.update'], rules, fields)
  reader = await userWith(service, ['deeds.read'])
  const adHoc =
    '<adHocSubProcess id="care" wf:begin="onRequest"><userTask id="visit"/><completionCondition>task.outcome === &quot;done&quot;</completionCondition></adHocSubProcess>'
  for (const [code, elements] of Object.entries({
    open: task(''),
    assigned: task(`wf:assignee="${reader.id}"`),
    offered: task(`wf:candidateUsers="${reader.id}"`),
    sets: setFields('set', { title: 'Changed' }),
    care: adHoc,
  }))
    await makeProcess(service, 'deeds', code, bpmn(inARow(start, elements, end)))
})
afterAll(() => service?.stop())

describe('a record that row rules keep from being updated', () => {
  it('is not changed by a process that is started for it', async () => {
    const body = { template_code: 'sets', record_id: await deed('hr') }
    expect(told(await api('POST', instances, body, agent))).toEqual(forbidden)
    expect((await read(service, `/api/e/deeds/${body.record_id}`)).data.title).toBe('Plan')
    const own = { template_code: 'sets', record_id: await deed('it') }
    expect((await api('POST', instances, own, agent)).status).toBe(201)
    expect((await read(service, `/api/e/deeds/${own.record_id}`)).data.title).toBe('Changed')
  })

  it('gets no activity begun in its ad-hoc sub-process', async () => {
    for (const [dept, status] of [
      ['hr', 403],
      ['it', 200],
    ] as const) {
      const { body } = await api('POST', instances, { template_code: 'care', record_id: await deed(dept) })
      const path = `${instances}/${body.data.id}/activities`
      expect([dept, (await api('POST', path, { element_id: 'visit' }, agent)).status]).toEqual([dept, status])
    }
  })

  it('has tasks that nobody who may not update it claims, completes or delegates', async () => {
    const { recordId, taskId } = await begin('hr')
    expect(told(await act('claim', taskId, {}, agent))).toEqual(forbidden)
    expect(told(await act('delegate', taskId, { to: helper?.id }, agent))).toEqual(forbidden)
    expect(told(await act('complete', taskId, completed, agent))).toEqual(forbidden)
    expect(await read(service, `${tasks}/${taskId}`)).toMatchObject({ assignee: null, status: 'pending' })
    expect(await secretOf(recordId)).toBe('before')
  })
})

describe('a task that is offered to nobody', () => {
  it('gives whoever claims it no field beyond their own, nor to whom they pass it on', async () => {
    const { recordId, taskId } = await begin('it')
    expect((await act('claim', taskId, {}, agent)).status).toBe(200)
    expect((await act('complete', taskId, completed, agent)).body.errors).toHaveProperty(['data.sec'])
    await act('delegate', taskId, { to: helper?.id }, agent)
    expect((await act('complete', taskId, completed, helper)).body.errors).toHaveProperty(['data.sec'])
    await act('reassign', taskId, { assignee: helper?.id }, agent)
    expect((await act('complete', taskId, completed, helper)).body.errors).toHaveProperty(['data.sec'])
    await act('reassign', taskId, { assignee: reader.id }, helper)
    expect((await act('complete', taskId, { outcome: 'yes' }, reader)).status).toBe(403)
    await act('reassign', taskId, { assignee: agent?.id }, reader)
    expect(await secretOf(recordId)).toBe('before')
  })

  it('is completed by who may update the record, with the fields that they may write', async () => {
    for (const first of [['claim'], []]) {
      const { recordId, taskId } = await begin('it')
      for (const what of first) await act(what, taskId, {}, agent)
      const done = await act('complete', taskId, { outcome: 'yes', data: { title: 'Done' } }, agent)
      expect([done.status, done.body.data.completed_by?.id]).toEqual([200, agent?.id])
      expect((await read(service, `/api/e/deeds/${recordId}`)).data.title).toBe('Done')
    }
  })

  it('is nothing to its claimant any more when the record has left their reach', async () => {
    const narrow = await userWith(
      service,
      ['deeds.read', 'deeds.update'],
      ['read', 'update'].map((action) => ({ table: 'deeds', action, filter: { dept: ['it', 'lab'] } })),
    )
    const mine = async () =>
      (await api('GET', `${tasks}?mine=true`, undefined, narrow)).body.data.map(({ id }: any) => id)
    const { recordId, taskId } = await begin('it')
    await act('claim', taskId, {}, narrow)
    expect(await mine()).toEqual([taskId])
    await api('PATCH', `/api/e/deeds/${recordId}`, { dept: 'hr' })
    for (const [what, body] of [
      ['complete', completed],
      ['reassign', { assignee: narrow.id }],
      ['delegate', { to: agent?.id }],
    ] as const)
      expect([what, (await act(what, taskId, body, narrow)).status]).toEqual([what, 404])
    expect((await api('PATCH', `${tasks}/${taskId}`, { due_at: null }, narrow)).status).toBe(404)
    expect(await mine()).toEqual([])
    expect(await secretOf(recordId)).toBe('before')
  })

  it('asks a substitute for a right of their own', async () => {
    const { taskId } = await begin('it')
    await act('claim', taskId, {}, agent)
    await api('PUT', `/api/sys/users/${agent?.id}`, { substitute_id: reader.id })
    expect((await act('complete', taskId, { outcome: 'yes' }, reader)).status).toBe(403)
    await api('PUT', `/api/sys/users/${agent?.id}`, { substitute_id: helper?.id })
    expect((await act('complete', taskId, { outcome: 'yes' }, helper)).status).toBe(200)
    await api('PUT', `/api/sys/users/${agent?.id}`, { substitute_id: null })
  })

  it('is no approval in the portal, where the task is the permission', async () => {
    const { taskId } = await begin('it')
    await act('claim', taskId, {}, agent)
    expect((await api('GET', '/api/portal/approvals', undefined, agent)).body.data).toEqual([])
    const comment = await api('POST', `/api/portal/approvals/${taskId}/comments`, { body: 'A note' }, agent)
    expect(told(comment)).toEqual([404, 'task_not_found'])
  })
})

describe('whom the template or an administrator gives a task', () => {
  it('writes what its form binds, without a permission', async () => {
    for (const code of ['assigned', 'offered']) {
      const { recordId, taskId } = await begin('hr', code)
      if (code === 'offered') await act('claim', taskId, {}, reader)
      expect([code, (await act('complete', taskId, completed, reader)).status]).toEqual([code, 200])
      expect(await secretOf(recordId)).toBe('after')
    }
  })

  it('has it by that word, whoever claimed it before', async () => {
    const { recordId, taskId } = await begin('it')
    await act('claim', taskId, {}, agent)
    expect((await act('reassign', taskId, { assignee: agent?.id })).body.data.history.at(-1).what).toBe('reassigned')
    expect((await act('complete', taskId, completed, agent)).status).toBe(200)
    expect(await secretOf(recordId)).toBe('after')
  })

  it('may pass it on, and do it for an administrator to whom it returns', async () => {
    const passed = await begin('hr', 'assigned')
    await act('reassign', passed.taskId, { assignee: helper?.id }, reader)
    expect((await act('complete', passed.taskId, completed, helper)).status).toBe(200)
    const asked = await begin('hr')
    await act('claim', asked.taskId, {})
    await act('delegate', asked.taskId, { to: reader.id })
    expect((await act('complete', asked.taskId, completed, reader)).body.data.delegation).toBe('resolved')
    expect([await secretOf(passed.recordId), await secretOf(asked.recordId)]).toEqual(['after', 'after'])
  })

  it('does not get it by an administrator who works on it for who claimed it', async () => {
    const { recordId, taskId } = await begin('it')
    await act('claim', taskId, {}, agent)
    await act('delegate', taskId, { to: helper?.id })
    expect((await act('complete', taskId, completed, helper)).body.errors).toHaveProperty(['data.sec'])
    await act('complete', taskId, { outcome: 'yes' }, helper)
    expect((await act('complete', taskId, completed, agent)).body.errors).toHaveProperty(['data.sec'])
    expect(await secretOf(recordId)).toBe('before')
  })
})
