import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { userWith } from '../../make/builders/people.ts'
import {
  bpmn,
  end,
  eventually,
  inARow,
  makeProcess,
  read,
  setFields,
  start,
} from '../../make/builders/processes/processes.ts'
import { makeRequests } from '../../make/builders/tables.ts'
import { startService, type TestService } from '../../make/services/service.ts'

let service: TestService
let agent: { token: string; id: number; role: string }
let other: { token: string; id: number }
let reader: { token: string; id: number }
let outsider: { token: string; id: number }
const api = (method: string, path: string, body?: unknown, token = service.admin.token) =>
  service.api(method, path, { token, body })
const tasks = '/api/sys/process-tasks'
const instances = '/api/sys/process-instances'

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

async function begin(code: string, record: object = {}) {
  const recordId = (await api('POST', '/api/e/requests', { title: 'A', ...record })).body.data.id as number
  const { status, body } = await api('POST', instances, { template_code: code, record_id: recordId })
  expect(status).toBe(201)
  return { recordId, instanceId: body.data.id as number, taskId: body.data.tokens[0].task_id as number }
}
const complete = (id: number, body?: unknown, token?: string) => api('POST', `${tasks}/${id}/complete`, body, token)
const mine = async (token: string, query = '') =>
  (await api('GET', `${tasks}?mine=true&per_page=100${query}`, undefined, token)).body.data.map(({ id }: any) => id)

beforeAll(async () => {
  service = await startService({ log: () => {} })
  await makeRequests(service)
  agent = await userWith(service, ['requests.read'])
  other = await userWith(service, ['requests.read'])
  reader = await userWith(service, ['requests.read'])
  outsider = await userWith(service, ['clients.*'])
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
})
afterAll(() => service?.stop())

describe('completing a task', () => {
  it('writes bound form fields to the record with the completion, keeps the rest as variables, and continues the process', async () => {
    const { recordId, instanceId, taskId } = await begin('offered')
    const done = await complete(
      taskId,
      { outcome: 'yes', data: { comment: 'fine', hours: 3, who: other.id, move: 'open' } },
      agent.token,
    )
    expect(done.status).toBe(200)
    expect(done.body.data).toMatchObject({
      id: taskId,
      status: 'completed',
      outcome: 'yes',
      assignee: agent.id,
      completed_by: { id: agent.id, name: expect.any(String) },
      completed_at: expect.any(String),
    })
    expect((await read(service, `/api/e/requests/${recordId}`)).data).toMatchObject({
      note: 'fine',
      status: 'open',
      title: 'A',
    })
    expect((await read(service, `/api/sys/history/requests/${recordId}`))[0]).toMatchObject({
      user: { id: agent.id },
      source: 'process',
      changes: { note: { new: 'fine' } },
    })
    const instance = await read(service, `${instances}/${instanceId}`)
    expect(instance).toMatchObject({
      status: 'running',
      tokens: [{ element_id: 'after', kind: 'task' }],
      variables: { hours: 3, who: other.id, outcome: 'yes' },
    })
    expect(instance.variables).not.toHaveProperty('comment')
  })

  it('names every wrong form value by its path, and writes nothing', async () => {
    const { recordId, taskId } = await begin('offered')
    const wrong = await complete(
      taskId,
      { outcome: 'perhaps', data: { comment: 7, who: 9999, title: 'B', more: 1 } },
      agent.token,
    )
    expect([wrong.status, wrong.body.errors]).toEqual([
      422,
      {
        outcome: ['The selected outcome is invalid: it must be one of yes, no.'],
        'data.comment': ['The comment must be a string.'],
        'data.hours': ['The hours field is required.'],
        'data.who': ['The selected who is invalid.'],
        'data.title': ['The title field is read-only.'],
        'data.more': ['The more field is unknown.'],
      },
    ])
    const byRecord = await complete(taskId, { outcome: 'yes', data: { hours: 1, move: 'closed' } }, agent.token)
    expect([byRecord.status, Object.keys(byRecord.body.errors)]).toEqual([422, ['data.move']])
    expect((await complete(taskId, {}, agent.token)).body.errors.outcome).toEqual(['The outcome field is required.'])
    expect(await read(service, `${tasks}/${taskId}`)).toMatchObject({ status: 'pending', assignee: null })
    expect((await read(service, `/api/e/requests/${recordId}`)).version).toBe(1)
  })

  it('succeeds when the record has these values already', async () => {
    const { recordId, instanceId, taskId } = await begin('offered', { note: 'fine' })
    expect((await complete(taskId, { outcome: 'no', data: { hours: 1, comment: 'fine' } }, agent.token)).status).toBe(
      200,
    )
    expect((await read(service, `/api/e/requests/${recordId}`)).version).toBe(1)
    expect((await read(service, `${instances}/${instanceId}`)).tokens).toMatchObject([{ element_id: 'after' }])
  })

  it('is allowed to its assignee, else to its candidates, else to users who may update the record, and always to administrators', async () => {
    const { taskId } = await begin('offered')
    const body = { outcome: 'yes', data: { hours: 1 } }
    const byHand = (token: string, id = taskId) => complete(id, body, token)
    expect([
      (await byHand(reader.token)).status,
      (await byHand(outsider.token)).status,
      (await complete(9999, body, agent.token)).status,
    ]).toEqual([403, 404, 404])
    const open = (await begin('open')).taskId
    const writer = await userWith(service, ['requests.read', 'requests.update'])
    expect([(await complete(open, {}, agent.token)).status, (await complete(open, {}, writer.token)).status]).toEqual([
      403, 200,
    ])
    const assigned = (await begin('assigned')).taskId
    expect([
      (await complete(assigned, {}, other.token)).status,
      (await complete(assigned, {}, agent.token)).status,
    ]).toEqual([403, 200])
    expect((await byHand(service.admin.token)).status).toBe(200)
  })

  it('a second time answers 409 with who completed it and when, even to the same user', async () => {
    const { taskId } = await begin('open')
    const { body } = await complete(taskId)
    const again = await complete(taskId)
    expect([again.status, again.body.message]).toEqual([
      409,
      `The task was completed by Grace Hopper at ${body.data.completed_at}.`,
    ])
    const cancelled = await begin('open')
    await api('POST', `${instances}/${cancelled.instanceId}/cancel`)
    expect((await complete(cancelled.taskId)).body.message).toMatch(/^The task was cancelled at /)
  })

  it.each([
    ['with a write of the record', 'offered', { outcome: 'yes', data: { hours: 1 } }],
    ['without a write of the record', 'open', {}],
  ])('twice at once, %s, succeeds for one user and names that user to the other', async (_, code, body) => {
    const people = await Promise.all(
      [agent, other].map(async ({ token, id }) => ({
        token,
        id,
        name: (await read(service, `/api/sys/users/${id}`)).name,
      })),
    )
    const started = await Promise.all(Array.from({ length: 10 }, () => begin(code)))
    for (const { taskId, recordId, instanceId } of started) {
      const actors =
        code === 'open'
          ? [
              { token: service.admin.token, id: service.admin.userId, name: 'Grace Hopper' },
              { token: service.admin.token, id: service.admin.userId, name: 'Grace Hopper' },
            ]
          : people
      const answers = await Promise.all(
        actors.map(({ token, name }, index) =>
          complete(taskId, code === 'open' ? body : { ...body, data: { hours: index, comment: name } }, token),
        ),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
      const winner = answers.findIndex(({ status }) => status === 200)
      const loser = answers.find(({ status }) => status === 409)
      expect(loser?.body.message).toBe(
        `The task was completed by ${actors[winner]?.name} at ${answers[winner]?.body.data.completed_at}.`,
      )
      if (code === 'open') continue
      const record = await read(service, `/api/e/requests/${recordId}`)
      expect([record.version, record.data.note]).toEqual([2, actors[winner]?.name])
      expect((await read(service, `${instances}/${instanceId}`)).variables.hours).toBe(winner)
    }
  })
})

describe('a completion whose transaction meets a fault', () => {
  it.each([
    { action: 'crash-before', answers: [500, 200], left: ['pending', 1, undefined] },
    { action: 'crash-after', answers: [500, 409], left: ['completed', 2, 'fine'] },
    { action: 'lose-answer', answers: [200, 409], left: ['completed', 2, 'fine'] },
    { action: 'throttle', answers: [200, 409], left: ['completed', 2, 'fine'] },
    { action: 'repeat', answers: [200, 409], left: ['completed', 2, 'fine'] },
  ] as const)('changes the record and the task together or not at all ($action)', async ({ action, answers, left }) => {
    const { recordId, taskId } = await begin('offered')
    const body = { outcome: 'yes', data: { hours: 1, comment: 'fine' } }
    const functionName = service.cloud.functions.find((name) => /^processes/i.test(name))
    const fault = service.cloud.faults.inject({ functionName, operation: 'TransactWriteItems', action })
    const answer = await complete(taskId, body, agent.token)
    service.cloud.faults.clear()
    expect(fault.struck).toBe(1)
    const [task, record] = [
      await read(service, `${tasks}/${taskId}`),
      await read(service, `/api/e/requests/${recordId}`),
    ]
    expect([task.status, record.version, record.data.note]).toEqual(left)
    expect([answer.status, (await complete(taskId, body, agent.token)).status]).toEqual(answers)
  })
})

describe('claiming a task', () => {
  it('while another user completes it succeeds for one of them only', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { taskId } = await begin('offered')
      const body = { outcome: 'yes', data: { hours: 1, comment: 'fine' } }
      const [taken, done] = await Promise.all([
        api('POST', `${tasks}/${taskId}/claim`, undefined, agent.token),
        complete(taskId, body, other.token),
      ])
      const current = await read(service, `${tasks}/${taskId}`)
      // A completion that starts after the claim is stored finds an assigned task: 403.
      const [completed, claimed] = [`409 200 completed ${other.id}`, `pending ${agent.id}`]
      expect([completed, `200 409 ${claimed}`, `200 403 ${claimed}`]).toContain(
        `${taken.status} ${done.status} ${current.status} ${current.assignee}`,
      )
    }
  })

  it('assigns it to the caller alone', async () => {
    const { taskId } = await begin('offered')
    expect((await api('POST', `${tasks}/${taskId}/claim`, undefined, reader.token)).status).toBe(403)
    const both = await Promise.all(
      [agent, other].map(({ token }) => api('POST', `${tasks}/${taskId}/claim`, undefined, token)),
    )
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    const [owner, late] = both[0]?.status === 200 ? [agent, other] : [other, agent]
    expect(both.find(({ status }) => status === 409)?.body.message).toMatch(/^The task has been taken by User \d+\.$/)
    const again = await api('POST', `${tasks}/${taskId}/claim`, undefined, owner.token)
    expect([again.status, again.body.data.assignee]).toEqual([200, owner.id])
    expect([(await mine(owner.token)).includes(taskId), (await mine(late.token)).includes(taskId)]).toEqual([
      true,
      false,
    ])
    expect((await complete(taskId, { outcome: 'yes', data: { hours: 1 } }, late.token)).status).toBe(403)
    expect((await complete(taskId, { outcome: 'yes', data: { hours: 1 } }, owner.token)).status).toBe(200)
    expect((await api('POST', `${tasks}/${taskId}/claim`, undefined, late.token)).status).toBe(409)
  })
})

describe('a list', () => {
  it('of own tasks has those that wait for the caller and those that the caller completed', async () => {
    const { taskId, recordId } = await begin('offered')
    expect([await mine(agent.token), await mine(reader.token)]).toEqual([expect.arrayContaining([taskId]), []])
    await complete(taskId, { outcome: 'yes', data: { hours: 1 } }, agent.token)
    expect((await mine(agent.token)).includes(taskId)).toBe(false)
    await eventually(
      'the task among those that are done',
      async () => (await mine(agent.token, '&status=completed')).includes(taskId) || undefined,
    )
    expect((await mine(other.token, '&status=completed')).includes(taskId)).toBe(false)
    const ofRecord = await api('GET', `${tasks}?model=requests&record_id=${recordId}`, undefined, reader.token)
    expect([ofRecord.body.data.map(({ status }: any) => status), ofRecord.body.meta.total]).toEqual([
      ['pending', 'completed'],
      2,
    ])
    expect((await api('GET', tasks, undefined, outsider.token)).body.data).toEqual([])
    expect((await api('GET', `${tasks}/${taskId}`, undefined, outsider.token)).status).toBe(404)
  })

  it('of instances is newest first, filtered, and paged by page and by cursor', async () => {
    const first = await api('GET', `${instances}?per_page=3`)
    const { total } = first.body.meta
    const all = (await api('GET', `${instances}?per_page=1000`)).body.data
    expect([all.length, all.map(({ id }: any) => id)]).toEqual([
      total,
      all.map(({ id }: any) => id).toSorted((a: number, b: number) => b - a),
    ])
    for (const query of ['', '&status=running', '&model=requests', '&status=completed&model=requests']) {
      const byCursor: number[] = []
      let next = await api('GET', `${instances}?per_page=3${query}`, undefined, reader.token)
      const expected = next.body.meta.total
      for (;;) {
        byCursor.push(...next.body.data.map(({ id }: any) => id))
        const cursor = next.body.meta.next_cursor
        if (cursor === null) break
        next = await api('GET', `${instances}?per_page=3${query}&cursor=${cursor}`, undefined, reader.token)
        expect([next.body.meta.total, next.body.meta.from]).toEqual([
          expected,
          next.body.data.length === 0 ? null : byCursor.length + 1,
        ])
      }
      const matching = all
        .filter(({ status }: any) => !query.includes('status=') || query.includes(`status=${status}`))
        .map(({ id }: any) => id)
      expect([byCursor, expected]).toEqual([matching, matching.length])
    }
    const second = await api('GET', `${instances}?per_page=3&page=2`)
    expect(second.body.data.map(({ id }: any) => id)).toEqual(all.slice(3, 6).map(({ id }: any) => id))
    expect((await api('GET', instances, undefined, outsider.token)).body.data).toEqual([])
    expect((await api('GET', `${instances}/${all[0].id}`, undefined, outsider.token)).status).toBe(404)
    expect((await api('GET', `${instances}?record_id=1`)).body.errors).toEqual({
      model: ['The model field is required when record_id is given.'],
    })
  })
})

it('a task with more candidates than a transaction holds can be completed', async () => {
  const everybody = '${Array.from({ length: 150 }, (_, index) => index + 1)}'
  await makeProcess(
    service,
    'requests',
    'crowd',
    bpmn(
      inARow(
        start,
        `<userTask id="do" wf:candidateUsers="${everybody}" wf:complete_on_field_code="done"><extensionElements><wf:form><wf:formField name="note" bind="record.note"/></wf:form></extensionElements></userTask>`,
        end,
      ),
    ),
  )
  const { taskId, instanceId } = await begin('crowd')
  await eventually('the task among mine', async () => (await mine(reader.token)).includes(taskId) || undefined)
  expect((await complete(taskId, { data: { note: 'done' } }, reader.token)).status).toBe(200)
  expect((await read(service, `${instances}/${instanceId}`)).status).toBe('completed')
  const byRecord = await begin('crowd')
  await api('PATCH', `/api/e/requests/${byRecord.recordId}`, { code: 'done' })
  await eventually(
    'the end of the other',
    async () => (await read(service, `${instances}/${byRecord.instanceId}`)).status === 'completed' || undefined,
  )
  for (const user of [1, 150])
    expect((await service.store.query({ id: 1 }, { pk: `T#1#PC#U#${user}` })).items).toEqual([])
})

describe('an instance', () => {
  it('can be started with variables by users who may update the record', async () => {
    const recordId = (await api('POST', '/api/e/requests', { title: 'A' })).body.data.id
    const writer = await userWith(service, ['requests.read', 'requests.update'])
    const body = { template_code: 'open', model: 'requests', record_id: recordId, variables: { level: 2 } }
    expect((await api('POST', instances, body, reader.token)).status).toBe(403)
    const blind = await userWith(service, ['requests.update'])
    expect((await api('POST', instances, body, blind.token)).status).toBe(201)
    const made = await api('POST', instances, body, writer.token)
    expect([made.status, made.body.data]).toMatchObject([
      201,
      {
        status: 'running',
        source: 'api',
        started_by: { id: writer.id },
        variables: { level: 2 },
        model: 'requests',
        record_id: recordId,
      },
    ])
    const refused = async (more: object) =>
      (await api('POST', instances, { ...body, ...more }, writer.token)).body.errors
    expect(await refused({ record_id: 9999 })).toEqual({ record_id: ['The selected record_id is invalid.'] })
    expect(await refused({ model: 'clients' })).toEqual({
      model: ['The selected model is invalid: this process is about requests.'],
    })
    expect(await refused({ template_code: 'nothing' })).toEqual({
      template_code: ['The selected template_code is invalid.'],
    })
    expect(await refused({ template_code: undefined })).toEqual({
      template_id: ['The template_id field is required when template_code is not given.'],
    })
    expect(Object.keys(await refused({ template_code: undefined, record_id: undefined }))).toEqual(
      expect.arrayContaining(['record_id', 'template_id']),
    )
    const resting = await makeProcess(service, 'requests', 'resting', bpmn(inARow(start, end)), { is_active: false })
    expect(await refused({ template_code: undefined, template_id: resting.id })).toEqual({
      template_id: ['The process template is not active.'],
    })
  })

  it('can be cancelled once, and retried only when something failed', async () => {
    const { instanceId, taskId } = await begin('open')
    expect((await api('POST', `${instances}/${instanceId}/retry`)).status).toBe(409)
    const cancelled = await api('POST', `${instances}/${instanceId}/cancel`)
    expect([cancelled.status, cancelled.body.data]).toMatchObject([
      200,
      { status: 'cancelled', tokens: [], ended_at: expect.any(String) },
    ])
    expect((await read(service, `${tasks}/${taskId}`)).status).toBe('cancelled')
    expect((await api('POST', `${instances}/${instanceId}/cancel`)).status).toBe(409)
  })
})
