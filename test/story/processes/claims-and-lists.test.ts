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
