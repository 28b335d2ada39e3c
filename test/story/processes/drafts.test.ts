import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bpmn, end, flow, inARow, start } from '../../make/builders/processes/processes.ts'
import { makeRequests } from '../../make/builders/records/tables.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

let service: TestService
const path = '/api/sys/process-templates'
const api = (method: string, to: string, body?: unknown) =>
  service.api(method, to, { token: service.admin.token, body })
const draft = (bpmn_xml: string, more: object = {}) =>
  api('POST', path, { name: 'Draft', table: 'requests', is_active: false, bpmn_xml, ...more })

const undecided = bpmn(
  `${start}<exclusiveGateway id="which"/><task id="a"/><task id="b" wf:x="1"/>${flow('start', 'which')}${flow('which', 'a')}${flow('which', 'b')}`,
)
const decided = bpmn(
  `${start}<exclusiveGateway id="which"/><task id="a"/><task id="b"/>${flow('start', 'which')}${flow('which', 'a', 'record.id > 1')}${flow('which', 'b', 'record.id <= 1')}`,
)

beforeAll(async () => {
  service = await sharedService()
  await makeRequests(service)
})
afterAll(() => service?.stop())

describe('a draft of a process', () => {
  it('is saved with everything that is wrong, and activated once nothing is', async () => {
    const findings = [
      { element_id: 'which', code: 'incomplete', message: expect.stringContaining('needs a condition') },
      { element_id: 'b', code: 'invalid', message: expect.stringContaining('wf:x') },
    ]
    const refused = await api('POST', path, { name: 'Draft', table: 'requests', bpmn_xml: undecided })
    expect([refused.status, refused.body.code]).toEqual([422, 'invalid_process'])
    expect(refused.body.data.findings).toEqual(expect.arrayContaining(findings))
    const made = await draft(undecided)
    expect([made.status, made.body.data.is_active, made.body.data.bpmn_xml]).toEqual([201, false, undecided])
    expect(made.body.data.findings).toEqual(refused.body.data.findings)
    const one = `${path}/${made.body.data.id}`
    expect((await api('GET', one)).body.data).toEqual(made.body.data)
    expect((await api('GET', `${one}?layout=true`)).status).toBe(200)

    const activated = await api('PUT', one, { is_active: true })
    expect([activated.status, activated.body.data]).toEqual([422, { findings: made.body.data.findings }])
    const started = await api('POST', '/api/sys/process-instances', { template_id: made.body.data.id, record_id: 1 })
    expect(started.status).toBe(422)

    const renamed = await api('PUT', one, { ...made.body.data, name: 'Renamed' })
    expect([renamed.status, renamed.body.data]).toEqual([
      200,
      { ...made.body.data, name: 'Renamed', version: 2, updated_at: expect.any(String) },
    ])
    const corrected = await api('PUT', one, { bpmn_xml: decided })
    expect([corrected.status, corrected.body.data.findings]).toEqual([200, []])
    const active = await api('PUT', one, { is_active: true })
    expect([active.status, active.body.data.is_active, active.body.data.findings]).toEqual([200, true, undefined])
    expect((await api('DELETE', one)).status).toBe(204)
  })

  it('may name fields, tables and users that do not exist; they are looked up when it is activated', async () => {
    const xml = bpmn(inARow(start, '<userTask id="wait" wf:assignee="990099" wf:complete_on_field_stage="done"/>', end))
    const { status, body } = await draft(xml)
    expect([status, body.data.findings.map(({ code }: any) => code).sort()]).toEqual([
      201,
      ['unknown_field', 'unknown_user'],
    ])
    const activated = await api('PUT', `${path}/${body.data.id}`, { is_active: true })
    expect([activated.status, activated.body.data.findings]).toEqual([422, body.data.findings])
    await api('DELETE', `${path}/${body.data.id}`)
  })

  it('is switched off with its document unchanged, and checked when it is switched on', async () => {
    const made = (await api('POST', path, { name: 'On', table: 'requests', bpmn_xml: decided })).body.data
    const off = await api('PUT', `${path}/${made.id}`, { is_active: false })
    expect([off.status, off.body.data.findings]).toEqual([200, []])
    const broken = await api('PUT', `${path}/${made.id}`, { bpmn_xml: undecided })
    expect([broken.status, broken.body.data.findings.length]).toEqual([200, 2])
    expect((await api('PUT', `${path}/${made.id}`, { is_active: true })).status).toBe(422)
    expect((await api('PUT', `${path}/${made.id}`, { is_active: true, bpmn_xml: decided })).status).toBe(200)
    await api('DELETE', `${path}/${made.id}`)
  })

  it.each([
    ['no XML', 'hello'],
    ['not well-formed', undecided.replace('</process>', '')],
    ['another vocabulary', '<html/>'],
  ])('is BPMN: %s is refused', async (_, xml) => {
    const { status, body } = await draft(xml)
    expect([status, body.data.findings]).toEqual([
      422,
      [{ element_id: null, code: 'unreadable', message: expect.any(String) }],
    ])
  })

  it('may have elements that cannot be read', async () => {
    const { status, body } = await draft(undecided.replace('<task id="a"/>', '<fooTask id="a"/><task id="which"/>'))
    expect([status, body.data.findings.map(({ element_id }: any) => element_id)]).toEqual([201, ['a', 'which', 'b']])
    expect((await api('GET', `${path}/${body.data.id}?layout=true`)).status).toBe(200)
    await api('DELETE', `${path}/${body.data.id}`)
  })

  it('is part of the configuration', async () => {
    const { body } = await draft(undecided, { code: 'draft_in_config' })
    const config = (await api('GET', '/api/sys/config')).body.data
    const put = await api('PUT', '/api/sys/config', config)
    expect(put.status).toBe(200)
    await api('DELETE', `${path}/${body.data.id}`)
    const again = await api('PUT', '/api/sys/config', config)
    expect([again.status, JSON.stringify(again.body)]).toEqual([200, expect.stringContaining('needs a condition')])
    const on = structuredClone(config)
    for (const process of on.processes ?? on.process_templates ?? []) process.is_active = true
    expect((await api('PUT', '/api/sys/config', on)).status).toBe(422)
  })
})
