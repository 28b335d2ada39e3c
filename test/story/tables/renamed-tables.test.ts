import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allRoutes } from '../../../functions/api/api-docs/all-routes.ts'
import { otherTenant, userWith } from '../../make/builders/people.ts'
import { bpmn, end, inARow, start } from '../../make/builders/processes/processes.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { subscriptionWorld, type SubscriptionWorld } from '../../make/services/worlds/subscription-world.ts'

let world: SubscriptionWorld
let service: SubscriptionWorld['service']
const api: SubscriptionWorld['api'] = (...given) => world.api(...given)
const data = async (method: string, path: string, body?: unknown, token?: string) => {
  const answer = await api(method, path, body, token)
  if (answer.status > 299) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body?.data
}
const rename = (from: string, name: string, token?: string) =>
  api('PUT', `/api/sys/entities/name/${from}`, { name }, token)
const query = (value: unknown): string => encodeURIComponent(JSON.stringify(value))
const title = { name: 'title', type: 'text', searchable: true, required: true }

beforeAll(async () => {
  world = await subscriptionWorld()
  ;({ service } = world)
})
afterAll(() => world?.stop())

describe('a table with another name', () => {
  // A name that stands in no other answer, so that one which still has it is found.
  const [was, is] = ['zebras', 'horses']
  let id: number
  let client: number
  let reader: { token: string; role: string }
  let instance: number
  let view: { id: number }
  let before: string
  let renamed: Awaited<ReturnType<typeof api>>

  beforeAll(async () => {
    await makeTable(service, 'stables', [{ name: 'name', type: 'text' }])
    await makeTable(service, was, [
      title,
      { name: 'number', type: 'auto_number', prefix: 'Z-' },
      { name: 'code', type: 'text', unique: true },
      { name: 'prio', type: 'integer' },
      { name: 'stable_id', type: 'model_list', target_table: 'stables' },
      { name: 'mother_id', type: 'model_list', target_table: was },
    ])
    await data('PUT', '/api/sys/entities/name/stables', {
      table_fields: [
        { name: 'name', type: 'text' },
        { name: 'favourite_id', type: 'model_list', target_table: was },
        { name: 'total', type: 'rollup', table: was, field: 'stable_id', aggregate: 'count' },
      ],
      automations: [
        {
          kind: 'after_update',
          name: 'breed',
          script: `if ($data.name === 'breed') $api.create('${was}', { title: $context.model + $api.count('${was}') })`,
        },
      ],
    })
    await data('POST', '/api/sys/relations', { name: 'rides', l_table: was, r_table: 'stables' })
    reader = await userWith(
      service,
      [`${was}.read`, 'stables.read'],
      [{ table: was, action: 'read', filter: { prio: { _gt: 2 } } }],
      { [was]: { read: ['title', 'prio'] } },
    )
    await data('POST', '/api/sys/process-templates', {
      name: 'Care',
      code: 'care',
      is_auto_start: false,
      bpmn_xml: bpmn(
        inARow(
          start,
          '<userTask id="groom"/>',
          `<serviceTask id="make" wf:action="createRecord"><extensionElements><wf:createRecord table="${was}"><wf:set field="title" value="Foal"/></wf:createRecord></extensionElements></serviceTask>`,
          end,
        ),
        `wf:table="${was}"`,
      ),
    })
    client = (await data('POST', '/api/e/stables', { name: 'Barn' })).id
    id = (await data('POST', `/api/e/${was}`, { title: 'Alpha', prio: 5, code: 'X', stable_id: client })).id
    await data('POST', `/api/e/${was}`, { title: 'Beta', prio: 1 })
    before = new Date().toISOString()
    await data('PATCH', `/api/e/${was}/${id}`, { prio: 6 })
    await data('POST', `/api/e/${was}/${id}/comments`, { body: 'Good' })
    view = await data('POST', '/api/sys/views', { model: was, name: 'Fast', scope: 'shared', filter: { prio: 6 } })
    await data('POST', '/api/sys/macros', { model: was, name: 'Calm', set: { prio: 3 } })
    await data('POST', '/api/sys/incoming-actions', {
      name: 'Mail',
      target_model: was,
      channel: 'email',
      is_automatic: false,
      field_mapping: { title: 'subject' },
    })
    await world.subscribe({ table: was, channel_id: world.channel })
    instance = (await data('POST', '/api/sys/process-instances', { template_code: 'care', record_id: id })).id
    renamed = await rename(was, is)
  })

  it('says so, and what still names the former name', () => {
    expect([renamed.status, renamed.body.errors, renamed.body.data.name, renamed.body.data.label]).toEqual([
      200,
      undefined,
      is,
      'Horses',
    ])
    expect(renamed.body.data.table_fields.at(-1).target_table).toBe(is)
    expect(renamed.body.warnings.map(({ path, message }: any) => [path, message])).toEqual([
      [
        'tables.stables.automations.0.script',
        `The hook breed of stables names ${was}, as the table was called that is ${is} now.`,
      ],
      ['processes.care.xml', `The process care names ${was}, as the table was called that is ${is} now.`],
    ])
  })

  it('has its records, versions, history, comments, numbers and unique values', async () => {
    const record = await data('GET', `/api/e/${is}/${id}?expand=stable_id`)
    expect(record.data).toMatchObject({ title: 'Alpha', prio: 6, code: 'X', number: 'Z-1' })
    expect((await data('GET', `/api/e/${is}/${id}?as_of=${before}`)).data.prio).toBe(5)
    expect((await data('GET', `/api/sys/history/${is}/${id}`))[0].changes.prio).toEqual({ old: 5, new: 6 })
    expect((await data('GET', `/api/e/${is}/${id}/comments`))[0].body).toContain('Good')
    const timeline = await api('GET', `/api/e/${is}/${id}/timeline`)
    expect(timeline.status).toBe(200)
    expect(JSON.stringify(timeline.body)).not.toContain(was)
    const taken = await api('POST', `/api/e/${is}`, { title: 'C', code: 'X' })
    expect([taken.status, taken.body.errors]).toEqual([422, { code: ['The code has already been taken.'] }])
    const made = await data('POST', `/api/e/${is}`, { title: 'Gamma', prio: 9, mother_id: id, stable_id: client })
    expect(made.data.number).toBe('Z-4')
    expect((await api('PATCH', `/api/e/${is}/${made.id}`, { mother_id: 99 })).status).toBe(422)
  })

  it('is listed, searched, grouped and counted, for those who could before', async () => {
    const list = await api('GET', `/api/e/${is}?filter=${query({ 'stable_id.name': 'Barn' })}&sort=-prio`)
    expect(list.body.data.map((one: any) => one.data.title)).toEqual(['Gamma', 'Alpha'])
    expect(list.body.links.first).toContain(`/api/e/${is}?`)
    const own = await api('GET', `/api/e/${is}`, undefined, reader.token)
    expect(own.body.data.map((one: any) => Object.keys(one.data))).toEqual([
      ['title', 'prio'],
      ['title', 'prio'],
    ])
    expect((await data('GET', '/api/user', undefined, reader.token)).permissions).toContain(`${is}.read`)
    expect((await api('POST', `/api/e/${is}`, { title: 'D' }, reader.token)).body.message).toContain(`${is}.create`)
    const role = (await data('GET', '/api/sys/roles')).find((one: any) => one.name === reader.role)
    expect([role.permissions.toSorted(), role.rules[0].table, Object.keys(role.fields)]).toEqual([
      [`${is}.read`, 'stables.read'],
      is,
      [is],
    ])
    expect((await data('GET', `/api/e/${is}?view=${view.id}`)).length).toBe(1)
    expect((await data('GET', `/api/sys/views?model=${is}`))[0].model).toBe(is)
    expect((await data('GET', `/api/sys/views/counts?model=${is}`))[0].count).toBe(1)
    const found = await data('GET', `/api/search?q=alpha&tables=${is}`)
    expect(found[0].model).toBe(is)
    expect((await data('POST', `/api/e/${is}/list-server`, { group_by: ['prio'] })).length).toBe(3)
    const stable = async () => (await data('GET', `/api/e/stables/${client}`)).data.total
    await expect.poll(stable).toBe(2)
    const feed = await api('GET', `/api/changes?tables=${is}`)
    expect([feed.status, feed.body.errors]).toEqual([200, undefined])
    const csv = await api('GET', `/api/e/${is}/export?format=csv`)
    expect(csv.headers.get('content-disposition')).toContain(`${is}.csv`)
  })

  it('has its scripts, instances and subscriptions go on', async () => {
    await data('PATCH', `/api/e/stables/${client}`, { name: 'breed' })
    const bred = async () =>
      (await api('GET', `/api/e/${is}?filter=${query({ title: { _starts_with: 'stables' } })}`)).body.data.length
    await expect.poll(bred).toBe(1)
    const ran = await data('POST', '/api/sys/scripts/run', {
      model: is,
      kind: 'after_update',
      script: `$api.create('${is}', { title: $context.model })`,
      data: {},
    })
    expect([ran.error, ran.written[0]]).toEqual([
      null,
      { action: 'create', model: is, id: expect.any(Number), data: expect.anything() },
    ])
    const types = await api('GET', `/api/sys/scripts/types?model=${is}`)
    expect(JSON.stringify(types.body)).not.toContain(was)

    const task = (await data('GET', '/api/sys/process-tasks')).find((one: any) => one.instance_id === instance)
    expect(task.model).toBe(is)
    await data('POST', `/api/sys/process-tasks/${task.id}/complete`, {})
    const ended = async () => (await data('GET', `/api/sys/process-instances/${instance}`)).status
    await expect.poll(ended).toBe('completed')
    const foals = await api('GET', `/api/e/${is}?filter=${query({ title: 'Foal' })}`)
    expect(foals.body.meta.total).toBe(1)

    await world.settled()
    world.receiver.received.length = 0
    await data('PATCH', `/api/e/${is}/${id}`, { prio: 7 })
    await world.settled()
    const [told] = world.receiver.received.map(({ body }) => JSON.parse(String(body)))
    expect([told.type, told.data.model]).toEqual([`${is}.update`, is])
    expect((await data('GET', `/api/sys/deliveries?model=${is}`))[0].source.model).toBe(is)
  })

  it('answers 308 at its former addresses, for every method and for whoever may use it', async () => {
    for (const [method, path, body] of [
      ['GET', `/api/e/${was}/${id}?expand=stable_id`],
      ['GET', `/api/e/${was}?per_page=5&sort=-prio`],
      ['POST', `/api/e/${was}`, { title: 'E' }],
      ['PATCH', `/api/e/${was}/${id}`, { prio: 1 }],
      ['DELETE', `/api/e/${was}/${id}`],
      ['GET', `/api/sys/history/${was}/${id}`],
      ['GET', `/api/sys/entities/name/${was}`],
      ['PUT', `/api/sys/entities/name/${was}`, { label: 'Z' }],
      ['POST', `/api/e/${was}/list-server`, {}],
    ] as const) {
      const { status, headers, body: answered } = await api(method, path, body)
      const location = path.replace(was, is)
      expect([status, headers.get('location'), answered.code, answered.data]).toEqual([
        308,
        location,
        'table_renamed',
        { name: is },
      ])
      expect(answered).toMatchObject({
        success: false,
        message: expect.stringContaining(`The former name ${was} leads to `),
      })
    }
    for (const [step, status, leadsTo] of [
      ['%0d%0aset-cookie:%20a=b', 404, null],
      ['%00', 404, null],
      ['%C2%85', 404, null],
      ['Gr%C3%B6%C3%9Fe%E2%82%AC', 308, `/api/e/${is}/Gr%C3%B6%C3%9Fe%E2%82%AC`],
    ] as const) {
      const answered = await api('GET', `/api/e/${was}/${step}`)
      expect([answered.status, answered.headers.get('location')]).toEqual([status, leadsTo])
    }
    const { token } = await userWith(service, ['stables.read'])
    expect((await api('GET', `/api/e/${was}/${id}`, undefined, token)).status).toBe(403)
    expect((await api('GET', `/api/e/${was}/%00`, undefined, token)).status).toBe(403)
    const missing = await api('GET', '/api/e/hrses/1')
    expect([missing.status, missing.body.message]).toEqual([404, expect.stringContaining(`Did you mean ${is}?`)])
  })

  it('is named so wherever its name stands', async () => {
    // Texts keep what their author wrote: a hook, a diagram. The audit trail tells what was said at the time.
    const wroteIt = /\/api\/sys\/(config$|audit$|process-templates\/\{id\})/
    const paths = allRoutes
      .filter(({ method, path }) => method === 'GET' && path.startsWith('/api/') && !wroteIt.test(path))
      .map(({ path }) =>
        path
          .replace('{model}', is)
          .replace('{id}', String(id))
          .replace('{sys_table_id}', is)
          .replace('{relation_id}', '1'),
      )
      .filter((path) => !path.includes('{'))
    let found = 0
    const shown: string[] = []
    for (const path of paths) {
      const { status, body } = await api('GET', path)
      const text = JSON.stringify(body ?? null)
      const at = text.indexOf(was)
      if (at !== -1) shown.push(`${path}: ${text.slice(Math.max(0, at - 100), at + 60)}`)
      if (status === 200 && text.includes(is)) found += 1
    }
    expect(shown).toEqual([])
    expect(found).toBeGreaterThan(20)
    const config = await data('GET', '/api/sys/config')
    // Texts keep what their author wrote.
    const document = { ...config, processes: [], tables: config.tables.filter((one: any) => one.name !== 'stables') }
    expect(JSON.stringify(document)).not.toContain(was)
    expect(config.processes[0].table).toBe(is)
    const again = await api('PUT', '/api/sys/config', config)
    expect(again.body.data).toMatchObject({ created: [], changed: [] })
    const audit = await data('GET', `/api/sys/audit?model=sys_entities&per_page=5`)
    expect(audit[0]).toMatchObject({ name: is, changes: { name: { old: was, new: is } } })
    expect((await data('GET', `/api/sys/audit?model=${is}`)).length).toBeGreaterThan(2)
  })
})

describe('names of tables', () => {
  it('a new table may have a former name once another rename freed it, and sees nothing of the other', async () => {
    await makeTable(service, 'apples', [title])
    const first = (await data('POST', '/api/e/apples', { title: 'First' })).id
    expect((await rename('apples', 'pears')).status).toBe(200)
    // The former name still leads to the table.
    const early = await api('POST', '/api/sys/entities', { name: 'apples', table_fields: [title] })
    expect([early.status, early.body.code, early.body.message]).toEqual([
      409,
      'name_taken',
      expect.stringMatching(/leads to the table pears.*until 20/),
    ])
    await makeTable(service, 'plums', [title])
    expect((await rename('plums', 'apples')).status).toBe(409)
    expect((await rename('plums', 'pears')).body.code).toBe('name_taken')
    // Back, and its latest name leads to it now.
    expect((await rename('pears', 'apples')).status).toBe(200)
    expect((await api('GET', `/api/e/apples/${first}`)).body.data.data.title).toBe('First')
    const moved = await api('GET', `/api/e/pears/${first}`)
    expect([moved.status, moved.headers.get('location')]).toEqual([308, `/api/e/apples/${first}`])
    expect((await data('GET', '/api/e/apples')).length).toBe(1)
  })

  it('a table that is called as another one is stored is one of its own', async () => {
    await makeTable(service, 'cats', [title, { name: 'code', type: 'text', unique: true }])
    await data('POST', '/api/e/cats', { title: 'Old cat', code: 'A' })
    await rename('cats', 'dogs')
    await expireFormerNames()
    const gone = await api('GET', '/api/e/cats')
    expect([gone.status, gone.body.code]).toEqual([404, 'table_not_found'])
    await makeTable(service, 'cats', [
      title,
      { name: 'code', type: 'text', unique: true },
      { name: 'dog_id', type: 'model_list', target_table: 'dogs' },
      { name: 'cat_id', type: 'model_list', target_table: 'cats' },
    ])
    expect((await data('GET', '/api/e/cats')).length).toBe(0)
    const made = await data('POST', '/api/e/cats', { title: 'New cat', code: 'A', dog_id: 1 })
    expect([made.id, made.model]).toEqual([1, made.model && 'cats'])
    await data('PATCH', '/api/e/cats/1', { cat_id: 1 })
    expect((await data('GET', '/api/e/dogs/1')).data.title).toBe('Old cat')
    expect((await data('GET', '/api/sys/history/cats/1')).length).toBe(2)
    const fields = (await data('GET', '/api/sys/entities/name/cats')).table_fields
    expect([fields[2].target_table, fields[3].target_table]).toEqual(['dogs', 'cats'])
    const list = await api('GET', `/api/e/cats?filter=${query({ 'dog_id.title': 'Old cat' })}`)
    expect(list.body.meta.total).toBe(1)
    const { token } = await userWith(service, ['cats.read'])
    expect((await api('GET', '/api/e/cats/1', undefined, token)).body.data.data.title).toBe('New cat')
    expect((await api('GET', '/api/e/dogs/1', undefined, token)).status).toBe(403)
    expect((await rename('cats', 'dogs')).body.code).toBe('name_taken')
    // Removed, both are gone for good, and their names are free.
    for (const one of ['cats', 'dogs']) {
      await data('DELETE', `/api/e/${one}/1`)
      await service.cloud.idle()
    }
    expect((await api('DELETE', '/api/sys/entities/name/cats')).status).toBe(204)
    expect((await api('GET', '/api/e/cats')).status).toBe(404)
    expect((await api('DELETE', '/api/sys/entities/name/dogs')).status).toBe(204)
    expect((await api('GET', '/api/e/dogs')).status).toBe(404)
  })

  it('refuses names that may not be, and tables that keep theirs', async () => {
    await makeTable(service, 'birds', [title])
    const refusal = async (from: string, name: string) => {
      const { status, body } = await rename(from, name)
      return [status, body.errors?.name?.[0] ?? body.message]
    }
    expect(await refusal('birds', 'Bad Name')).toEqual([422, expect.stringContaining('lower-case')])
    expect(await refusal('birds', 'sys_birds')).toEqual([422, expect.stringContaining('sys_')])
    expect(await refusal('birds', 'constructor')).toEqual([422, expect.stringContaining('reserved')])
    expect(await refusal('birds', 'users')).toEqual([422, expect.stringContaining('users.read')])
    expect(await refusal('birds', 'requests')).toEqual([409, 'The table requests exists already.'])
    expect(await refusal('sys_companies', 'companies')).toEqual([422, expect.stringContaining('built in')])
    const { role } = await userWith(service, ['finches.read'])
    expect(await refusal('birds', 'finches')).toEqual([422, expect.stringContaining(role)])
    const dry = await api('PUT', '/api/sys/entities/name/birds?dry_run=true', { name: 'requests' })
    expect(dry.status).toBe(409)
    expect((await api('PUT', '/api/sys/entities/name/birds?dry_run=true', { name: 'wrens' })).status).toBe(200)
    expect((await data('GET', '/api/sys/entities/name/birds')).version).toBe(1)
  })

  it('are those of one company: the same table elsewhere keeps its name', async () => {
    const { token } = await otherTenant(service)
    await makeTable(service, 'letters', [title])
    await makeTable(service, 'letters', [title], token)
    await data('POST', '/api/e/letters', { title: 'Theirs' }, token)
    await rename('letters', 'parcels')
    expect((await api('GET', '/api/e/letters', undefined, token)).body.meta.total).toBe(1)
    expect((await api('GET', '/api/e/parcels', undefined, token)).status).toBe(404)
    expect((await rename('letters', 'parcels', token)).body).toMatchObject({ success: true })
    expect((await api('GET', '/api/e/parcels', undefined, token)).body.data[0].data.title).toBe('Theirs')
    expect((await api('GET', '/api/e/parcels')).body.meta.total).toBe(0)
  })

  it('two renames at a time give two names', async () => {
    await makeTable(service, 'left', [title])
    await makeTable(service, 'right', [title])
    const answers = await Promise.all([rename('left', 'middle'), rename('right', 'middle')])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const names = (await data('GET', '/api/sys/entities?per_page=100')).map((one: any) => one.name)
    expect(names.filter((name: string) => name === 'middle')).toHaveLength(1)
  })
})

/** As if 30 days had passed since the last rename. */
async function expireFormerNames(): Promise<void> {
  const { tenantKey } = await import('../../../shared/platform/store/keys/auth.ts')
  const item = await service.store.get(service.tenant, tenantKey(service.tenant))
  const renamed = JSON.parse(String(item?.renamed_tables))
  for (const former of Object.values(renamed.former) as { until: string }[]) former.until = '2020-01-01T00:00:00.000Z'
  await service.store.write(service.tenant, {
    update: tenantKey(service.tenant),
    change: { expression: 'SET renamed_tables = :r', values: { ':r': JSON.stringify(renamed) } },
  })
}
