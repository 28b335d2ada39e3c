import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { otherTenant } from '../../make/builders/people.ts'
import { scriptRuns, setHooks } from '../../make/builders/records/hooks.ts'
import { makeRequests } from '../../make/builders/records/tables.ts'
import { type TestService, sharedService } from '../../make/services/service.ts'
import { itemsOf } from '../../make/services/stores/items-of.ts'

let service: TestService
const api = (method: string, path: string, body?: unknown, token = service.admin.token) =>
  service.api(method, path, { token, body })
const run = async (body: object) =>
  (await api('POST', '/api/sys/scripts/run', { kind: 'after_create', model: 'requests', ...body })).body.data

beforeAll(async () => {
  service = await sharedService()
  await makeRequests(service)
})
afterAll(() => service?.stop())

describe('POST /api/sys/scripts/check', () => {
  it('accepts JavaScript and the arrow calls of the specification', async () => {
    const script =
      "$c = $api->find('clients', 'email', $incoming->from_email);\nif ($c) { $data->client_id = $c->id; return }\nthrow new Exception('x')"
    const { status, body } = await api('POST', '/api/sys/scripts/check', { script, kind: 'before_create' })
    expect([status, body.data]).toEqual([200, { ok: true }])
  })

  it('names line and column of a syntax error', async () => {
    const { status, body } = await api('POST', '/api/sys/scripts/check', {
      script: 'let a = 1\nlet b = (2 +\n',
      kind: 'before_create',
    })
    expect([status, body.message, Object.keys(body.errors), body.data]).toEqual([
      422,
      'Validation error',
      ['script'],
      { line: 3, column: 1 },
    ])
    expect((await api('POST', '/api/sys/scripts/check', { script: '1', kind: 'sometimes' })).status).toBe(422)
  })
})

describe('saving a table', () => {
  it('refuses a hook whose script has a syntax error, with line and column', async () => {
    const automations = [
      { kind: 'before_create', script: '$data.title = 1' },
      { kind: 'after_create', script: 'if (' },
    ]
    const { status, body } = await api('PUT', '/api/sys/entities/name/requests', { name: 'requests', automations })
    expect([status, Object.keys(body.errors)]).toEqual([422, ['automations.1.script']])
    expect(body.errors['automations.1.script'][0]).toContain('line 1, column 5')
    const made = await api('POST', '/api/sys/entities', { name: 'broken', automations: automations.slice(1) })
    expect([made.status, Object.keys(made.body.errors)]).toEqual([422, ['automations.0.script']])
  })
})

describe('POST /api/sys/scripts/run', () => {
  it('answers the data and the log of a script', async () => {
    const answer = await run({
      kind: 'before_create',
      data: { title: 'a' },
      script: "console.log('hi', $user.name); $data.title += $context.kind",
    })
    expect(answer).toMatchObject({
      status: 'ok',
      data: { title: 'abefore_create' },
      log: [{ level: 'info', message: 'hi Grace Hopper' }],
      error: null,
      sent: [],
      written: [],
    })
  })

  it('answers 200 with the line when the script fails or has a syntax error', async () => {
    expect(
      await run({ kind: 'before_update', data: {}, old: { n: 1 }, script: "\n$api.fail('no ' + $old.n, 'title')" }),
    ).toMatchObject({
      status: 'error',
      error: { message: 'no 1', line: 2, field: 'title' },
    })
    expect(await run({ script: 'if (', data: {} })).toMatchObject({ status: 'error', error: { line: 1, column: 5 } })
    expect((await run({ script: 'for (;;) {}', data: {} })).status).toBe('stopped')
  })

  it('stores and sends nothing, and answers what it would have written and sent', async () => {
    const { id } = (await api('POST', '/api/e/clients', { name: 'Ann' })).body.data
    const script = `
      const made = $api.create('clients', {name: 'Bob'})
      $api.update('clients', made.id, {name: 'Bobby'})
      $api.update('clients', ${id}, {name: 'Anna'})
      $data.seen = [$api.get('clients', made.id).name, $api.get('clients', ${id}).name, $api.find('clients', 'name', 'Ann').id]
      $api.remove('clients', ${id})
      $data.seen.push($api.get('clients', ${id}))
      $api.sendPushNotification('t', 'x', [1]); $api.sendWebhook({})
      $api.setBotState(1, 's'); $data.seen.push($api.getBotState(1))
      try { $api.create('clients', {}) } catch (e) { $data.seen.push(e.message) }`
    const answer = await run({ data: {}, script })
    expect(answer.error).toBeNull()
    expect(answer.data.seen).toEqual([
      'Bobby',
      'Anna',
      id,
      false,
      's',
      'Validation error (name: The name field is required.)',
    ])
    expect(answer.written).toEqual([
      { action: 'create', model: 'clients', id: id + 1, data: { name: 'Bob' } },
      { action: 'update', model: 'clients', id: id + 1, data: { name: 'Bobby' } },
      { action: 'update', model: 'clients', id, data: { name: 'Anna' } },
      { action: 'remove', model: 'clients', id },
    ])
    expect(answer.sent).toMatchObject([{ method: 'sendPushNotification', title: 't', user_ids: [1] }])
    expect((await api('GET', '/api/e/clients')).body).toMatchObject({
      data: [{ id, data: { name: 'Ann' } }],
      meta: { total: 1 },
    })
    expect((await service.store.query(service.tenant, { pk: `T#${service.tenant.id}#BELL#1` })).items).toEqual([])
    expect(await run({ data: {}, script: '$data.s = $api.getBotState(1)' })).toMatchObject({ data: { s: null } })
    expect((await scriptRuns(service)).filter(({ model }) => model === 'requests')).toEqual([])
  })

  it('requires an existing table, and keeps before hooks from writing', async () => {
    expect(
      (await api('POST', '/api/sys/scripts/run', { script: '1', kind: 'before_create', model: 'nowhere', data: {} }))
        .status,
    ).toBe(404)
    expect(
      (await run({ kind: 'before_create', data: {}, script: "$api.remove('clients', 1)" })).error.message,
    ).toContain('before hook')
  })
})

describe('GET /api/sys/script-runs', () => {
  it('lists runs newest first, filtered and paged', async () => {
    const { automations } = await setHooks(service, 'requests', [
      ['before_create', 'if ($data.title === "bad") throw new Error("no")'],
    ])
    for (const title of ['a', 'bad', 'b', 'c']) await api('POST', '/api/e/requests', { title })
    const all = await scriptRuns(service, '&model=requests')
    expect(all.map(({ status }) => status)).toEqual(['ok', 'ok', 'error', 'ok'])
    expect(all[2]).toMatchObject({
      kind: 'before_create',
      model: 'requests',
      record_id: null,
      automation_id: automations[0].id,
      error: { message: 'no', line: 1 },
      calls: 0,
    })
    expect(all[0]).toMatchObject({ record_id: expect.any(Number), user_id: service.admin.userId, depth: 0 })
    expect(await scriptRuns(service, '&status=error')).toHaveLength(1)
    expect(await scriptRuns(service, `&automation_id=${automations[0].id}`)).toHaveLength(4)
    expect(await scriptRuns(service, '&automation_id=999')).toEqual([])
    const first = (await api('GET', '/api/sys/script-runs?model=requests&per_page=3')).body
    expect([first.meta.total, first.data.length]).toEqual([4, 3])
    const rest = (await api('GET', `/api/sys/script-runs?model=requests&per_page=3&cursor=${first.meta.next_cursor}`))
      .body
    expect([rest.data.map(({ id }: any) => id), rest.meta.next_cursor, rest.meta.total]).toEqual([[all[3].id], null, 4])
    expect((await api('GET', '/api/sys/script-runs?page=2&per_page=3&model=requests')).body.data).toEqual(rest.data)
    expect((await api('GET', '/api/sys/script-runs?status=fine')).status).toBe(422)
    expect((await api('GET', '/api/sys/script-runs?cursor=x')).status).toBe(422)
  })

  it('lists runs of the own tenant only', async () => {
    const { token } = await otherTenant(service)
    expect((await api('GET', '/api/sys/script-runs', undefined, token)).body.data).toEqual([])
  })

  it('keeps runs for thirty days', async () => {
    const items = await itemsOf(service, `T#${service.tenant.id}#RUNS#`)
    expect(Number(items[0]?.expires_at) - Date.parse(String(items[0]?.created_at)) / 1000).toBeCloseTo(
      30 * 24 * 3600,
      -1,
    )
  })
})

describe('GET /api/sys/scripts/types', () => {
  it('declares the tenant’s tables and $api as plain text', async () => {
    const { status, headers, body } = await api('GET', '/api/sys/scripts/types?model=requests')
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
    expect(body).toContain('declare const $api')
    expect(body).toContain('status: "new" | "open" | "closed" | null')
    expect((await api('GET', '/api/sys/scripts/types?model=nowhere')).status).toBe(404)
  })
})
