import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { otherTenant, userWith } from '../../make/builders/people.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { upload } from '../../make/builders/records/uploads.ts'
import { type ApiAnswer, sharedService, type TestService } from '../../make/services/service.ts'

interface Person {
  readonly token: string
  readonly id: number
}

let service: TestService
let admin: string
let requester: Person
let colleague: Person
let stranger: Person
let agent: Person
let item: number
const api = (method: string, path: string, body?: unknown, as = admin): Promise<ApiAnswer> =>
  service.api(method, path, { token: as, body })
async function data(method: string, path: string, body?: unknown, as = admin): Promise<any> {
  const answer = await api(method, path, body, as)
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body?.data
}
const send = (title: string, as = requester): Promise<any> =>
  data('POST', '/api/portal/requests', { item_id: item, data: { title } }, as.token)
/** The record of a request, as agents find it. */
const recordOf = async (title: string): Promise<any> =>
  (
    await data('GET', `/api/e/orders?filter=${encodeURIComponent(JSON.stringify({ title }))}`, undefined, agent.token)
  )[0]
const move = (id: number, status: string): Promise<any> => data('PATCH', `/api/e/orders/${id}`, { status }, agent.token)

beforeAll(async () => {
  service = await sharedService()
  admin = service.admin.token
  await makeTable(service, 'orders', [
    { name: 'title', label: 'What', type: 'text', required: true, max_length: 200 },
    { name: 'kind', type: 'value_list', options: [{ slug: 'new', label: 'A new one' }, { slug: 'swap' }] },
    { name: 'reason', type: 'textarea', visible_if: { kind: 'swap' }, required_if: { kind: 'swap' } },
    { name: 'urgent', type: 'boolean', visible_if: { margin: { _gt: 3 } } },
    { name: 'picture', type: 'file' },
    { name: 'margin', type: 'integer', required: true },
    { name: 'asked_by', type: 'user' },
    { name: 'number', type: 'auto_number', prefix: 'ORD-', digits: 4 },
    {
      name: 'status',
      type: 'state_model',
      states: [
        { slug: 'new', label: 'New', is_initial: true },
        { slug: 'vendor', label: 'Waiting for the cheap vendor' },
        { slug: 'done', label: 'Done', is_final: true },
        { slug: 'lost', label: 'Lost', is_final: true },
      ],
      transitions: [
        { from: 'new', to: 'vendor' },
        { from: 'vendor', to: 'done' },
        { from: 'vendor', to: 'lost' },
        { from: 'done', to: 'new', roles: ['boss'] },
      ],
    },
  ])
  requester = await userWith(service, [])
  colleague = await userWith(service, [])
  stranger = await userWith(service, [])
  agent = await userWith(service, ['orders.*'])
  item = (
    await data('POST', '/api/sys/portal/items', {
      name: 'A laptop',
      category: 'Hardware',
      model: 'orders',
      fields: ['title', 'kind', 'reason', 'urgent', 'picture'],
      defaults: { margin: 7, asked_by: '$CURRENT_USER', kind: 'new' },
      public_states: { vendor: 'Ordered' },
      reopen_state: 'new',
    })
  ).id
})
afterAll(() => service?.stop())

describe('an item of the portal', () => {
  it('names fields, defaults, states and roles that there are', async () => {
    const wrong = {
      name: 'Wrong',
      model: 'orders',
      fields: ['titel', 'number', 'kind', 'kind'],
      defaults: { margin: 'much', status: 'done' },
      roles: ['nobody'],
      public_states: { vender: 'x' },
      public_fields: ['margins'],
      reopen_state: 'lost',
    }
    expect((await api('POST', '/api/sys/portal/items', wrong)).body.errors).toEqual({
      'fields.0': ['The table orders has no field titel. Did you mean title?'],
      'fields.1': ['The field number is made by the service, so a form cannot ask for it.'],
      'fields.3': ['The field kind is named twice.'],
      fields: ['Every record of orders needs the field title: add it to fields, or to defaults.'],
      'defaults.margin': ['The margin must be a number.'],
      'roles.0': [expect.stringContaining('There is no role nobody.')],
      'public_states.vender': ['The field status has no state vender. Did you mean vendor?'],
      'public_fields.0': ['The table orders has no field margins. Did you mean margin?'],
      reopen_state: ['The state lost is a final one.'],
    })
    expect((await api('POST', '/api/sys/portal/items', { ...wrong, model: 'order' })).body.errors).toMatchObject({
      model: ['There is no table order. Did you mean orders?'],
    })
    expect((await api('GET', '/api/sys/portal/items', undefined, agent.token)).status).toBe(403)
  })

  it('is offered by position to those it is for, and its form has its fields alone', async () => {
    await data('POST', '/api/sys/roles', { name: 'boss' }).catch(() => undefined)
    const hidden = { name: 'A car', model: 'orders', fields: ['title', 'margin'], roles: ['boss'] }
    const car = await data('POST', '/api/sys/portal/items', { ...hidden, position: 0 })
    const desk = await data('POST', '/api/sys/portal/items', { ...hidden, name: 'A desk', roles: null, position: 9 })
    const offered = await data('GET', '/api/portal/items', undefined, requester.token)
    expect(offered.map(({ name }: any) => name)).toEqual(['A laptop', 'A desk'])
    expect(offered[0]).toEqual({
      id: item,
      name: 'A laptop',
      description: null,
      category: 'Hardware',
      icon: null,
      position: 0,
    })
    expect(await data('GET', '/api/portal/items?search=desk', undefined, requester.token)).toHaveLength(1)
    expect((await data('GET', '/api/portal/items')).map(({ id }: any) => id)).toContain(car.id)
    expect((await api('GET', `/api/portal/items/${car.id}/form`, undefined, requester.token)).status).toBe(404)
    const form = await data('GET', `/api/portal/items/${item}/form`, undefined, requester.token)
    expect([form.label, form.data, form.fields.map(({ name }: any) => name)]).toEqual([
      'A laptop',
      { kind: 'new' },
      ['title', 'kind', 'reason', 'urgent', 'picture'],
    ])
    // The condition that names the margin stays inside; what it says of a new request does not.
    expect(form.fields.slice(2, 4)).toMatchObject([
      { visible: false, required: false, settings: { visible_if: { kind: 'swap' }, required_if: { kind: 'swap' } } },
      { visible: true, settings: {} },
    ])
    expect(form.fields[3].settings).toEqual({})
    await data('DELETE', `/api/sys/portal/items/${car.id}`)
    await data('DELETE', `/api/sys/portal/items/${desk.id}`)
  })
})

describe('a request', () => {
  it('is sent without a permission, answered, closed, rated and reopened, and shows nothing internal', async () => {
    const file = await upload(service, { name: 'desk.png', token: requester.token })
    const input = { item_id: item, data: { title: 'For Grace' }, files: [file] }
    const made = await api('POST', '/api/portal/requests', input, requester.token)
    expect([made.status, made.body.data]).toMatchObject([
      201,
      {
        title: 'For Grace',
        state: 'New',
        is_closed: false,
        is_own: true,
        promised_at: null,
        actions: ['comment', 'add_watchers'],
        rating: null,
        watchers: [],
        conversation: [{ body: 'desk.png', author: { is_you: true, is_team: false }, attachments: [{ path: file }] }],
      },
    ])
    expect(made.body.data.fields).toContainEqual({
      name: 'kind',
      label: 'kind',
      type: 'value_list',
      value: 'new',
      text: 'A new one',
    })
    const { id } = made.body.data
    const one = `/api/portal/requests/${id}`
    const record = await recordOf('For Grace')
    expect(record).toMatchObject({
      created_by: requester.id,
      data: {
        margin: 7,
        asked_by: requester.id,
        kind: 'new',
        status: 'new',
        number: made.body.data.number ?? 'ORD-0001',
      },
    })
    await service.cloud.idle()
    expect(await data('GET', `/api/sys/history/orders/${record.id}`)).toMatchObject([
      { action: 'create', user: { id: requester.id } },
    ])
    await data('POST', `/api/e/orders/${record.id}/comments`, { body: 'It is on its way.' }, agent.token)
    await data(
      'POST',
      `/api/e/orders/${record.id}/comments`,
      { body: 'margin is fine', is_internal: true },
      agent.token,
    )
    await data('POST', `${one}/comments`, { body: 'Thank you!' }, requester.token)
    await move(record.id, 'vendor')
    const open = await data('GET', one, undefined, requester.token)
    expect([open.state, open.conversation.map(({ body, author }: any) => [body, author.is_team])]).toEqual([
      'Ordered',
      [
        ['desk.png', false],
        ['It is on its way.', true],
        ['Thank you!', false],
      ],
    ])
    expect(JSON.stringify(open)).not.toMatch(/margin|vendor|asked_by|orders/)
    await service.cloud.idle()
    const bell = await data('GET', '/api/notifications', undefined, requester.token)
    expect(bell.map(({ text }: any) => text)).toEqual([expect.stringContaining('It is on its way.')])

    for (const [way, body] of [
      ['rating', { stars: 5 }],
      ['reopen', undefined],
    ] as const)
      expect(await api('POST', `${one}/${way}`, body, requester.token)).toMatchObject({
        status: 409,
        body: { code: 'request_open' },
      })
    await move(record.id, 'done')
    expect((await data('GET', one, undefined, requester.token)).actions).toEqual([
      'comment',
      'add_watchers',
      'reopen',
      'rate',
    ])
    expect((await api('POST', `${one}/rating`, { stars: 6 }, requester.token)).status).toBe(422)
    await data('POST', `${one}/rating`, { stars: 2, comment: 'Slow.' }, requester.token)
    const rated = await data('POST', `${one}/rating`, { stars: 4 }, requester.token)
    expect(rated.rating).toMatchObject({ stars: 4, comment: null })
    const reopened = await data('POST', `${one}/reopen`, undefined, requester.token)
    expect(reopened).toMatchObject({ state: 'New', is_closed: false, rating: null })
    await move(record.id, 'vendor')
    await move(record.id, 'done')
    expect((await data('GET', one, undefined, requester.token)).rating).toBeNull()
    // Sent twice at once, as by an impatient hand: it is one rating.
    await Promise.all([5, 5].map((stars) => data('POST', `${one}/rating`, { stars }, requester.token)))
    const report = await api('POST', '/api/e/sys_ratings/list-server', {
      filter: { request_id: id },
      fields: ['stars', 'item', 'title', 'model', 'record_id'],
      sort: ['id'],
    })
    expect(report.body.data.map((row: any) => row.data ?? row)).toMatchObject([
      { stars: 4, item: 'A laptop', title: 'For Grace', model: 'orders', record_id: record.id },
      { stars: 5 },
    ])
  })

  it('names what it may not set, and its own wrong fields', async () => {
    const wrong = async (body: object) => (await api('POST', '/api/portal/requests', body, requester.token)).body.errors
    expect(await wrong({ item_id: item, data: { title: 'x', margin: 1, reasn: 'y' } })).toEqual({
      'data.margin': ['The form A laptop has no field margin.'],
      'data.reasn': ['The form A laptop has no field reasn. Did you mean reason?'],
    })
    expect(await wrong({ item_id: item, data: { kind: 'swap' } })).toEqual({
      'data.title': ['The title field is required.'],
      'data.reason': ['The reason field is required.'],
    })
    expect(await wrong({ item_id: 999, data: {} })).toEqual({ item_id: [expect.stringContaining('no item')] })
    const theirs = await upload(service, { name: 'secret.png', token: agent.token })
    expect(await wrong({ item_id: item, data: { title: 'x', picture: theirs }, files: [theirs] })).toEqual({
      'data.picture': ['This is no file that you uploaded.'],
      'files.0': ['This is no file that you uploaded.'],
    })
  })

  it('holds and shows what its form asks for with its values', async () => {
    const kinds = ['phone', 'car'].map((slug) => ({ slug }))
    await makeTable(service, 'things', [
      { name: 'title', type: 'text', required: true },
      { name: 'kind', type: 'value_list', required: true, options: kinds },
      { name: 'plate', type: 'text', visible_if: { kind: 'car' }, required_if: { kind: 'car' } },
      { name: 'sim', type: 'text', visible_if: { kind: 'phone' } },
      { name: 'photo', type: 'file', visible_if: { kind: 'car' } },
      { name: 'wish', type: 'text', visible_if: { internal: null } },
      { name: 'internal', type: 'text' },
    ])
    const fields = ['title', 'kind', 'plate', 'sim', 'photo', 'wish']
    const asked = { name: 'A thing', model: 'things', fields, defaults: { sim: 'micro' } }
    const { id } = await data('POST', '/api/sys/portal/items', asked)
    const ask = (values: object) =>
      api('POST', '/api/portal/requests', { item_id: id, data: { title: 'One', ...values } }, requester.token)
    const photo = await upload(service, { name: 'car.png', token: requester.token })
    const wrong = await ask({ kind: 'phone', plate: 'not asked for', sim: 'nano', photo })
    expect([wrong.status, wrong.body.errors]).toEqual([
      422,
      {
        'data.plate': ['The form A thing does not ask for plate with these values: leave it out.'],
        'data.photo': ['The form A thing does not ask for photo with these values: leave it out.'],
      },
    ])
    // What is empty, and what the form presets, is no answer to what was not asked.
    expect((await ask({ kind: 'phone', plate: null, sim: 'nano', photo: null })).status).toBe(201)
    const made = await ask({ kind: 'car', plate: 'B-X 1', sim: 'micro', photo, wish: 'Soon' })
    expect([made.status, made.body.errors]).toEqual([201, undefined])
    const one = `/api/portal/requests/${made.body.data.id}`
    const shown = async () => (await data('GET', one, undefined, requester.token)).fields.map(({ name }: any) => name)
    expect(await shown()).toEqual(['title', 'kind', 'plate', 'photo', 'wish'])
    const [{ id: record }] = await data('GET', `/api/e/things?filter={"kind":"car"}`)
    const watcher = await userWith(service, [])
    await data('POST', `${one}/watchers`, { user_ids: [watcher.id] }, requester.token)
    const file = () => api('GET', `${one}/files?path=${encodeURIComponent(photo)}`, undefined, watcher.token)
    expect((await file()).status).toBe(200)
    // What is internal decides nothing of what requesters see.
    await data('PATCH', `/api/e/things/${record}`, { kind: 'phone', internal: 'x' })
    expect(await shown()).toEqual(['title', 'kind', 'sim', 'wish'])
    expect((await file()).status).toBe(404)
  })

  it('refuses references that its form does not show as ids that do not exist', async () => {
    await makeTable(service, 'rooms', [
      { name: 'name', type: 'text' },
      { name: 'is_open', type: 'boolean' },
    ])
    await makeTable(service, 'moves', [
      { name: 'title', type: 'text', required: true },
      { name: 'room_id', type: 'model_list', target_table: 'rooms' },
      { name: 'mover', type: 'user' },
      { name: 'company', type: 'company' },
    ])
    const room = async (is_open: boolean) => (await data('POST', '/api/e/rooms', { name: 'Hall', is_open })).id
    const [preset, open, closed] = [await room(false), await room(true), await room(false)]
    const company = (await data('POST', '/api/e/sys_companies', { name: 'Acme' })).id
    const gone = await userWith(service, [])
    await data('PUT', `/api/sys/users/${gone.id}`, { is_active: false })
    const robot = await data('POST', '/api/sys/api-keys', { name: 'Robot', roles: ['admin'] })
    const sitter = await userWith(
      service,
      ['rooms.read'],
      [{ table: 'rooms', action: 'read', filter: { is_open: true } }],
    )
    const moving = await data('POST', '/api/sys/portal/items', {
      name: 'A move',
      model: 'moves',
      fields: ['title', 'room_id', 'mover', 'company'],
      defaults: { room_id: preset },
    })
    const answerTo = async (body: object, token = requester.token) => {
      const answer = await api('POST', '/api/portal/requests', { item_id: moving.id, data: body }, token)
      return [answer.status, answer.body.errors]
    }
    const refused = (name: string) => [422, { [`data.${name}`]: [`The selected ${name} is invalid.`] }]
    // Also beside another fault, which an answer would name for an id that exists.
    for (const title of ['Up', undefined]) {
      for (const room_id of [open, closed, 99_999])
        expect(await answerTo({ title, room_id })).toEqual(refused('room_id'))
      for (const id of [company, 99_999]) expect(await answerTo({ title, company: id })).toEqual(refused('company'))
      for (const mover of [gone.id, robot.id, 99_999])
        expect(await answerTo({ title, mover })).toEqual(refused('mover'))
      expect(await answerTo({ title, room_id: closed }, sitter.token)).toEqual(refused('room_id'))
    }
    expect((await answerTo({ title: 'Up', room_id: preset, mover: colleague.id }))[0]).toBe(201)
    expect((await answerTo({ title: 'Up', room_id: open, mover: sitter.id }, sitter.token))[0]).toBe(201)
  })

  it('is made once under an Idempotency-Key', async () => {
    const again = () =>
      service.api('POST', '/api/portal/requests', {
        token: requester.token,
        headers: { 'idempotency-key': 'once' },
        body: { item_id: item, data: { title: 'Once' } },
      })
    const [first, second] = [await again(), await again()]
    expect([first.status, second.status, second.body.data.id]).toEqual([201, 201, first.body.data.id])
  })

  it('is seen by those who were added, and by nobody else', async () => {
    const { id } = await send('Among us')
    const one = `/api/portal/requests/${id}`
    const foreign = (await otherTenant(service)).token
    for (const [method, path, body] of [
      ['GET', one, undefined],
      ['POST', `${one}/comments`, { body: 'x' }],
      ['POST', `${one}/reopen`, undefined],
      ['POST', `${one}/rating`, { stars: 1 }],
      ['POST', `${one}/watchers`, { user_ids: [stranger.id] }],
      ['GET', `${one}/files?path=files/1/x/y.png`, undefined],
    ] as const)
      for (const as of [stranger.token, foreign, agent.token])
        expect([method, path, (await api(method, path, body, as)).status]).toEqual([method, path, 404])
    expect(
      (await api('POST', `${one}/watchers`, { emails: ['nobody@example.com'] }, requester.token)).body.errors,
    ).toEqual({ 'emails.0': ['Nobody in your company has the address nobody@example.com.'] })
    const added = await data('POST', `${one}/watchers`, { user_ids: [colleague.id] }, requester.token)
    expect(added.watchers).toEqual([{ id: colleague.id, name: expect.any(String) }])
    expect(await data('GET', one, undefined, colleague.token)).toMatchObject({ is_own: false, actions: ['comment'] })
    const file = await upload(service, { name: 'mine.png', token: colleague.token })
    await data('POST', `${one}/comments`, { body: 'Me, too.', attachments: [file] }, colleague.token)
    const shown = await data('GET', `${one}/files?path=${file}`, undefined, requester.token)
    expect(shown).toMatchObject({ name: 'mine.png' })
    const listed = (as: Person, query = ''): Promise<any> =>
      data('GET', `/api/portal/requests${query}`, undefined, as.token)
    expect(await listed(colleague)).toMatchObject([{ id, title: 'Among us', is_own: false }])
    expect(await listed(stranger)).toEqual([])
    expect((await listed(requester, '?search=among')).map((head: any) => head.id)).toEqual([id])
    const record = await recordOf('Among us')
    await move(record.id, 'vendor')
    await move(record.id, 'lost')
    expect((await listed(requester, '?state=closed')).map((head: any) => head.id)).toContain(id)
    expect((await listed(requester, '?state=open')).map((head: any) => head.id)).not.toContain(id)
    // No transition leads back from there.
    expect(await api('POST', `${one}/reopen`, undefined, requester.token)).toMatchObject({
      status: 409,
      body: { code: 'request_not_reopenable' },
    })
    await data('DELETE', `/api/e/orders/${record.id}/watchers`, { user_ids: [colleague.id] }, agent.token)
    expect((await api('GET', one, undefined, colleague.token)).status).toBe(404)
    expect(await listed(colleague)).toEqual([])
    await data('DELETE', `/api/e/orders/${record.id}`)
    expect((await api('GET', one, undefined, requester.token)).status).toBe(404)
    expect((await listed(requester)).map((head: any) => head.id)).not.toContain(id)
  })

  it('lets go whom its sender removes, and who leaves', async () => {
    const { id } = await send('Not for long')
    const one = `/api/portal/requests/${id}`
    await data('POST', `${one}/watchers`, { user_ids: [colleague.id, stranger.id] }, requester.token)
    const record = await recordOf('Not for long')
    const watchers = `/api/e/orders/${record.id}/watchers`
    await data('POST', watchers, undefined, agent.token)
    // Who watches a record of their own accord sees it by their permissions, and not as people see it who were added.
    expect((await api('GET', one, undefined, agent.token)).status).toBe(404)
    expect(await data('GET', '/api/portal/requests', undefined, agent.token)).toEqual([])
    await data('POST', watchers, { user_ids: [agent.id] })
    expect((await api('GET', one, undefined, agent.token)).status).toBe(200)
    expect(await data('GET', '/api/portal/requests', undefined, agent.token)).toMatchObject([{ id }])
    const remove = (as: Person, whom: Person): Promise<ApiAnswer> =>
      api('DELETE', `${one}/watchers/${whom.id}`, undefined, as.token)
    expect((await remove(colleague, stranger)).status).toBe(404)
    // Whoever takes care of it is none of the requester's business.
    for (const [whom, message] of [
      [agent, 'Nobody with this id was added to this request.'],
      [requester, 'You sent this request, so it stays yours. Remove people who were added to it.'],
    ] as const)
      expect(await remove(requester, whom)).toMatchObject({ status: 404, body: { message } })
    expect([(await remove(requester, colleague)).status, (await remove(stranger, stranger)).status]).toEqual([204, 204])
    for (const gone of [colleague, stranger]) {
      expect((await api('GET', one, undefined, gone.token)).status).toBe(404)
      expect((await remove(gone, gone)).status).toBe(404)
    }
    expect((await data('GET', one, undefined, requester.token)).watchers).toEqual([])
    await data('POST', `${one}/watchers`, { user_ids: [stranger.id] }, requester.token)
    expect(await data('GET', one, undefined, stranger.token)).toMatchObject({ title: 'Not for long' })
  })

  it('shows no names of who answered when the company hides them', async () => {
    const { id } = await send('Who are you?')
    const record = await recordOf('Who are you?')
    await data('POST', `/api/e/orders/${record.id}/comments`, { body: `@[${agent.id}] will call you.` }, agent.token)
    const named = await data('GET', `/api/portal/requests/${id}`, undefined, requester.token)
    expect(named.conversation[0].author.name).toMatch(/^User \d+$/)
    await data('PUT', '/api/sys/settings', { PORTAL_AGENT_NAMES: 'hidden' })
    const hidden = await data('GET', `/api/portal/requests/${id}`, undefined, requester.token)
    await data('PUT', '/api/sys/settings', { PORTAL_AGENT_NAMES: null })
    expect(hidden.conversation).toMatchObject([{ author: { name: null, is_team: true }, body: '@… will call you.' }])
  })
})
