import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { userWith } from '../../make/builders/people.ts'
import {
  bpmn,
  end,
  eventually,
  inARow,
  instanceOf,
  makeProcess,
  read,
  scriptTask,
  setFields,
  start,
  taskOf,
  timer,
} from '../../make/builders/processes/processes.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

let service: TestService
let count = 0
const api = (method: string, path: string, body?: unknown, token = service.admin.token) =>
  service.api(method, path, { token, body })

beforeAll(async () => {
  service = await sharedService()
})
afterAll(() => service?.stop())

const ask = '<userTask id="ask" name="Ask"/>'
const catching = (id: string, definition: string): string =>
  `<intermediateCatchEvent id="${id}">${definition}</intermediateCatchEvent>`
const when = (condition: string): string =>
  `<conditionalEventDefinition><condition xsi:type="tFormalExpression">${condition}</condition></conditionalEventDefinition>`
const withRoots = (document: string, name: string): string =>
  document.replace('<process ', `<message id="M" name="${name}"/><signal id="S" name="${name} sent"/><process `)

/** A process about a record of a table of its own, started. */
async function started(elements: string, variables: object = {}) {
  count += 1
  const [model, name] = [`cases_${count}`, `news ${count}`]
  await makeTable(service, model, [{ name: 'note', type: 'text' }])
  const template = await makeProcess(service, model, `case_${count}`, withRoots(bpmn(elements), name))
  const record = (await api('POST', `/api/e/${model}`, { note: '' })).body.data.id as number
  const { id } = (
    await api('POST', '/api/sys/process-instances', { template_id: template.id, record_id: record, variables })
  ).body.data
  const operate = (action: string, body?: unknown) => api('POST', `/api/sys/process-instances/${id}/${action}`, body)
  const look = () => read(service, `/api/sys/process-instances/${id}`)
  return {
    model,
    name,
    template,
    record,
    id,
    operate,
    look,
    ended: () => instanceOf(service, model, record, 'completed'),
  }
}

describe('variables of an instance', () => {
  it('are set and removed by an administrator, and a condition that holds then occurs', async () => {
    const { operate, ended, record, model } = await started(
      inARow(start, catching('wait', when('budget > 100')), setFields('set', { note: 'now ${variables.budget}' }), end),
      { budget: 5, draft: true },
    )
    const low = await operate('variables', { set: { budget: 50, 'reason why': { by: 'phone' } }, remove: ['draft'] })
    expect([low.status, low.body.data.status, low.body.data.variables]).toEqual([
      200,
      'running',
      { budget: 50, 'reason why': { by: 'phone' } },
    ])
    expect(low.body.data.operations).toMatchObject([
      {
        action: 'set_variables',
        by: { name: expect.any(String) },
        details: { set: ['budget', 'reason why'], removed: ['draft'] },
      },
    ])
    await operate('variables', { set: { budget: 200 } })
    await ended()
    expect((await read(service, `/api/e/${model}/${record}`)).data.note).toBe('now 200')
    expect((await operate('variables', { set: { budget: 1 } })).body.code).toBe('instance_ended')
  })

  it('names what cannot be set or removed, and changes nothing then', async () => {
    const { operate, look } = await started(inARow(start, ask, end), { budget: 5 })
    const refused = async (body: object) => {
      const answer = await operate('variables', body)
      return [answer.status, answer.body.errors]
    }
    expect(await refused({ set: { a: 1 }, remove: ['budgte'] })).toEqual([
      422,
      { remove: ['budgte: there is no such variable. Did you mean budget?'] },
    ])
    expect(await refused({})).toEqual([422, { set: ['Name variables to set, or to remove.'] }])
    expect(await refused({ set: { record: 1 } })).toEqual([
      422,
      { 'set.record': ['record means something else in expressions: give the variable another name.'] },
    ])
    expect(await refused({ set: { big: 'x'.repeat(70_000) } })).toMatchObject([422, { set: [expect.any(String)] }])
    expect(await look()).toMatchObject({ variables: { budget: 5 }, operations: [] })
  })

  it('of a first step that failed reach its retry', async () => {
    const { operate, ended, look } = await started(
      inARow(start, '<exclusiveGateway id="which"/>', end).replace(
        /<sequenceFlow id="which_end"[^>]*>/,
        '<sequenceFlow id="which_end" sourceRef="which" targetRef="end"><conditionExpression xsi:type="tFormalExpression">variables.isRight</conditionExpression></sequenceFlow>',
      ),
      { isRight: false },
    )
    expect(await look()).toMatchObject({ status: 'incident' })
    expect((await operate('variables', { set: { isRight: true } })).body.data.variables).toEqual({ isRight: true })
    await operate('retry')
    await ended()
  })

  it('are for administrators', async () => {
    const { id } = await started(inARow(start, ask, end))
    const agent = await userWith(service, [])
    for (const path of ['variables', 'suspend', 'resume'])
      expect((await api('POST', `/api/sys/process-instances/${id}/${path}`, {}, agent.token)).status).toBe(403)
  })
})

const box = (id: string, inner: string): string => `<subProcess id="${id}">${inner}</subProcess>`
const userTask = (id: string): string => `<userTask id="${id}" name="${id}"/>`

describe('tokens of an instance', () => {
  it('are moved: what they waited for ends, and the new element is entered', async () => {
    const { operate, model, record, look, ended } = await started(
      inARow(
        start,
        `${userTask('ask')}<boundaryEvent id="late" attachedToRef="ask">${timer('timeDuration', 'PT1H')}</boundaryEvent><endEvent id="gone"/><sequenceFlow id="to_gone" sourceRef="late" targetRef="gone"/>`,
        box(
          'inner',
          inARow('<startEvent id="begin"/>', userTask('first'), userTask('second'), '<endEvent id="stop"/>'),
        ),
        end,
      ),
    )
    const asked = await taskOf(service, model, record, 'ask')
    const moved = await operate('modify', { move: [{ from: 'ask', to: 'second' }] })
    expect([moved.status, moved.body.data.tokens]).toMatchObject([200, [{ element_id: 'second', kind: 'task' }]])
    expect(moved.body.data.operations).toMatchObject([
      { action: 'modify', details: { move: [{ from: 'ask', to: 'second' }], cancel: [] } },
    ])
    expect(await read(service, `/api/sys/process-tasks/${asked.id}`)).toMatchObject({ status: 'cancelled' })
    const reached = moved.body.data.history.map((one: any) => [one.element_id, one.status])
    expect(reached).toEqual([
      ['start', 'completed'],
      ['ask', 'cancelled'],
      ['inner', 'active'],
      ['second', 'active'],
    ])
    const back = (await operate('modify', { move: [{ from: 'second', to: 'ask' }] })).body.data
    expect(back.tokens.map((one: any) => one.element_id).toSorted()).toEqual(['ask', 'late'])
    await operate('modify', { move: [{ from: 'ask', to: 'inner' }] })
    expect((await look()).tokens).toMatchObject([{ element_id: 'first' }])
    await operate('modify', { move: [{ from: 'inner', to: 'end' }] })
    await ended()
  })

  it('leave a step that failed, whose incident is over then', async () => {
    const { operate, model, record, look } = await started(
      [
        start,
        userTask('ask'),
        '<exclusiveGateway id="which"/>',
        userTask('other'),
        '<sequenceFlow id="a" sourceRef="start" targetRef="ask"/><sequenceFlow id="b" sourceRef="ask" targetRef="which"/><sequenceFlow id="c" sourceRef="which" targetRef="other"><conditionExpression xsi:type="tFormalExpression">variables.isNever</conditionExpression></sequenceFlow>',
      ].join(''),
    )
    const { id } = await taskOf(service, model, record, 'ask')
    await api('POST', `/api/sys/process-tasks/${id}/complete`, {})
    expect((await look()).status).toBe('incident')
    const { body } = await operate('modify', { move: [{ from: 'ask', to: 'other' }] })
    expect(body.data).toMatchObject({
      status: 'running',
      tokens: [{ element_id: 'other' }],
      incidents: [{ status: 'resolved' }],
    })
  })

  it('stay where they are when anything is refused, and each element is named', async () => {
    const each =
      '<multiInstanceLoopCharacteristics><loopCardinality>2</loopCardinality></multiInstanceLoopCharacteristics>'
    const { operate, look } = await started(
      inARow(
        start,
        box('rounds', inARow('<startEvent id="begin"/>', userTask('review'), '<endEvent id="stop"/>') + each),
        userTask('sign'),
        end,
      ),
    )
    const refused = async (body: object) => {
      const answer = await operate('modify', body)
      return [answer.status, answer.body.errors]
    }
    const before = await look()
    expect(await refused({ move: [{ from: 'reviwe', to: 'sing' }] })).toEqual([
      422,
      {
        'move.0.from': ['reviwe: there is no such element. Did you mean review?'],
        'move.0.to': ['sing: there is no such element. Did you mean sign?'],
      },
    ])
    expect(await refused({ move: [{ from: 'review', to: 'sign' }] })).toEqual([
      422,
      {
        'move.0.to': ['sign is outside of one pass of rounds, whose other passes would go on: move rounds as a whole.'],
      },
    ])
    expect(await refused({ cancel: ['rounds'] })).toEqual([
      422,
      { cancel: ['Nothing would be left of the process: cancel the instance instead.'] },
    ])
    expect(await refused({ move: [{ from: 'sign', to: 'end' }] })).toEqual([
      422,
      { 'move.0.from': ['No token is at sign. There are some at: rounds, review.'] },
    ])
    expect(await refused({})).toMatchObject([422, { move: ['Name what is to be moved, or cancelled.'] }])
    expect(await look()).toEqual(before)
    await operate('suspend')
    expect((await operate('modify', { move: [{ from: 'rounds', to: 'sign' }] })).body.code).toBe('instance_suspended')
    await operate('resume')
    const { body } = await operate('modify', { move: [{ from: 'rounds', to: 'sign' }] })
    expect(body.data.tokens).toMatchObject([{ element_id: 'sign' }])
  })
})

describe('an instance', () => {
  /** Saves another version of its template. */
  const revise = async (template: any, elements: string) => {
    const body = { bpmn_xml: withRoots(bpmn(elements), `news ${count}`) }
    const saved = await api('PUT', `/api/sys/process-templates/${template.id}`, body)
    expect(saved.status, JSON.stringify(saved.body)).toBe(200)
    return saved.body.data.version as number
  }
  const border = (id: string, duration: string): string =>
    `<boundaryEvent id="${id}" attachedToRef="ask" cancelActivity="false">${timer('timeDuration', duration)}</boundaryEvent><sequenceFlow id="to_${id}" sourceRef="${id}" targetRef="end"/>`

  it('moves to another version: its task keeps its id and follows the new definition, and borders begin again', async () => {
    const { operate, model, record, template, look, ended } = await started(
      inARow(start, userTask('ask') + border('late', 'PT1H') + border('same', 'PT2H'), end),
    )
    const asked = await taskOf(service, model, record, 'ask')
    await api('POST', `/api/sys/process-tasks/${asked.id}/claim`)
    const version = await revise(
      template,
      inARow(
        start,
        '<userTask id="ask" name="Ask again" wf:outcomes="yes,no" wf:candidateRoles="admin"/>' +
          border('late', 'PT30M') +
          border('same', 'PT2H') +
          border('soon', 'PT10M'),
        userTask('after'),
        end,
      ),
    )
    const before = await look()
    const dry = await operate('migrate', { version, dry_run: true })
    expect([dry.status, dry.body.data.migration]).toEqual([
      200,
      {
        from_version: 1,
        to_version: version,
        mapping: {},
        tokens: [{ element_id: 'ask', to_element_id: 'ask', effect: 'updated', count: 1 }],
      },
    ])
    expect(await look()).toEqual(before)
    const { body } = await operate('migrate', { version })
    expect(body.data).toMatchObject({
      template: { version },
      migration: dry.body.data.migration,
      operations: [{ action: 'migrate', details: { from_version: 1, to_version: version } }],
    })
    const dueOf = (instance: any, id: string) => instance.tokens.find((one: any) => one.element_id === id)?.due_at
    expect(dueOf(body.data, 'same')).toBe(dueOf(before, 'same'))
    expect(dueOf(body.data, 'late') < dueOf(before, 'late')).toBe(true)
    expect(dueOf(body.data, 'soon')).toBeTypeOf('string')
    expect(await read(service, `/api/sys/process-tasks/${asked.id}`)).toMatchObject({
      name: 'Ask again',
      outcomes: ['yes', 'no'],
      candidates: { roles: ['admin'] },
      assignee: service.admin.userId,
      status: 'pending',
    })
    expect((await operate('migrate', { version })).body.errors).toEqual({
      version: [expect.stringContaining(`runs version ${version} already`)],
    })
    await api('POST', `/api/sys/process-tasks/${asked.id}/complete`, { outcome: 'yes' })
    expect((await look()).tokens).toMatchObject([{ element_id: 'after' }])
    await operate('modify', { move: [{ from: 'after', to: 'end' }] })
    await ended()
  })

  it('names everything that does not fit the other version, and stays; a mapping makes it fit', async () => {
    const { operate, model, record, template, look } = await started(
      [
        start,
        '<parallelGateway id="fork"/>',
        userTask('ask'),
        catching('pay', '<messageEventDefinition messageRef="M"/>'),
        end,
        '<sequenceFlow id="a" sourceRef="start" targetRef="fork"/><sequenceFlow id="b" sourceRef="fork" targetRef="ask"/><sequenceFlow id="c" sourceRef="fork" targetRef="pay"/><sequenceFlow id="d" sourceRef="ask" targetRef="end"/><sequenceFlow id="e" sourceRef="pay" targetRef="end"/>',
      ].join(''),
    )
    const asked = await taskOf(service, model, record, 'ask')
    const version = await revise(
      template,
      inARow(
        start,
        userTask('asks'),
        catching('pay', timer('timeDuration', 'PT1H')),
        catching('paid', '<messageEventDefinition messageRef="M"/>'),
        end,
      ),
    )
    const before = await look()
    const refused = await operate('migrate', { version })
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      {
        'mapping.ask': [
          `ask: there is no such element in version ${version}. Did you mean asks? Map it to the one that takes its place.`,
        ],
        'mapping.pay': [`pay waits for message, and pay of version ${version} for timer.`],
      },
    ])
    expect((await operate('migrate', { version: 9 })).body.errors).toMatchObject({
      version: [expect.stringContaining('has no version 9')],
    })
    expect((await operate('migrate', { version, mapping: { ask: 'askk', pay: 'paid' } })).body.errors).toEqual({
      'mapping.ask': [`askk: there is no such element in version ${version}. Did you mean asks?`],
    })
    expect(await look()).toEqual(before)
    await operate('suspend')
    const { body } = await operate('migrate', { version, mapping: { ask: 'asks', pay: 'paid' } })
    expect(body.data.tokens.map((one: any) => one.element_id).toSorted()).toEqual(['asks', 'paid'])
    await operate('resume')
    const sent = await api('POST', '/api/sys/process-messages', {
      name: `news ${count}`,
      correlation_key: String(record),
    })
    expect(sent.body.data.delivered).toHaveLength(1)
    expect(await read(service, `/api/sys/process-tasks/${asked.id}`)).toMatchObject({ element_id: 'asks' })
    expect((await look()).tokens).toMatchObject([{ element_id: 'asks', task_id: asked.id }])
  })
})

describe('a suspended instance', () => {
  it('refuses the completion of its tasks, is listed, and continues when it is resumed', async () => {
    const { operate, model, record, ended, id, template } = await started(inARow(start, ask, end))
    const task = await taskOf(service, model, record)
    expect((await operate('suspend')).body.data).toMatchObject({
      status: 'suspended',
      tokens: [{ task_id: task.id }],
      operations: [{ action: 'suspend', by: { name: expect.any(String) } }],
    })
    const complete = () => api('POST', `/api/sys/process-tasks/${task.id}/complete`, {})
    expect([(await complete()).status, (await complete()).body.code]).toEqual([409, 'instance_suspended'])
    const listed = await read(service, `/api/sys/process-instances?status=suspended&template_id=${template.id}`)
    expect(listed).toMatchObject([{ id, status: 'suspended' }])
    expect((await operate('suspend')).body.code).toBe('instance_suspended')
    expect((await operate('retry')).body.code).toBe('instance_suspended')
    expect((await operate('resume')).body.data.status).toBe('running')
    expect((await operate('resume')).body.code).toBe('instance_not_suspended')
    expect((await complete()).status).toBe(200)
    await ended()
  })

  it('keeps messages for their time, and signals, conditions and timers until it is resumed', async () => {
    const waits = [
      catching('mail', '<messageEventDefinition messageRef="M"/>'),
      catching('sign', '<signalEventDefinition signalRef="S"/>'),
      catching('cond', when('budget > 100')),
      catching('time', timer('timeDuration', 'PT0.3S')),
    ]
    const ways = waits.map((wait) => /id="(\w+)"/.exec(wait)?.[1] as string)
    const { operate, name, record, look, ended, id } = await started(
      [
        start,
        '<parallelGateway id="fork"/><parallelGateway id="join"/>',
        ...waits,
        end,
        '<sequenceFlow id="f0" sourceRef="start" targetRef="fork"/><sequenceFlow id="f9" sourceRef="join" targetRef="end"/>',
        ...ways.map(
          (way) =>
            `<sequenceFlow id="to_${way}" sourceRef="fork" targetRef="${way}"/><sequenceFlow id="from_${way}" sourceRef="${way}" targetRef="join"/>`,
        ),
      ].join('\n'),
      { budget: 1 },
    )
    await operate('suspend')
    const send = (more: object) =>
      api('POST', '/api/sys/process-messages', { name, correlation_key: String(record), ...more })
    expect((await send({ ttl: 0 })).body.data).toEqual({ delivered: [], kept: false })
    expect((await send({ variables: { paid: 7 } })).body.data).toEqual({ delivered: [], kept: true })
    expect((await api('POST', '/api/sys/process-signals', { name: `${name} sent` })).body.data).toEqual({ matched: 1 })
    await operate('variables', { set: { budget: 500 } })
    await service.cloud?.idle?.()
    const paused = await look()
    expect([paused.status, paused.tokens.length]).toEqual(['suspended', 4])
    const due = paused.tokens.find((token: any) => token.kind === 'timer').due_at
    await eventually('the timer is due', async () => (new Date().toISOString() > due ? true : undefined))
    expect((await look()).tokens).toHaveLength(4)
    expect((await operate('resume')).body.data.id).toBe(id)
    expect((await ended()).variables).toMatchObject({ paid: 7, budget: 500 })
  })

  it('can be cancelled', async () => {
    const { operate } = await started(inARow(start, scriptTask('work', 'return 1'), ask, end))
    await operate('suspend')
    expect((await operate('cancel', { reason: ' ' })).status).toBe(422)
    const { body } = await operate('cancel', { reason: 'Not needed any more.' })
    expect(body.data).toMatchObject({ status: 'cancelled', tokens: [] })
    expect(body.data.operations[0].details).toEqual({ reason: 'Not needed any more.' })
    expect(body.data.operations.map((one: any) => one.action)).toEqual(['cancel', 'suspend'])
  })
})

describe('many instances', () => {
  const jobOf = (id: number): Promise<any> =>
    eventually('the end of the job', async () => {
      const job = await read(service, `/api/sys/jobs/${id}`)
      return job.status === 'done' || job.status === 'failed' ? job : undefined
    })
  const bulk = async (body: object) => {
    const { status, body: answer } = await api('POST', '/api/sys/process-instances/bulk', body)
    expect(status, JSON.stringify(answer)).toBe(202)
    return jobOf(answer.data.job_id)
  }

  it('are suspended, resumed, migrated and cancelled by a job, which says what failed', async () => {
    const { model, template, id, record } = await started(inARow(start, userTask('ask'), end))
    const other = (await api('POST', `/api/e/${model}`, { note: '' })).body.data.id
    const second = (await api('POST', '/api/sys/process-instances', { template_id: template.id, record_id: other }))
      .body.data.id
    const filter = { template_id: template.id }
    await api('POST', `/api/sys/process-instances/${id}/suspend`)
    expect(await bulk({ filter, action: 'suspend' })).toMatchObject({
      kind: 'process-bulk',
      status: 'done',
      done: 2,
      total: 2,
      result: { matched: 2, done: 1, skipped: 1, failed: 0, has_more: false },
    })
    expect((await bulk({ filter: { ...filter, status: 'suspended' }, action: 'resume' })).result).toMatchObject({
      done: 2,
    })
    expect((await bulk({ filter: { ...filter, id: { _in: [id] } }, action: 'retry' })).result).toMatchObject({
      matched: 0,
    })
    const revised = await api('PUT', `/api/sys/process-templates/${template.id}`, {
      bpmn_xml: withRoots(bpmn(inARow(start, userTask('later'), userTask('ask'), end)), `news ${count}`),
    })
    const { version } = revised.body.data
    const asked = await taskOf(service, model, record, 'ask')
    await api('POST', `/api/sys/process-instances/${second}/modify`, { move: [{ from: 'ask', to: 'end' }] })
    const third = (await api('POST', '/api/sys/process-instances', { template_id: template.id, record_id: other })).body
      .data.id
    expect((await bulk({ filter, action: 'migrate', version })).result).toMatchObject({
      matched: 2,
      done: 1,
      skipped: 1,
    })
    expect(await read(service, `/api/sys/process-instances/${id}`)).toMatchObject({
      template: { version },
      tokens: [{ task_id: asked.id }],
    })
    const back = await bulk({ filter, action: 'migrate', version: 1 })
    expect(back).toMatchObject({
      status: 'done',
      result: { matched: 2, done: 1, failed: 1 },
      errors: [{ instance_id: third, errors: { 'mapping.later': [expect.stringContaining('no such element')] } }],
    })
    const figures = await read(service, `/api/sys/process-templates/${template.id}/figures`)
    expect(figures.instances).toEqual({
      counted: 3,
      is_exact: true,
      versions: [
        { version, running: 1, suspended: 0, incident: 0, completed: 0, cancelled: 0 },
        { version: 1, running: 1, suspended: 0, incident: 0, completed: 1, cancelled: 0 },
      ],
    })
    expect(figures.elements).toContainEqual(expect.objectContaining({ element_id: 'ask', waiting: 1, incidents: 0 }))
    expect(figures.elements).toContainEqual(expect.objectContaining({ element_id: 'start', waiting: 0, completed: 3 }))
    expect((await bulk({ filter, action: 'cancel', reason: 'The project has ended.' })).result).toMatchObject({
      matched: 2,
      done: 2,
    })
    const { operations } = await read(service, `/api/sys/process-instances/${third}`)
    expect(operations).toMatchObject([
      { action: 'cancel', by: { id: service.admin.userId }, details: { reason: 'The project has ended.' } },
    ])
  })

  it('are selected by a filter whose mistakes are named', async () => {
    const refused = async (body: object) => (await api('POST', '/api/sys/process-instances/bulk', body)).body.errors
    expect(await refused({ filter: { state: 'x', status: 'runing', id: { _like: 1 } }, action: 'cancel' })).toEqual({
      'filter.state': [expect.stringContaining('there is no such field of process instances.')],
      'filter.status': ['runing: there is no such status. Did you mean running?'],
      'filter.id._like': [expect.stringContaining('_like: there is no such operator.')],
    })
    expect(await refused({ filter: {}, action: 'migrate' })).toEqual({ version: [expect.any(String)] })
    expect(await refused({ filter: {}, action: 'migrate', version: 2 })).toEqual({
      'filter.template_id': [expect.any(String)],
    })
    expect(await refused({ filter: {}, action: 'cancel', version: 2 })).toEqual({ version: [expect.any(String)] })
    expect(await refused({ filter: {}, action: 'retry', reason: 'x' })).toEqual({ reason: [expect.any(String)] })
  })
})
