import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dmnDocument, requirements, tableDecision, tableDocument } from '../../make/builders/decision-document.ts'
import { userWith } from '../../make/builders/people.ts'
import { bpmn, end, eventually, inARow, read, setFields, start } from '../../make/builders/processes/processes.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

let service: TestService
const api = (method: string, path: string, body?: unknown) =>
  service.api(method, path, { token: service.admin.token, body })
const post = async (path: string, body: unknown) => (await api('POST', path, body)).body.data

const discount = (low: string, high: string): string =>
  tableDocument({
    inputs: ['amount: number'],
    outputs: ['percent: number'],
    rules: [
      ['< 100', low],
      ['>= 100', high],
    ],
  })

beforeAll(async () => {
  service = await sharedService()
  await makeTable(service, 'orders', [
    { name: 'title', type: 'text' },
    { name: 'amount', type: 'integer' },
    { name: 'total', type: 'decimal' },
    { name: 'percent', type: 'integer' },
  ])
  for (const [title, amount] of [
    ['A', 50],
    ['B', 150],
    ['C', 250],
    ['D', null],
  ] as const)
    await post('/api/e/orders', { title, amount, total: amount === null ? null : `${amount}.00` })
})
afterAll(() => service?.stop())

describe('a decision', () => {
  it('is created, read by code and id, listed, changed as a version, evaluated and deleted', async () => {
    const made = await api('POST', '/api/sys/decisions', { name: 'Volume discount', dmn_xml: discount('0', '5') })
    expect([made.status, made.body.data]).toMatchObject([
      201,
      { code: 'volume-discount', version: 1, inputs: [{ name: 'amount', type: 'number' }] },
    ])
    const { id, dmn_xml: xml } = made.body.data
    expect((await api('GET', `/api/sys/decisions/${id}`)).body).toEqual(
      (await api('GET', '/api/sys/decisions/volume-discount')).body,
    )
    expect(await read(service, '/api/sys/decisions')).toContainEqual(expect.not.objectContaining({ dmn_xml: xml }))
    expect(await post('/api/sys/decisions/volume-discount/evaluate', { amount: 150 })).toEqual({
      result: 5,
      rules: ['decision_2'],
    })

    const changed = await api('PUT', `/api/sys/decisions/${id}`, { dmn_xml: discount('0', '7'), version: 1 })
    expect([changed.status, changed.body.data.version]).toEqual([200, 2])
    const renamed = await api('PUT', `/api/sys/decisions/${id}`, { name: 'Discount' })
    expect(renamed.body.data).toMatchObject({ name: 'Discount', version: 3, dmn_xml: discount('0', '7') })
    expect(await read(service, `/api/sys/decisions/${id}?version=1`)).toMatchObject({ version: 1, dmn_xml: xml })
    expect((await api('GET', `/api/sys/decisions/${id}?version=9`)).body).toMatchObject({
      code: 'decision_not_found',
      message: 'There is no version 9 of the decision volume-discount: its versions are 1 to 3.',
    })
    const versions = ['', '?version=1'].map((query) =>
      post(`/api/sys/decisions/${id}/evaluate${query}`, { amount: 100 }),
    )
    expect((await Promise.all(versions)).map(({ result }) => result)).toEqual([7, 5])
    expect((await api('DELETE', '/api/sys/decisions/volume-discount')).status).toBe(204)
    expect((await api('GET', '/api/sys/decisions/volume-discount')).status).toBe(404)
  })

  it('is refused with what is wrong, and saved with what is doubtful', async () => {
    const refused = await api('POST', '/api/sys/decisions', {
      name: 'Overlap',
      dmn_xml: tableDocument({
        inputs: ['n: number'],
        outputs: ['x'],
        rules: [
          ['> 1', '1'],
          ['foo(', '2'],
        ],
      }),
    })
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      { dmn_xml: ['Rule 2, input "n": foo( cannot be read: something is missing at its end.'] },
    ])
    const doubtful = await api('POST', '/api/sys/decisions', {
      name: 'Shadow',
      dmn_xml: tableDocument({
        hitPolicy: 'FIRST',
        inputs: ['n: number'],
        outputs: ['x'],
        rules: [
          ['> 1', '1'],
          ['> 2', '2'],
        ],
      }),
    })
    expect([doubtful.status, doubtful.body.warnings]).toEqual([
      201,
      [
        {
          path: 'dmn_xml',
          code: 'unreachable_rule',
          message: 'Rule 2 (decision_2) is never reached: rule 1 matches whenever it does.',
        },
      ],
    ])
    const taken = await api('POST', '/api/sys/decisions', {
      code: 'shadow',
      name: 'Other',
      dmn_xml: discount('1', '2'),
    })
    expect([taken.status, taken.body.code]).toEqual([409, 'name_taken'])
  })

  it('says which input it does not have, and why it has no result', async () => {
    await post('/api/sys/decisions', {
      code: 'risk',
      name: 'Risk',
      dmn_xml: dmnDocument([
        tableDecision({
          id: 'level',
          inputs: ['amount: number'],
          outputs: ['x: string'],
          rules: [
            ['>= 100', '"high"'],
            ['< 100', '"low"'],
          ],
        }),
        `<decision id="risk" name="risk">${requirements(['level'])}<literalExpression><text>if level = "high" then "ask" else "go"</text></literalExpression></decision>`,
      ]),
    })
    expect(await post('/api/sys/decisions/risk/evaluate', { amount: 500 })).toEqual({
      result: 'ask',
      rules: [],
      required: [{ id: 'level', result: 'high', rules: ['level_1'] }],
    })
    const unknown = await api('POST', '/api/sys/decisions/risk/evaluate', { amuont: 5 })
    expect([unknown.status, unknown.body.errors]).toEqual([
      422,
      { amuont: ['The decision has no input amuont. Did you mean amount?'] },
    ])
    const wrong = await api('POST', '/api/sys/decisions/risk/evaluate', { amount: 'much' })
    const message = 'The decision risk, level: the input "amount" is "much", and must be a number.'
    expect([wrong.status, wrong.body.message, wrong.body.errors]).toEqual([422, message, { amount: [message] }])
  })

  it('is replayed over records, with a candidate beside it', async () => {
    await post('/api/sys/decisions', { code: 'rebate', name: 'Rebate', dmn_xml: discount('0', '5') })
    const replay = await post('/api/sys/decisions/rebate/replay', { model: 'orders', mapping: { amount: 'total' } })
    expect(replay).toEqual({
      version: 1,
      total: 4,
      evaluated: 4,
      is_complete: true,
      rules: [
        { id: 'decision_1', matched: 1, records: [1] },
        { id: 'decision_2', matched: 2, records: [3, 2] },
      ],
      no_match: { count: 1, records: [4] },
      failed: { count: 0, records: [] },
      results: [
        { result: 5, count: 2 },
        { result: null, count: 1 },
        { result: 0, count: 1 },
      ],
    })
    const candidate = tableDocument({
      inputs: ['title', 'amount: number'],
      outputs: ['percent'],
      rules: [['"C"', '-', '9']],
    })
    const compared = await post('/api/sys/decisions/rebate/replay', {
      model: 'orders',
      filter: { amount: { _gte: 100 } },
      dmn_xml: candidate,
      limit: 1,
    })
    expect(compared).toMatchObject({
      total: 2,
      evaluated: 1,
      is_complete: false,
      candidate: {
        results: [{ result: 9, count: 1 }],
        differs: { count: 1, records: [{ id: 3, result: 5, candidate: 9 }] },
      },
    })
    const wrong = await api('POST', '/api/sys/decisions/rebate/replay', {
      model: 'orders',
      mapping: { amount: 'totl' },
    })
    expect([wrong.status, wrong.body.errors]).toEqual([
      422,
      { 'mapping.amount': ['The table orders has no field totl. Did you mean total?'] },
    ])
    const elsewhere = await api('POST', '/api/sys/decisions/rebate/replay', { model: 'ordres' })
    expect([elsewhere.status, elsewhere.body.errors]).toEqual([
      422,
      { model: ['The selected model is invalid: there is no such table. Did you mean orders?'] },
    ])
  })

  it('is replayed over more than a thousand records by a job, with the same answer; few are answered at once', async () => {
    await makeTable(service, 'many_orders', [{ name: 'amount', type: 'integer' }])
    const rows = Array.from({ length: 1_300 }, (_, index) => ({ amount: index < 100 ? 5 : 500 }))
    for (const part of [rows.slice(0, 700), rows.slice(700)])
      expect((await api('POST', '/api/e/many_orders/import', { rows: part })).status).toBeLessThan(300)
    await post('/api/sys/decisions', { code: 'bulk_rebate', name: 'Bulk rebate', dmn_xml: discount('0', '5') })
    const replay = (more: object) =>
      api('POST', '/api/sys/decisions/bulk_rebate/replay', { model: 'many_orders', ...more })
    const whole = await replay({})
    expect([whole.status, whole.body.data.evaluated, whole.body.data.is_complete]).toEqual([200, 1_000, false])
    expect((await replay({ limit: 5_000, filter: { amount: 5 } })).body.data).toMatchObject({
      total: 100,
      evaluated: 100,
    })
    expect((await replay({ limit: 200_000 })).body.errors).toHaveProperty('limit')
    const job = await replay({ limit: 1_200, dmn_xml: discount('0', '6') })
    expect([job.status, Object.keys(job.body.data)]).toEqual([202, ['job_id']])
    const done = await eventually('the replay', async () => {
      const one = await read(service, `/api/sys/jobs/${job.body.data.job_id}`)
      return one.status === 'done' ? one : undefined
    })
    expect(done).toMatchObject({
      kind: 'decision-replay',
      done: 1_200,
      total: 1_200,
      result: {
        version: 1,
        total: 1_300,
        evaluated: 1_200,
        is_complete: false,
        rules: [
          { id: 'decision_1', matched: 0 },
          { id: 'decision_2', matched: 1_200, records: [1_300, 1_299, 1_298, 1_297, 1_296] },
        ],
        results: [{ result: 5, count: 1_200 }],
        candidate: { results: [{ result: 6, count: 1_200 }], differs: { count: 1_200 } },
      },
    })
  })

  it('is a section of the configuration, before the processes that name it', async () => {
    const dmn_xml = discount('3', '4')
    const rule = '<businessRuleTask id="rule" wf:decision="configured"/>'
    const document = {
      decisions: [{ name: 'configured', label: 'Configured', dmn_xml }],
      processes: [{ name: 'deciding', table: 'orders', bpmn_xml: bpmn(inARow(start, rule, end)) }],
    }
    const applied = await api('PUT', '/api/sys/config', document)
    expect([applied.status, applied.body.data.created, applied.body.warnings]).toEqual([
      200,
      ['decisions.configured', 'processes.deciding'],
      undefined,
    ])
    const again = await api('PUT', '/api/sys/config', document)
    expect(again.body.data).toMatchObject({ created: [], changed: [], unchanged: 2 })
    const { decisions } = await read(service, '/api/sys/config')
    expect(decisions).toContainEqual(document.decisions[0])
  })
})

describe('a business rule task', () => {
  const define = async (code: string, rule: string, more: object = {}) =>
    api('POST', '/api/sys/process-templates', {
      code,
      name: code,
      table: 'orders',
      bpmn_xml: bpmn(inARow(start, rule, setFields('set', { percent: '${variables.percent}' }), end)),
      ...more,
    })
  const run = async (code: string, recordId: number): Promise<number> =>
    (await post('/api/sys/process-instances', { template_code: code, record_id: recordId })).id
  const ended = (id: number) =>
    eventually(`the end of instance ${id}`, async () => {
      const one = await read(service, `/api/sys/process-instances/${id}`)
      return one.status === 'running' ? undefined : one
    })

  it('evaluates the latest version, or the pinned one, over variables and the record; a decision in use stays', async () => {
    await post('/api/sys/decisions', { code: 'percent-of', name: 'Percent', dmn_xml: discount('1', '5') })
    const rule = (more: string) =>
      `<businessRuleTask id="rule" wf:decision="percent-of" wf:resultVariable="percent"${more}/>`
    expect((await define('pinned_rule', rule(' wf:version="pinned"'))).status).toBe(201)
    expect((await define('latest_rule', rule(''))).status).toBe(201)
    await api('PUT', '/api/sys/decisions/percent-of', { dmn_xml: discount('2', '6') })
    const [pinned, latest] = [await run('pinned_rule', 2), await run('latest_rule', 2)]
    expect([(await ended(pinned)).variables, (await ended(latest)).variables]).toEqual([{ percent: 5 }, { percent: 6 }])
    expect((await read(service, '/api/e/orders/2')).data.percent).toBe(6)

    const decision = (of: any) => of.history.find(({ element_id }: any) => element_id === 'rule').decision
    const { id } = await read(service, '/api/sys/decisions/percent-of')
    const matched = {
      id,
      code: 'percent-of',
      version: 2,
      inputs: { amount: 150 },
      rules: [{ id: 'decision_2', number: 2 }],
      matched: 1,
      result: 6,
    }
    expect(decision(await ended(latest))).toEqual(matched)
    expect(decision(await ended(pinned))).toEqual({ ...matched, version: 1, result: 5 })
    const decided = async (token: string) => {
      const { data } = (await service.api('GET', '/api/e/orders/2/timeline?kinds=process', { token })).body
      const whole = (await service.api('GET', `/api/sys/process-instances/${latest}`, { token })).body.data
      return [data.find((one: any) => one.data.decision?.version === 2).data.decision, decision(whole)]
    }
    expect(await decided(service.admin.token)).toEqual([matched, matched])
    const sees = async (...fields: string[]) =>
      decided((await userWith(service, ['orders.read'], [], { orders: { read: fields } })).token)
    expect(await sees('amount')).toEqual([matched, matched])
    const hidden = { ...matched, inputs: {}, rules: [], matched: null, result: null, is_hidden: true }
    expect(await sees('title')).toEqual([hidden, hidden])

    const kept = await api('DELETE', '/api/sys/decisions/percent-of')
    expect([kept.status, kept.body.code]).toEqual([422, 'in_use'])
    const renamed = await api('PUT', '/api/sys/decisions/percent-of', { code: 'percentage' })
    expect([renamed.status, renamed.body.code]).toEqual([422, 'in_use'])
  })

  it('fails with an incident that names the decision and the rule', async () => {
    await post('/api/sys/decisions', {
      code: 'ambiguous',
      name: 'Ambiguous',
      dmn_xml: tableDocument({
        inputs: ['title'],
        outputs: ['x'],
        rules: [
          ['contains(?, "B")', '1'],
          ['starts with(?, "B")', '2'],
        ],
      }),
    })
    await define('ambiguous_rule', '<businessRuleTask id="rule" wf:decision="ambiguous" wf:resultVariable="percent"/>')
    const instance = await ended(await run('ambiguous_rule', 2))
    expect([instance.status, instance.incidents[0]]).toMatchObject([
      'incident',
      {
        element_id: 'rule',
        message:
          'The decision ambiguous: Rule 1 (decision_1) and rule 2 (decision_2) match, and the hit policy UNIQUE allows one.',
      },
    ])
  })

  it('is told of a decision that does not exist, and of a mistyped one', async () => {
    await post('/api/sys/decisions', { code: 'shipping', name: 'Shipping', dmn_xml: discount('1', '2') })
    const mistyped = await define(
      'mistyped',
      '<businessRuleTask id="rule" wf:decision="shiping" wf:resultVariable="percent"/>',
    )
    expect([mistyped.status, mistyped.body.data.findings]).toMatchObject([
      422,
      [
        {
          element_id: 'rule',
          code: 'unknown_decision',
          message: 'wf:decision, shiping: there is no such decision. Did you mean shipping?',
        },
      ],
    ])
    const later = await define(
      'later',
      '<businessRuleTask id="rule" wf:decision="quarterly_bonus" wf:resultVariable="percent"/>',
    )
    expect([later.status, later.body.warnings]).toMatchObject([201, [{ element_id: 'rule', code: 'unknown_decision' }]])
    const alone = await define('alone', '<businessRuleTask id="rule" wf:version="pinned"/>')
    expect(alone.body.data.findings[0].message).toBe(
      'The business rule task "rule" has wf:version and no wf:decision, whose version it would be.',
    )
  })

  it('is read from Camunda 7 and 8', async () => {
    await post('/api/sys/decisions', { code: 'foreign', name: 'Foreign', dmn_xml: discount('8', '9') })
    const camunda = bpmn(
      inARow(
        start,
        '<businessRuleTask id="rule" xmlns:camunda="http://camunda.org/schema/1.0/bpmn" camunda:decisionRef="foreign" camunda:resultVariable="percent" camunda:mapDecisionResult="singleEntry"/>',
        end,
      ),
    ).replace('<definitions', '<definitions xmlns:camunda="http://camunda.org/schema/1.0/bpmn"')
    const zeebe = bpmn(
      inARow(
        start,
        '<businessRuleTask id="rule"><extensionElements><zeebe:calledDecision decisionId="foreign" resultVariable="percent"/></extensionElements></businessRuleTask>',
        end,
      ),
    ).replace('<definitions', '<definitions xmlns:zeebe="http://camunda.org/schema/zeebe/1.0"')
    for (const [code, bpmn_xml] of Object.entries({ camunda_rule: camunda, zeebe_rule: zeebe })) {
      const made = await api('POST', '/api/sys/process-templates', { code, name: code, table: 'orders', bpmn_xml })
      expect([made.status, made.body.warnings]).toEqual([201, undefined])
      expect((await ended(await run(code, 1))).variables).toEqual({ percent: 8 })
    }
  })
})
