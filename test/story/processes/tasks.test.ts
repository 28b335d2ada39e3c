import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { userWith } from '../../make/builders/people.ts'
import { bpmn, end, eventually, inARow, makeProcess, read, start } from '../../make/builders/processes/processes.ts'
import { tasks, instances, type TaskWorld, taskWorld } from '../../make/services/worlds/task-world.ts'

let world: TaskWorld
let service: TaskWorld['service']
let agent: TaskWorld['agent']
let other: TaskWorld['other']
let reader: TaskWorld['reader']
let outsider: TaskWorld['outsider']
const api: TaskWorld['api'] = (...given) => world.api(...given)
const begin: TaskWorld['begin'] = (...given) => world.begin(...given)
const complete: TaskWorld['complete'] = (...given) => world.complete(...given)
const mine: TaskWorld['mine'] = (...given) => world.mine(...given)

beforeAll(async () => {
  world = await taskWorld()
  ;({ service, agent, other, reader, outsider } = world)
})
afterAll(() => world?.service.stop())

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

it('a task with more candidates than a transaction holds can be completed', async () => {
  const first = Math.max(1, reader.id - 100)
  const everybody = `\${Array.from({ length: 150 }, (_, index) => index + ${first})}`
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
  // Rows beyond those of one transaction follow the end of the process.
  const { tenant } = service
  for (const user of [first, first + 149]) {
    const rows = { pk: `T#${tenant.id}#PC#U#${user}` }
    await expect.poll(async () => (await service.store.query(tenant, rows)).items).toEqual([])
  }
})
