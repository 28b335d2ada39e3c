import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { userWith } from '../../make/builders/people.ts'
import { bpmn, end, eventually, inARow, makeProcess, read, start } from '../../make/builders/processes/processes.ts'
import { makeRequests } from '../../make/builders/records/tables.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

type Person = Awaited<ReturnType<typeof userWith>>

let service: TestService
let [ada, ben, cleo, outsider]: Person[] = []
const tasks = '/api/sys/process-tasks'
const instances = '/api/sys/process-instances'

const api = (method: string, path: string, body?: unknown, who: { token: string } = service.admin) =>
  service.api(method, path, { token: who.token, body })
/** Does something with a task, as a person. */
const act = (what: string, id: number, body?: unknown, who?: { token: string }) =>
  api('POST', `${tasks}/${id}/${what}`, body, who)
const mine = async (who: Person | undefined): Promise<number[]> =>
  (await api('GET', `${tasks}?mine=true&per_page=100`, undefined, who)).body.data.map(({ id }: any) => id)
const bellOf = async (who: Person | undefined): Promise<string[]> =>
  (await api('GET', '/api/notifications', undefined, who)).body.data.map(({ title }: any) => title)
const rung = (who: Person | undefined, title: string) =>
  eventually(title, async () => (await bellOf(who)).includes(title) || undefined)

/** Starts a process for a new record. */
async function begin(code: string, record: object = {}) {
  const recordId = (await api('POST', '/api/e/requests', { title: 'A', ...record })).body.data.id as number
  const { status, body } = await api('POST', instances, { template_code: code, record_id: recordId })
  if (status !== 201) throw new Error(`not started: ${JSON.stringify(body)}`)
  return { recordId, instanceId: body.data.id as number, taskId: body.data.tokens[0]?.task_id as number }
}

beforeAll(async () => {
  service = await sharedService()
  await makeRequests(service)
  ada = await userWith(service, ['requests.read'])
  ben = await userWith(service, ['requests.read'])
  cleo = await userWith(service, ['requests.read'])
  outsider = await userWith(service, ['clients.*'])
  const form = `<extensionElements><wf:form>
    <wf:formField name="comment" type="textarea" bind="record.note" required="true"/>
    <wf:formField name="hours" type="integer" required="true"/></wf:form></extensionElements>`
  await makeProcess(
    service,
    'requests',
    'offered',
    bpmn(
      inARow(
        start,
        `<userTask id="approve" name="Approve" wf:candidateRoles="${ada.role}" wf:candidateUsers="${ben.id}" wf:outcomes="yes,no">${form}</userTask>`,
        end,
      ),
    ),
  )
  await makeProcess(
    service,
    'requests',
    'assigned',
    bpmn(inARow(start, `<userTask id="do" name="Do it" wf:assignee="user:${ada.id}"/>`, end)),
  )
})
afterAll(() => service?.stop())

describe('who has a task', () => {
  it('gives it back to its candidates, and may not when there are none', async () => {
    const { taskId } = await begin('offered')
    expect((await act('unclaim', taskId, undefined, ada)).body).toMatchObject({ code: 'task_unassigned' })
    await act('claim', taskId, undefined, ada)
    expect((await act('unclaim', taskId, undefined, ben)).status).toBe(403)
    const given = await act('unclaim', taskId, undefined, ada)
    expect([given.status, given.body.data]).toMatchObject([
      200,
      {
        assignee: null,
        status: 'pending',
        version: 3,
        history: [
          { what: 'claimed', by: { id: ada?.id } },
          { what: 'unclaimed', by: { id: ada?.id } },
        ],
      },
    ])
    expect([(await mine(ada)).includes(taskId), (await mine(ben)).includes(taskId)]).toEqual([true, true])
    const { taskId: assigned } = await begin('assigned')
    expect((await act('unclaim', assigned, undefined, ada)).body).toMatchObject({ code: 'task_without_candidates' })
  })

  it('passes it on for good; others who see it may not, and nobody to people who cannot have it', async () => {
    const { taskId } = await begin('assigned')
    const refused = async (body: unknown) => (await act('reassign', taskId, body, ada)).body.errors
    expect(await refused({ assignee: 99_999 })).toEqual({
      assignee: ['The selected assignee is invalid: there is no user 99999.'],
    })
    expect(await refused({ assignee: null })).toHaveProperty('assignee')
    const gone = await userWith(service, [])
    await api('DELETE', `/api/sys/users/${gone.id}`)
    expect((await refused({ assignee: gone.id })).assignee[0]).toContain('is not active any more')
    const asBen = await act('reassign', taskId, { assignee: ben?.id }, ben)
    expect([asBen.status, asBen.body.message]).toEqual([403, expect.stringContaining('This task is assigned to User')])
    expect((await act('reassign', taskId, { assignee: ben?.id }, outsider)).status).toBe(404)
    const passed = await act('reassign', taskId, { assignee: ben?.id }, ada)
    expect(passed.body.data).toMatchObject({ assignee: ben?.id, owner: null, delegation: null })
    expect(await read(service, `${tasks}/${taskId}`)).toEqual(passed.body.data)
    expect([(await mine(ada)).includes(taskId), (await mine(ben)).includes(taskId)]).toEqual([false, true])
    await rung(ben, `User ${ada?.role.slice(5)} assigned a task to you: Do it`)
    expect((await act('complete', taskId, undefined, ada)).status).toBe(403)
    expect((await act('reassign', taskId, { assignee: cleo?.id })).body.data.assignee).toBe(cleo?.id)
    const done = await act('complete', taskId, undefined, cleo)
    expect(done.body.data.history.map(({ what, to }: any) => [what, to?.id])).toEqual([
      ['reassigned', ben?.id],
      ['reassigned', cleo?.id],
      ['completed', undefined],
    ])
    const ended = await act('reassign', taskId, { assignee: ben?.id })
    expect([ended.status, ended.body.code]).toEqual([409, 'task_ended'])
  })

  it('delegates it: it returns to be completed with what the delegate entered', async () => {
    const { taskId, recordId, instanceId } = await begin('offered')
    await act('claim', taskId, undefined, ada)
    expect((await act('delegate', taskId, { to: ada?.id }, ada)).body.errors).toHaveProperty('to')
    expect((await act('delegate', taskId, { to: 99_999 }, ada)).body.errors).toHaveProperty('to')
    expect((await act('delegate', taskId, { to: cleo?.id }, ben)).status).toBe(403)
    const delegated = await act('delegate', taskId, { to: cleo?.id }, ada)
    expect(delegated.body.data).toMatchObject({ assignee: cleo?.id, owner: ada?.id, delegation: 'pending' })
    expect([(await mine(ada)).includes(taskId), (await mine(cleo)).includes(taskId)]).toEqual([false, true])
    await rung(cleo, `User ${ada?.role.slice(5)} delegated a task to you: Approve`)
    const early = await act('complete', taskId, { outcome: 'yes', data: { hours: 1, comment: 'x' } }, ada)
    expect([early.status, early.body.message]).toEqual([403, expect.stringContaining('reassign it to yourself')])
    expect((await act('reassign', taskId, { assignee: ben?.id }, cleo)).status).toBe(403)
    expect((await act('complete', taskId, { outcome: 'maybe' }, cleo)).body.errors).toHaveProperty('outcome')
    const resolved = await act('complete', taskId, { outcome: 'no', data: { comment: 'seen', hours: 2 } }, cleo)
    expect([resolved.status, resolved.body.data]).toMatchObject([
      200,
      {
        status: 'pending',
        assignee: ada?.id,
        owner: ada?.id,
        delegation: 'resolved',
        proposal: { outcome: 'no', data: { hours: 2 } },
      },
    ])
    expect((await read(service, `/api/e/requests/${recordId}`)).data.note).toBe('seen')
    await rung(ada, `User ${cleo?.role.slice(5)} is done with the task that you delegated: Approve`)
    const done = await act('complete', taskId, { outcome: 'yes' }, ada)
    expect(done.body.data).toMatchObject({ status: 'completed', outcome: 'yes', completed_by: { id: ada?.id } })
    expect((await read(service, `${instances}/${instanceId}`)).variables).toMatchObject({ hours: 2, outcome: 'yes' })
  })

  it('changes when it is due, at the version that was read', async () => {
    const { taskId, instanceId } = await begin('assigned')
    const change = (body: object, who?: Person, headers: Record<string, string> = {}) =>
      service.api('PATCH', `${tasks}/${taskId}`, { token: (who ?? service.admin).token, body, headers })
    const due = await change({ due_at: '2026-12-01T10:00:00+01:00' }, ada)
    expect(due.body.data).toMatchObject({ due_at: '2026-12-01T09:00:00.000Z', version: 2 })
    expect((await read(service, `${instances}/${instanceId}`)).tokens[0].due_at).toBe('2026-12-01T09:00:00.000Z')
    expect((await change({ due_at: null, version: 1 }, ada)).status).toBe(412)
    expect((await change({ due_at: null }, ada, { 'if-match': '"1"' })).status).toBe(412)
    expect((await change({ due_at: 'soon' }, ada)).body.errors).toHaveProperty('due_at')
    expect((await change({ due_at: null }, ben)).status).toBe(403)
    const cleared = await change({ due_at: null, version: 2 })
    expect(cleared.body.data).toMatchObject({ due_at: null, version: 3, history: [{}, { what: 'due_changed' }] })
  })
})

describe('a substitute', () => {
  const stand = (who: Person | undefined, body: object) => api('PUT', '/api/user', body, who)

  it('has the new tasks of somebody and does the open ones, as long as that lasts', async () => {
    const { taskId: open } = await begin('assigned')
    const set = await stand(ada, { substitute_id: ben?.id, to: '2099-12-24' })
    expect(set.body.data).toMatchObject({
      substitute_id: ben?.id,
      from: expect.any(String),
      to: '2099-12-25T00:00:00.000Z',
    })
    expect((await read(service, `/api/sys/users/${ada?.id}`)).substitute_id).toBe(ben?.id)
    const { taskId } = await begin('assigned')
    expect(await read(service, `${tasks}/${taskId}`)).toMatchObject({ assignee: ben?.id, substituted_for: ada?.id })
    expect(await read(service, `${tasks}/${open}`)).toMatchObject({ assignee: ada?.id, substituted_for: null })
    expect(await mine(ben)).toEqual(expect.arrayContaining([open, taskId]))
    await rung(ben, 'New task: Do it')
    // Ben is away himself: his substitute does what is Ada's.
    const openEnded = await api('PUT', `/api/sys/users/${ben?.id}`, { substitute_id: cleo?.id })
    expect(openEnded.body.data).toMatchObject({ substitute_id: cleo?.id, from: expect.any(String) })
    expect(openEnded.body.data).not.toHaveProperty('to')
    expect((await read(service, `${tasks}/${taskId}`)).assignee).toBe(cleo?.id)
    expect(await mine(cleo)).toEqual(expect.arrayContaining([open, taskId]))
    const done = await act('complete', open, undefined, cleo)
    expect(done.body.data).toMatchObject({
      status: 'completed',
      completed_by: { id: cleo?.id },
      substituted_for: ada?.id,
      history: [{ what: 'completed', by: { id: cleo?.id }, for: { id: ada?.id } }],
    })
    await api('PUT', `/api/sys/users/${ben?.id}`, { substitute_id: null })
    await stand(ada, { to: '2026-01-01T00:00:00Z', from: '2025-01-01T00:00:00Z' })
    expect(await read(service, `${tasks}/${taskId}`)).toMatchObject({ assignee: ada?.id, substituted_for: null })
    expect([(await mine(ben)).includes(taskId), (await mine(ada)).includes(taskId)]).toEqual([false, true])
    expect((await act('complete', taskId, undefined, ben)).status).toBe(403)
    expect((await stand(ada, { substitute_id: null })).body.data).not.toHaveProperty('substitute_id')
  })

  it('is an active user, somebody else, and nobody who is away to the same people', async () => {
    const why = async (body: object, who = ada) => (await stand(who, body)).body.errors
    expect(await why({ substitute_id: ada?.id })).toHaveProperty('substitute_id')
    expect(await why({ substitute_id: 99_999 })).toEqual({
      substitute_id: ['The selected substitute_id is invalid: there is no user 99999.'],
    })
    expect(await why({ from: '2027-01-01T00:00:00Z' })).toHaveProperty('from')
    expect(await why({ substitute_id: ben?.id, from: '2027-01-02', to: '2027-01-01' })).toHaveProperty('to')
    expect((await stand(ada, { substitute_id: ben?.id, from: '2027-01-01', to: '2027-01-10' })).status).toBe(200)
    const circle = { substitute_id: ada?.id, from: '2027-01-05', to: '2027-01-06' }
    expect((await why(circle, ben)).substitute_id[0]).toContain('stand in for each other')
    expect((await stand(ben, { ...circle, from: '2027-02-05', to: '2027-02-06' })).status).toBe(200)
    for (const who of [ada, ben]) await stand(who, { substitute_id: null })
  })
})

describe('four eyes', () => {
  const prepared = (attributes: string) =>
    bpmn(
      inARow(
        start,
        `<userTask id="prepare" name="Prepare" wf:candidateUsers="${ada?.id},${ben?.id},${cleo?.id}"/>`,
        `<userTask id="approve" name="Approve" wf:candidateUsers="${ada?.id},${ben?.id},${cleo?.id}" ${attributes}/>`,
        end,
      ),
    )
  const next = async (instanceId: number) =>
    (await read(service, `${instances}/${instanceId}`)).tokens[0].task_id as number

  it('see a task: whoever completed the other one may not, nor those who act for them', async () => {
    await makeProcess(service, 'requests', 'eyes', prepared('wf:fourEyes="prepare"'))
    const { taskId, instanceId } = await begin('eyes')
    await act('claim', taskId, undefined, ada)
    await act('delegate', taskId, { to: ben?.id }, ada)
    await act('complete', taskId, undefined, ben)
    expect((await act('complete', taskId, undefined, ada)).body.data.status).toBe('completed')
    const approve = await next(instanceId)
    expect((await read(service, `${tasks}/${approve}`)).four_eyes).toBe('prepare')
    for (const [what, who] of [
      ['claim', ada],
      ['claim', ben],
      ['complete', ada],
    ] as const) {
      const { status, body } = await act(what, approve, undefined, who)
      expect([status, body.code]).toEqual([403, 'four_eyes'])
      expect(body.message).toMatch(/^User \d+ has completed "Prepare", so somebody else has to do this task/)
    }
    await act('claim', approve, undefined, cleo)
    expect((await act('reassign', approve, { assignee: ada?.id }, cleo)).body.errors.assignee[0]).toContain('four eyes')
    expect((await act('delegate', approve, { to: ben?.id }, cleo)).body.errors.to[0]).toContain('four eyes')
    // Ada stands in for Cleo, and is still who prepared it.
    await api('PUT', `/api/sys/users/${cleo?.id}`, { substitute_id: ada?.id })
    expect((await act('complete', approve, undefined, ada)).body.code).toBe('four_eyes')
    await api('PUT', `/api/sys/users/${cleo?.id}`, { substitute_id: null })
    expect((await act('complete', approve, undefined, cleo)).status).toBe(200)
  })

  it('see only the pass of the sub-process around both: the next one begins anew', async () => {
    const pass = `<subProcess id="round"><multiInstanceLoopCharacteristics isSequential="true"><loopCardinality>2</loopCardinality></multiInstanceLoopCharacteristics>${prepared(
      'wf:fourEyes="prepare"',
    )
      .replace(/^[^]*?<process[^>]*>|<\/process>[^]*$/g, '')
      .replaceAll('"start"', '"in"')
      .replaceAll('"end"', '"out"')}</subProcess>`
    await makeProcess(service, 'requests', 'eyes_round', bpmn(inARow(start, pass, end)))
    const { taskId, instanceId } = await begin('eyes_round')
    await act('complete', taskId, undefined, ada)
    const first = await next(instanceId)
    expect((await act('complete', first, undefined, ada)).body.code).toBe('four_eyes')
    expect((await act('complete', first, undefined, ben)).status).toBe(200)
    expect((await act('complete', await next(instanceId), undefined, ben)).status).toBe(200)
    const second = await next(instanceId)
    expect((await act('complete', second, undefined, ben)).body.code).toBe('four_eyes')
    // Ada prepared the first pass, and not this one.
    expect((await act('complete', second, undefined, ada)).body.data?.status).toBe('completed')
  })

  it('see who acts as somebody else, on both sides', async () => {
    await makeProcess(service, 'requests', 'eyes_acting', prepared('wf:fourEyes="prepare"'))
    const as = async (who: Person | undefined) => ({
      token: (await api('POST', `/api/impersonate/${who?.id}`)).body.data.token as string,
    })
    const { taskId, instanceId } = await begin('eyes_acting')
    await act('complete', taskId, undefined, await as(ada))
    const approve = await next(instanceId)
    // The administrator did it as Ada: neither of them approves it, under no name.
    for (const who of [service.admin, ada, await as(ben)]) {
      const { status, body } = await act('complete', approve, undefined, who)
      expect([status, body.code]).toEqual([403, 'four_eyes'])
      expect((await act('claim', approve, undefined, who)).body.code).toBe('four_eyes')
    }
    const given = await act('reassign', approve, { assignee: service.admin.userId })
    expect(given.body.errors.assignee[0]).toContain('four eyes')
    expect((await act('complete', approve, undefined, ben)).status).toBe(200)
  })

  it('are not the key of whoever has completed the task, also one that was ended', async () => {
    await makeProcess(
      service,
      'requests',
      'eyes_of_keys',
      prepared('wf:fourEyes="prepare"').replaceAll(/wf:candidateUsers="[^"]*"/g, ''),
    )
    const key = async (): Promise<{ id: number; token: string }> =>
      (await api('POST', '/api/sys/api-keys', { name: 'Robot', roles: ['admin'] })).body.data
    const admin = { token: service.admin.token }
    const second = async (first: { token: string }, other: { token: string }, between = async () => {}) => {
      const { taskId, instanceId } = await begin('eyes_of_keys')
      expect((await act('complete', taskId, {}, first)).status).toBe(200)
      await between()
      const approve = await next(instanceId)
      const claimed = await act('claim', approve, undefined, other)
      const { status, body } = await act('complete', approve, {}, other)
      expect(claimed.body.code).toBe(body.code)
      return [status, body.code, body.message]
    }
    const [one, two] = [await key(), await key()]
    const refused = (who: string) => [403, 'four_eyes', expect.stringContaining(`${who} has completed "Prepare"`)]
    expect(await second(admin, one)).toEqual(refused('Grace Hopper'))
    expect(await second(one, admin)).toEqual(refused('An API key of Grace Hopper'))
    expect(await second(one, two)).toEqual(refused('An API key of Grace Hopper'))
    const ended = async () => void (await api('DELETE', `/api/sys/api-keys/${one.id}`))
    expect(await second(one, admin, ended)).toEqual(refused('An API key of Grace Hopper'))
    expect((await second(two, ada as Person))[1]).toBe('task_not_yours')
  })

  it('last through a migration: under a new name, and where only the new version asks for them', async () => {
    const renamed = (attributes: string) => prepared(attributes).replaceAll('prepare', 'draft')
    const { id: template } = await makeProcess(service, 'requests', 'eyes_moved', prepared('wf:fourEyes="prepare"'))
    const change = (bpmn_xml: string) => api('PUT', `/api/sys/process-templates/${template}`, { bpmn_xml })
    const { taskId, instanceId } = await begin('eyes_moved')
    const fresh = await begin('eyes_moved')
    await act('complete', taskId, undefined, ada)
    const approve = await next(instanceId)
    const migrate = async (id: number, body: object) =>
      (await api('POST', `${instances}/${id}/migrate`, body)).body.data.migration
    await change(renamed('wf:fourEyes="draft"'))
    expect(await migrate(instanceId, { version: 2, dry_run: true })).toMatchObject({
      warnings: [expect.stringContaining('Somebody has completed prepare, and version 2 has no such element')],
    })
    const mapping = { prepare: 'draft' }
    expect(await migrate(instanceId, { version: 2, mapping, dry_run: true })).toMatchObject({
      four_eyes: [{ element_id: 'prepare', to_element_id: 'draft', tasks: 1 }],
    })
    expect(await migrate(instanceId, { version: 2, mapping })).not.toHaveProperty('warnings')
    expect((await act('complete', approve, undefined, ada)).body.code).toBe('four_eyes')

    // Version 3 asks for nothing, version 4 again: who completed the task meanwhile counts all the same.
    await change(renamed(''))
    await migrate(fresh.instanceId, { version: 3, mapping })
    await act('complete', fresh.taskId, undefined, ben)
    await change(renamed('wf:fourEyes="draft"'))
    expect(await migrate(fresh.instanceId, { version: 4 })).toMatchObject({
      four_eyes: [{ element_id: 'draft', to_element_id: 'draft', tasks: 1 }],
    })
    const late = await next(fresh.instanceId)
    expect((await act('complete', late, undefined, ben)).body.code).toBe('four_eyes')
    expect((await act('complete', late, undefined, ada)).status).toBe(200)
    expect((await act('complete', approve, undefined, ben)).status).toBe(200)
  })

  it('name a user task of the process, or the save says which one is meant', async () => {
    const save = (attributes: string) =>
      api('POST', '/api/sys/process-templates', {
        name: 'Eyes',
        table: 'requests',
        bpmn_xml: prepared(attributes),
      })
    const { status, body } = await save('wf:fourEyes="prepaer"')
    expect([status, JSON.stringify(body)]).toEqual([
      422,
      expect.stringContaining('names \\"prepaer\\", which does not exist. Did you mean \\"prepare\\"?'),
    ])
    expect(JSON.stringify((await save('wf:fourEyes="start"')).body)).toContain('must name a user task')
  })
})

describe('the picture of an instance', () => {
  it('is svg that nothing runs in, and 304 while nothing has changed', async () => {
    await makeProcess(
      service,
      'requests',
      'pictured',
      bpmn(inARow(start, '<userTask id="look" name="&lt;script&gt;alert(1)&lt;/script&gt;"/>', end)),
    )
    const { instanceId } = await begin('pictured')
    const path = `${instances}/${instanceId}/diagram.svg`
    const get = (who: { token: string }, headers: Record<string, string> = {}) =>
      fetch(`${service.url}${path}`, { headers: { authorization: `Bearer ${who.token}`, ...headers } })
    const answer = await get(service.admin)
    const svg = await answer.text()
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
    expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'.*sandbox$/)
    expect(svg).toContain('data-element="look"')
    expect(svg).not.toContain('<script')
    const etag = answer.headers.get('etag') as string
    expect((await get(service.admin, { 'if-none-match': etag })).status).toBe(304)
    expect((await get(outsider as Person)).status).toBe(404)
  })
})
