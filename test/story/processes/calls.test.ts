import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  bpmn,
  end,
  eventually,
  flow,
  inARow,
  makeProcess,
  read,
  scriptTask,
  setFields,
  start,
  taskOf,
} from '../../make/builders/processes/processes.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

let service: TestService
let count = 0
const api = (method: string, path: string, body?: unknown) =>
  service.api(method, path, { token: service.admin.token, body })

beforeAll(async () => {
  service = await sharedService()
})
afterAll(() => service?.stop())

const call = (code: string, more = '', inside = ''): string =>
  `<callActivity id="call" name="Check" calledElement="${code}"${more}>${inside}</callActivity>`
const mapped =
  '<extensionElements><wf:in target="limit" source="${record.amount * 2}"/><wf:out target="verdict" source="answer"/></extensionElements>'

/** A table with a record; `define` makes a template about it, `run` starts one. */
async function subject() {
  count += 1
  const model = `loans_${count}`
  await makeTable(service, model, [
    { name: 'title', type: 'text' },
    { name: 'amount', type: 'integer' },
  ])
  const recordId: number = (await api('POST', `/api/e/${model}`, { title: 'A', amount: 21 })).body.data.id
  const code = (name: string): string => `${name}_${count}`
  const define = (name: string, elements: string) => makeProcess(service, model, code(name), bpmn(elements))
  const run = async (name: string): Promise<number> => {
    const { status, body } = await api('POST', '/api/sys/process-instances', {
      template_code: code(name),
      record_id: recordId,
    })
    if (status !== 201) throw new Error(JSON.stringify(body))
    return body.data.id
  }
  const instance = (id: number) => read(service, `/api/sys/process-instances/${id}`)
  const reaches = (id: number, what: string, holds: (one: any) => boolean) =>
    eventually(`${what} of instance ${id}`, async () => {
      const one = await instance(id)
      return holds(one) ? one : undefined
    })
  const complete = async (element: string, body: object = {}) =>
    api('POST', `/api/sys/process-tasks/${(await taskOf(service, model, recordId, element)).id}/complete`, body)
  return { model, recordId, code, define, run, instance, reaches, complete }
}

describe('a call activity of a global task', () => {
  it('runs its script and gives its task to people in the same instance', async () => {
    const { model, code, run, reaches, complete } = await subject()
    const globals =
      '<globalScriptTask id="count"><script>variables.counted = record.amount + 1</script></globalScriptTask><globalUserTask id="look" name="Have a look"/>'
    const document = bpmn(
      inARow(
        start,
        '<callActivity id="one" calledElement="count"/>',
        '<callActivity id="two" name="Look at it" calledElement="look"/>',
        setFields('set', { title: 'counted ${counted}' }),
        end,
      ),
    ).replace('<process ', `${globals}<process `)
    const { id: template } = await makeProcess(service, model, code('global'), document)
    expect((await read(service, `/api/sys/process-templates/${template}`)).findings).toBeUndefined()
    const id = await run('global')
    expect((await complete('two')).status).toBe(200)
    const { variables, history } = await reaches(id, 'the end', (one) => one.status === 'completed')
    expect(variables).toMatchObject({ counted: 22 })
    expect(history.map((one: any) => one.element_id).slice(1, 3)).toEqual(['one', 'two'])
  })
})

describe('a call activity', () => {
  it('runs another process for the same record, and each shows the other', async () => {
    const { model, recordId, code, define, run, instance, reaches, complete } = await subject()
    const child = await define(
      'child',
      inARow(
        start,
        '<userTask id="decide"/>',
        scriptTask('say', "variables.answer = 'at most ' + variables.limit"),
        end,
      ),
    )
    await define(
      'parent',
      inARow(start, call(code('child'), '', mapped), setFields('set', { title: '${variables.verdict}' }), end),
    )
    const id = await run('parent')
    const waiting = await reaches(id, 'a called process', ({ called }) => called.length === 1)
    const [below] = waiting.called
    expect(waiting).toMatchObject({
      status: 'running',
      parent_id: null,
      parent: null,
      tokens: [{ element_id: 'call', kind: 'call', type: 'callActivity', called_id: below.id }],
      called: [{ element_id: 'call', status: 'running', template: { id: child.id, code: code('child') } }],
    })
    expect(await instance(below.id)).toMatchObject({
      source: 'call',
      model,
      record_id: recordId,
      parent_id: id,
      parent: { id, element_id: 'call', status: 'running', template: { code: code('parent') } },
    })
    await complete('decide')
    const ended = await reaches(id, 'the end', ({ status }) => status === 'completed')
    expect(ended.called).toMatchObject([{ id: below.id, status: 'completed' }])
    expect((await read(service, `/api/e/${model}/${recordId}`)).data.title).toBe('at most 42')
  })

  it('shows incidents of what it calls, retries them, and is left by their errors', async () => {
    const { code, define, run, reaches, model, recordId } = await subject()
    await define(
      'child',
      inARow(
        start,
        scriptTask(
          'check',
          "if (record.amount > 20) $api.fail('Too much', record.title === 'B' ? 'NO_BUDGET' : undefined)",
        ),
        end,
      ),
    )
    await define('parent', inARow(start, call(code('child')), end))
    const id = await run('parent')
    const failed = await reaches(id, 'an incident', ({ status }) => status === 'incident')
    expect(failed.incidents).toMatchObject([
      { instance_id: failed.called[0].id, element_id: 'check', message: 'Too much', status: 'open' },
    ])
    await api('PATCH', `/api/e/${model}/${recordId}`, { amount: 5 })
    expect((await api('POST', `/api/sys/process-instances/${id}/retry`)).status).toBe(200)
    await reaches(id, 'the end', ({ status }) => status === 'completed')

    await api('PATCH', `/api/e/${model}/${recordId}`, { amount: 50, title: 'B' })
    const border = `<boundaryEvent id="poor" attachedToRef="call"><errorEventDefinition errorRef="NoBudget"/></boundaryEvent><userTask id="ask"/>${flow('poor', 'ask')}`
    await define('catching', inARow(start, call(code('child')), end) + border)
    const other = await run('catching')
    const left = await reaches(other, 'its way out', ({ tokens }) =>
      tokens.some((one: any) => one.element_id === 'ask'),
    )
    expect(left).toMatchObject({ status: 'running', called: [{ status: 'cancelled' }], incidents: [] })
  })

  const late = '<escalation id="late" escalationCode="LATE"/><message id="ready" name="ready"/>'
  const before = (document: string): string => document.replace('<process ', `${late}<process `)
  const throws =
    '<intermediateThrowEvent id="say"><escalationEventDefinition escalationRef="late"/></intermediateThrowEvent>'
  const sends = '<intermediateThrowEvent id="say"><messageEventDefinition messageRef="ready"/></intermediateThrowEvent>'
  it.each([
    ['an escalation that it throws', throws, 'escalationEventDefinition escalationRef="late"'],
    [
      'an escalation at its end',
      '<endEvent id="say"><escalationEventDefinition escalationRef="late"/></endEvent>',
      'escalationEventDefinition escalationRef="late"',
    ],
    ['a message that it sends', sends, 'messageEventDefinition messageRef="ready"'],
  ])('is told %s before its end, each time', async (_what, says, catches) => {
    const { model, code, run, reaches } = await subject()
    const ends = says.startsWith('<endEvent') ? [] : [end]
    const inner = inARow(start, '<task id="begin"/>', says, ...ends)
    await makeProcess(service, model, code('checking'), before(bpmn(inner)))
    const outer = [
      inARow(start, call(code('checking')), '<task id="normal"/>', end),
      `<boundaryEvent id="caught" attachedToRef="call"><${catches}/></boundaryEvent><task id="told"/>`,
      flow('caught', 'told'),
      flow('told', 'end'),
    ]
    await makeProcess(service, model, code('outer'), before(bpmn(outer.join(''))))
    const ids = await Promise.all(Array.from({ length: 12 }, () => run('outer')))
    const all = await Promise.all(ids.map((id) => reaches(id, 'the end', ({ status }) => status === 'completed')))
    const passed = all.map(({ history }) => history.map((one: any) => one.element_id))
    expect(passed.map((elements) => [elements.includes('told'), elements.includes('normal')])).toEqual(
      all.map(() => [true, false]),
    )
  })

  it('cancels what it called, and fails when that is cancelled', async () => {
    const { code, define, run, reaches } = await subject()
    await define('child', inARow(start, '<userTask id="work"/>', end))
    await define('parent', inARow(start, call(code('child')), end))
    const id = await run('parent')
    const [below] = (await reaches(id, 'a called process', ({ called }) => called.length === 1)).called
    await api('POST', `/api/sys/process-instances/${below.id}/cancel`)
    const failed = await reaches(id, 'an incident', ({ status }) => status === 'incident')
    expect(failed.incidents[0].message).toBe(
      `The called process ${code('child')} (instance ${below.id}) was cancelled.`,
    )
    await api('POST', `/api/sys/process-instances/${id}/retry`)
    const again = await reaches(id, 'a second call', ({ called }) => called.length === 2)
    await api('POST', `/api/sys/process-instances/${id}/cancel`)
    await reaches(again.called[0].id, 'its cancel', ({ status }) => status === 'cancelled')
  })

  it('names a template that is missing or inactive, and none that is called can be deleted', async () => {
    const { code, define, run, reaches } = await subject()
    const saved = await api('POST', '/api/sys/process-templates', {
      name: code('parent'),
      code: code('parent'),
      table: `loans_${count}`,
      bpmn_xml: bpmn(inARow(start, call(code('child')), end)),
    })
    expect(saved.body.warnings).toMatchObject([{ element_id: 'call', code: 'unknown_process' }])
    expect(saved.body.warnings[0].message).toContain(code('child'))
    const id = await run('parent')
    const failed = await reaches(id, 'an incident', ({ status }) => status === 'incident')
    expect(failed.incidents[0]).toMatchObject({ element_id: 'call', message: expect.stringContaining(code('child')) })

    const child = await define('child', inARow(start, '<userTask id="work"/>', end))
    await api('PUT', `/api/sys/process-templates/${child.id}`, { is_active: false })
    await api('POST', `/api/sys/process-instances/${id}/retry`)
    await reaches(id, 'another incident', ({ incidents }) =>
      incidents.some(({ message }: any) => message === `The process ${code('child')} is not active.`),
    )
    const refused = await api('DELETE', `/api/sys/process-templates/${child.id}`)
    expect([refused.status, refused.body.code]).toEqual([422, 'in_use'])
    expect(refused.body.message).toContain(`The process ${code('parent')} calls it.`)
    await api('PUT', `/api/sys/process-templates/${child.id}`, { is_active: true })
    await api('POST', `/api/sys/process-instances/${id}/retry`)
    await reaches(id, 'the call', ({ status, called }) => status === 'running' && called.length === 1)
  })

  it('calls the version of now, or the one to which it is pinned', async () => {
    const { code, define, run, reaches } = await subject()
    const waits = (element: string): string => bpmn(inARow(start, `<userTask id="${element}"/>`, end))
    const child = await define('child', inARow(start, '<userTask id="first"/>', end))
    await define('latest', inARow(start, call(code('child')), end))
    await define('pinned', inARow(start, call(code('child'), ' wf:version="pinned"'), end))
    await api('PUT', `/api/sys/process-templates/${child.id}`, { bpmn_xml: waits('second') })
    const versionOf = async (name: string) =>
      (await reaches(await run(name), 'a called process', ({ called }) => called.length === 1)).called[0].template
        .version
    expect([await versionOf('latest'), await versionOf('pinned')]).toEqual([2, 1])
  })
})

describe('an ad-hoc sub-process', () => {
  it('begins activities by request, once for each, while it runs', async () => {
    const { define, run, instance, complete } = await subject()
    const adHoc =
      '<adHocSubProcess id="care" wf:begin="onRequest"><userTask id="visit" name="Visit"/><userTask id="note"/><completionCondition>task.outcome === &quot;done&quot;</completionCondition></adHocSubProcess>'
    await define('care', inARow(start, adHoc, '<userTask id="bill"/>', end))
    const id = await run('care')
    const path = `/api/sys/process-instances/${id}/activities`
    expect(await instance(id)).toMatchObject({
      status: 'running',
      tokens: [],
      ad_hoc: [
        {
          element_id: 'care',
          activities: [
            { element_id: 'visit', name: 'Visit' },
            { element_id: 'note', name: null },
          ],
        },
      ],
    })
    const key = { 'idempotency-key': `visit-${id}` }
    const begin = () =>
      service.api('POST', path, { token: service.admin.token, headers: key, body: { element_id: 'visit' } })
    expect((await begin()).body.data.tokens).toMatchObject([{ element_id: 'visit', kind: 'task' }])
    expect((await begin()).body.data.tokens).toHaveLength(1)
    const wrong = await api('POST', path, { element_id: 'visits' })
    expect([wrong.status, wrong.body.errors]).toEqual([
      422,
      {
        element_id: [
          'The selected element_id visits is invalid: it must be an activity of an ad-hoc sub-process that no flow leads to, one of visit, note. Did you mean visit?',
        ],
      },
    ])
    const other = await api('POST', path, { element_id: 'visit', execution_id: 'care#9' })
    expect([other.status, other.body.errors.execution_id]).toEqual([
      422,
      ['The selected execution_id is invalid: it must be one of care#1.'],
    ])
    expect((await api('POST', path, { element_id: 'note' })).body.data.tokens).toHaveLength(2)
    await complete('note', { outcome: 'done' })
    expect(await instance(id)).toMatchObject({ tokens: [{ element_id: 'bill' }], ad_hoc: [] })
    const late = await api('POST', path, { element_id: 'note' })
    expect([late.status, late.body.code]).toEqual([409, 'sub_process_not_running'])
  })
})
