import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { userWith } from '../../make/builders/people.ts'
import { requestProcess } from '../../make/builders/processes/process-templates.ts'
import { bpmn, end, inARow, makeProcess, read, start } from '../../make/builders/processes/processes.ts'
import { makeRequests } from '../../make/builders/records/tables.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

let service: TestService
const path = '/api/sys/process-templates'
const api = (method: string, to: string, body?: unknown, token = service.admin.token) =>
  service.api(method, to, { token, body })
const simple = (task = '<userTask id="wait"/>', attributes = '') => bpmn(inARow(start, task, end), attributes)
const recordOf = async (title = 'A') => (await api('POST', '/api/e/requests', { title })).body.data.id as number

beforeAll(async () => {
  service = await sharedService()
  await makeRequests(service)
})
afterAll(() => service?.stop())

describe('a process template', () => {
  it('derives its code from the name and its start from the document, and is listed without the document', async () => {
    const made = await api('POST', path, {
      name: 'Request: Genehmigung für Ämter',
      table: 'requests',
      bpmn_xml: requestProcess(),
    })
    expect(made.status).toBe(201)
    expect(made.body.data).toEqual({
      id: expect.any(Number),
      code: 'request-genehmigung-fur-amter',
      name: 'Request: Genehmigung für Ämter',
      table: 'requests',
      is_auto_start: true,
      is_active: true,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      version: 1,
      bpmn_xml: requestProcess(),
    })
    const { bpmn_xml: xml, ...head } = made.body.data
    const { token } = await userWith(service, [])
    expect((await api('GET', path, undefined, token)).body.data).toEqual([head])
    expect((await api('GET', `${path}?table=clients`, undefined, token)).body.data).toEqual([])
    expect((await api('GET', `${path}/${head.id}`, undefined, token)).body.data).toEqual({ ...head, bpmn_xml: xml })
    expect((await api('DELETE', `${path}/${head.id}`)).status).toBe(204)
    expect((await api('GET', `${path}/${head.id}`)).status).toBe(404)
  })

  it('belongs to the table that the document names when the body leaves the table out', async () => {
    const made = await api('POST', path, { name: 'Named inside', bpmn_xml: simple(undefined, 'wf:table="requests"') })
    expect([made.status, made.body.data.table]).toEqual([201, 'requests'])
    const kept = await api('PUT', `${path}/${made.body.data.id}`, { name: 'Still there' })
    expect([kept.status, kept.body.data.table]).toEqual([200, 'requests'])
    expect((await api('DELETE', `${path}/${made.body.data.id}`)).status).toBe(204)
    const refused = async (body: object) => {
      const { status, body: answered } = await api('POST', path, { name: 'Refused', ...body })
      return [status, JSON.stringify(answered.errors)]
    }
    expect(await refused({ bpmn_xml: simple() })).toEqual([422, expect.stringContaining('wf:table')])
    expect(await refused({ bpmn_xml: simple(undefined, 'wf:table="reqests"') })).toEqual([
      422,
      expect.stringContaining('Did you mean requests?'),
    ])
    expect(await refused({ table: 'clients', bpmn_xml: simple(undefined, 'wf:table="requests"') })).toEqual([
      422,
      expect.stringContaining('the template belongs to the table clients'),
    ])
  })

  it('has an endpoint that describes what our namespace adds to BPMN', async () => {
    expect(await read(service, `${path}/schema`)).toMatchObject({ uri: 'urn:entity-workflow:wf:1', prefix: 'wf' })
  })

  it('knows complete_on_field_* of a table that the caller may read', async () => {
    const named = async (query: string, token?: string) => {
      const { status, body } = await api('GET', `${path}/schema${query}`, undefined, token)
      const type = body.data?.types.find(({ name }: { name: string }) => name === 'TaskProps')
      return type === undefined
        ? status
        : type.properties.flatMap(({ name }: { name: string }) => (name.startsWith('complete_on_field_') ? [name] : []))
    }
    expect(await named('?table=requests')).toContain('complete_on_field_status')
    expect(await named('')).toEqual([])
    expect(await named('?table=nothing')).toBe(422)
    expect(await named('?table=requests', (await userWith(service, [])).token)).toBe(403)
  })

  it('warns of what other engines understand, and may be sent back', async () => {
    const foreign = simple('<userTask id="wait" name="Approve" camunda:assignee="ada" zeebe:foo="1"/>').replace(
      '<definitions ',
      '<definitions xmlns:camunda="http://camunda.org/schema/1.0/bpmn" xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" ',
    )
    const { status, body } = await api('POST', path, { name: 'Foreign', table: 'requests', bpmn_xml: foreign })
    expect([status, body.warnings]).toEqual([
      201,
      [
        {
          element_id: 'wait',
          code: 'ignored',
          message:
            'The user task "Approve" has camunda:assignee="ada", which names no user here: write ids or addresses of users as wf:assignee.',
        },
        {
          element_id: 'wait',
          code: 'ignored',
          message: 'The user task "Approve" has zeebe:foo, which means nothing here.',
        },
      ],
    ])
    const again = await api('PUT', `${path}/${body.data.id}`, { ...body.data, name: 'Foreign words' })
    expect([again.status, again.body.warnings]).toEqual([200, undefined])
    await api('DELETE', `${path}/${body.data.id}`)
  })

  it('warns of candidates that do not exist: the others can claim the task', async () => {
    const ids = [service.admin.userId, ...Array.from({ length: 12 }, (_, at) => 9001 + at)]
    const offered = simple(`<userTask id="wait" wf:candidateUsers="${ids.join(',')}"/>`)
    const { status, body } = await api('POST', path, { name: 'Offered', table: 'requests', bpmn_xml: offered })
    const some = '9001, 9002, 9003, 9004, 9005, 9006, 9007, 9008, 9009, 9010 and 2 more'
    const message = `wf:candidateUsers: there are no such users: ${some}.`
    expect([status, body.warnings]).toEqual([201, [{ element_id: 'wait', code: 'unknown_user', message }]])
    await api('DELETE', `${path}/${body.data.id}`)
  })

  it('gets a diagram when it is asked for one, and keeps the one that it was saved with', async () => {
    const made = (await api('POST', path, { name: 'Plain', table: 'requests', bpmn_xml: simple() })).body.data
    const laidOut = (await api('GET', `${path}/${made.id}?layout=true`)).body.data
    expect(laidOut.bpmn_xml).toMatch(/<bpmndi:BPMNShape id="wait_di" bpmnElement="wait">/)
    expect(laidOut.bpmn_xml.replace(/<bpmndi:BPMNDiagram[\s\S]*BPMNDiagram>\n/, '')).toBe(simple())
    expect((await api('GET', `${path}/${made.id}`)).body.data.bpmn_xml).toBe(simple())
    const saved = await api('PUT', `${path}/${made.id}`, laidOut)
    expect([saved.status, saved.body.data.version, saved.body.data.bpmn_xml]).toEqual([200, 2, laidOut.bpmn_xml])
    expect((await api('GET', `${path}/${made.id}?layout=true`)).body.data.bpmn_xml).toBe(laidOut.bpmn_xml)
    await api('DELETE', `${path}/${made.id}`)
  })

  it('is refused with every reason why it cannot run, by element', async () => {
    const broken = bpmn(inARow(start, '<userTask id="wait" wf:dueDate="soon"/>', '<choreographyTask id="odd"/>', end))
    const { status, body } = await api('POST', path, { name: 'Broken', table: 'requests', bpmn_xml: broken })
    expect(status).toBe(422)
    const elements = body.data.findings.map(({ element_id }: any) => element_id)
    expect(elements).toEqual(expect.arrayContaining(['odd']))
    expect(body.errors.bpmn_xml).toEqual(body.data.findings.map(({ message }: any) => message))
    for (const { element_id, message } of body.data.findings)
      expect(body.errors[`bpmn_xml.${element_id}`]).toContain(message)
    expect(
      (await api('POST', path, { name: 'None', table: 'requests', bpmn_xml: 'no XML' })).body.errors.bpmn_xml,
    ).toHaveLength(1)
    expect((await api('GET', path)).body.data).toEqual([])
  })

  it('is refused for unknown fields and tables, with the elements that use them', async () => {
    const elements = [
      start,
      `<userTask id="wait" wf:complete_on_field_stage="done"><extensionElements>
        <wf:form><wf:formField name="a" bind="record.nowhere"/></wf:form><wf:setFields on="complete"><wf:set field="gone" value="1"/></wf:setFields>
      </extensionElements></userTask>`,
      '<serviceTask id="write" wf:action="createRecord"><extensionElements><wf:createRecord table="clients"><wf:set field="title" value="x"/></wf:createRecord></extensionElements></serviceTask>',
      '<serviceTask id="lost" wf:action="createRecord"><extensionElements><wf:createRecord table="planets"><wf:set field="name" value="x"/></wf:createRecord></extensionElements></serviceTask>',
      end,
    ]
    const { status, body } = await api('POST', path, {
      name: 'Fields',
      table: 'requests',
      bpmn_xml: bpmn(inARow(...elements), 'wf:table="clients"'),
    })
    expect(status).toBe(422)
    expect(body.data.findings.map(({ element_id, message }: any) => ({ element_id, message }))).toEqual([
      {
        element_id: 'P',
        message: 'The process says wf:table="clients", but the template belongs to the table requests.',
      },
      { element_id: 'wait', message: 'The table requests has no field "stage".' },
      { element_id: 'wait', message: 'The table requests has no field "gone".' },
      { element_id: 'wait', message: 'The table requests has no field "nowhere".' },
      { element_id: 'write', message: 'The table clients has no field "title".' },
      { element_id: 'lost', message: 'There is no table "planets".' },
    ])
    const unknown = await api('POST', path, { name: 'X', table: 'planets', bpmn_xml: simple() })
    expect([unknown.status, unknown.body.errors]).toEqual([
      422,
      {
        table: [
          'The selected table is invalid: there is no such table. There are: clients, requests, sys_articles, sys_companies, sys_org_units, sys_ratings.',
        ],
      },
    ])
    const bare = await api('POST', path, { colour: 1 })
    expect(Object.keys(bare.body.errors).sort()).toEqual(['bpmn_xml', 'colour', 'name'])
    const odd = await api('POST', path, { name: '審査', table: 'requests', bpmn_xml: simple() })
    expect([odd.status, Object.keys(odd.body.errors)]).toEqual([422, ['code']])
  })

  it('has a unique code, even when several are created at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        api('POST', path, { code: 'mine', name: 'Mine', table: 'requests', bpmn_xml: simple() }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 7 }, () => 409)])
    expect((await read(service, path)).filter(({ code }: any) => code === 'mine')).toHaveLength(1)
  })

  it('merges a change into its next version, and keeps its version when nothing changes', async () => {
    const made = await makeProcess(service, 'requests', 'changing', simple())
    const one = `${path}/${made.id}`
    expect((await api('PUT', one, made)).body.data).toEqual(made)
    const second = await api('PUT', one, { version: 1, name: 'Other', is_active: false })
    expect(second.body.data).toEqual({
      ...made,
      name: 'Other',
      is_active: false,
      findings: [],
      updated_at: expect.any(String),
      version: 2,
    })
    expect([
      (await api('PUT', one, { version: 1, name: 'Late' })).status,
      (await api('PUT', one, { code: 'other' })).body.errors,
    ]).toEqual([412, { code: ['The code of a process template cannot be changed.'] }])
    const broken = await api('PUT', one, {
      bpmn_xml: simple('<userTask id="wait" wf:complete_on_field_stage="x"/>'),
      is_active: true,
    })
    expect([broken.status, Object.keys(broken.body.errors)]).toEqual([422, ['bpmn_xml', 'bpmn_xml.wait']])
    expect(await read(service, one)).toEqual(second.body.data)
    const both = await Promise.all([api('PUT', one, { name: 'Ours' }), api('PUT', one, { is_active: true })])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    expect(await read(service, one)).toEqual({
      ...made,
      name: 'Ours',
      is_active: true,
      updated_at: expect.any(String),
      version: 4,
    })
  })

  it('leaves running instances on their version, and cannot be deleted while they run', async () => {
    const made = await makeProcess(service, 'requests', 'versions', simple('<userTask id="first"/>'))
    const recordId = await recordOf()
    const begin = async () =>
      (await api('POST', '/api/sys/process-instances', { template_code: 'versions', record_id: recordId })).body.data
    const old = await begin()
    await api('PUT', `${path}/${made.id}`, { name: 'Versions two', bpmn_xml: simple('<userTask id="second"/>') })
    const young = await begin()
    const current = await read(service, `/api/sys/process-instances/${old.id}`)
    expect(current).toMatchObject({
      template: { id: made.id, code: 'versions', name: 'Versions two', version: 1 },
      tokens: [{ element_id: 'first', type: 'userTask', kind: 'task' }],
    })
    expect(young).toMatchObject({ template: { version: 2 }, tokens: [{ element_id: 'second' }] })
    const versionOf = (version: unknown, more = '') =>
      api('GET', `${path}/${made.id}?version=${String(version)}${more}`)
    expect((await versionOf(1)).body.data).toEqual({ ...made, name: 'Versions two', updated_at: expect.any(String) })
    expect((await versionOf(1, '&layout=true')).body.data.bpmn_xml).toContain('bpmnElement="first"')
    expect((await versionOf(2)).body.data).toEqual(await read(service, `${path}/${made.id}`))
    const none = await versionOf(3)
    expect([none.status, none.body.code, none.body.message]).toEqual([
      404,
      'process_template_not_found',
      `There is no version 3 of process template ${made.id}: its versions are 1 to 2.`,
    ])
    expect((await versionOf('first')).status).toBe(422)
    expect((await api('DELETE', `${path}/${made.id}`)).status).toBe(422)
    await api('POST', `/api/sys/process-tasks/${old.tokens[0].task_id}/complete`)
    await api('POST', `/api/sys/process-instances/${young.id}/cancel`)
    expect((await api('DELETE', `${path}/${made.id}`)).status).toBe(204)
    const ended = await read(service, `/api/sys/process-instances/${old.id}`)
    expect(ended).toMatchObject({ status: 'completed', template: { code: 'versions', name: 'versions', version: 1 } })
    expect(ended.history.map(({ element_id, status }: any) => `${element_id} ${status}`)).toEqual([
      'start completed',
      'first completed',
      'end completed',
    ])
  })

  it('runs what Camunda says of a start: who has started it, and conditions on the flows', async () => {
    const flow = (to: string, condition: string) =>
      `<sequenceFlow id="to_${to}" sourceRef="start" targetRef="${to}"><conditionExpression>${condition}</conditionExpression></sequenceFlow>`
    const foreign = bpmn(
      `<startEvent id="start" camunda:initiator="starter"/>${flow('mine', '${large}')}${flow('other', '${!large}')}<userTask id="mine" camunda:assignee="\${starter}"/><task id="other"/>`,
    ).replace('<definitions ', '<definitions xmlns:camunda="http://camunda.org/schema/1.0/bpmn" ')
    const made = (await api('POST', path, { name: 'Started', table: 'requests', bpmn_xml: foreign })).body.data
    const record = await recordOf()
    await api('POST', '/api/sys/process-instances', {
      template_id: made.id,
      record_id: record,
      variables: { large: true, starter: 999 },
    })
    await expect
      .poll(async () => (await api('GET', `/api/sys/process-tasks?model=requests&record_id=${record}`)).body.data)
      .toMatchObject([{ element_id: 'mine', assignee: service.admin.userId }])
  })
})
