import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { userWith } from '../../make/builders/people.ts'
import { type TimelineWorld, timelineWorld } from '../../make/services/worlds/timeline-world.ts'

let world: TimelineWorld
let busy: number
beforeAll(async () => {
  world = await timelineWorld()
  busy = await world.busyRecord()
})
afterAll(() => world?.stop())

const kindsOf = ({ data }: any): string[] => [...new Set<string>(data.map(({ kind }: any) => kind))].toSorted()
const ofKind = ({ data }: any, kind: string): any[] => data.filter((one: any) => one.kind === kind)
const summaries = ({ data }: any): string[] => data.map(({ summary }: any) => summary)

describe('the timeline of a record', () => {
  it('tells every kind in one list, newest first', async () => {
    const answer = await world.timeline(busy)
    expect(answer).toMatchObject({ success: true, meta: { per_page: 25, next_cursor: null, hidden_kinds: [] } })
    expect(kindsOf(answer)).toEqual(['change', 'comment', 'delivery', 'message', 'process', 'script'])
    expect(summaries(answer).toSorted()).toEqual(
      [
        'Mail from Ann received',
        'Process approval completed',
        'Task Approve completed by Grace Hopper: approved',
        'Process approval started by Grace Hopper',
        'Grace Hopper commented internally',
        'Grace Hopper commented',
        'Status changed from New to Closed, Note set',
        'Mail to ann@example.com delivered',
        'Script after_create ran',
        'Record created',
      ].toSorted(),
    )
    const times = answer.data.map(({ at }: any) => at)
    expect(times).toEqual(times.toSorted().toReversed())
    expect(summaries(answer).at(-1)).toBe('Record created')
  })

  it('answers each entry as its own endpoint does, with the address of the whole', async () => {
    const answer = await world.timeline(busy)
    const [delivery] = ofKind(answer, 'delivery')
    expect(delivery.data).toMatchObject({
      recipient: 'ann@example.com',
      body: expect.stringContaining('We are on it.'),
      status: 'delivered',
      attempts: [{ n: 1, outcome: 'delivered' }],
    })
    const get = async (href: string) =>
      (await world.api('GET', new URL(href).pathname + new URL(href).search)).body.data
    expect(await get(delivery.href)).toMatchObject({ id: Number(delivery.id), recipient: 'ann@example.com' })
    for (const change of ofKind(answer, 'change')) expect(await get(change.href)).toEqual([change.data])
    const [message] = ofKind(answer, 'message')
    expect(await get(message.href)).toEqual(message.data)
    expect(message.data.payload).toMatchObject({ message_id: '<1@example.com>' })
    expect(ofKind(answer, 'script')[0].data).toMatchObject({ status: 'ok', log: [{ message: 'told' }] })
    expect((await get(`${ofKind(answer, 'process')[0].href}`)).status).toBe('completed')
    expect((await get(ofKind(answer, 'comment')[0].href))[0]).toEqual(ofKind(answer, 'comment')[0].data)
  })

  it('shows only the kinds that were asked for', async () => {
    const answer = await world.timeline(busy, '?kinds=comment,%20message')
    expect(kindsOf(answer)).toEqual(['comment', 'message'])
    expect(answer.data).toHaveLength(3)
  })

  it('names the nearest kind for one that does not exist, and refuses what it does not know', async () => {
    const refused = async (query: string) => (await world.timeline(busy, query)).errors
    expect(await refused('?kinds=change,coment')).toEqual({
      kinds: ['There is no kind coment. Did you mean comment?'],
    })
    expect(await refused('?kinds=xyz')).toEqual({
      kinds: ['There is no kind xyz. There are delivery, process, script, comment, change, message.'],
    })
    expect(Object.keys(await refused('?kind=change'))).toEqual(['kind'])
    expect(Object.keys(await refused('?page=2'))).toEqual(['page'])
    expect(Object.keys(await refused('?per_page=many'))).toEqual(['per_page'])
    expect(Object.keys(await refused('?cursor=abc'))).toEqual(['cursor'])
    const { next_cursor } = (await world.timeline(busy, '?per_page=2')).meta
    expect(Object.keys(await refused(`?kinds=change&cursor=${next_cursor}`))).toEqual(['cursor'])
    expect((await world.timeline(busy, '?per_page=5000')).meta.per_page).toBe(100)
  })

  it('is the same list in pages of any size, and its links lead through it', async () => {
    const whole = (await world.timeline(busy)).data
    for (const size of [1, 2, 3, 7]) {
      const seen: any[] = []
      for (let path: string | null = `/api/e/requests/${busy}/timeline?per_page=${size}`; path !== null;) {
        const { body } = await world.api('GET', path)
        expect(body.data.length).toBeLessThanOrEqual(size)
        seen.push(...body.data)
        path = body.links.next && body.links.next.slice(world.service.url.length)
      }
      expect(seen).toEqual(whole)
    }
  })

  it('neither skips nor doubles an entry when others arrive while it is read', async () => {
    const id = await world.create()
    for (const title of ['A', 'B', 'C', 'D']) await world.api('PATCH', `/api/e/requests/${id}`, { title })
    const whole = (await world.timeline(id)).data
    const seen: any[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const { data, meta } = await world.timeline(id, `?per_page=2&cursor=${cursor}`)
      seen.push(...data)
      cursor = meta.next_cursor
      await world.api('PATCH', `/api/e/requests/${id}`, { title: `E${seen.length}` })
      await world.api('POST', `/api/e/requests/${id}/comments`, { body: 'Meanwhile' })
    }
    expect(seen).toEqual(whole)
  })

  it('shows an answered write at once', async () => {
    const id = await world.create()
    for (let round = 1; round <= 5; round += 1) {
      await world.api('PATCH', `/api/e/requests/${id}`, { title: `Round ${round}` })
      expect(summaries(await world.timeline(id))[0]).toContain(`to "Round ${round}"`)
    }
  })

  it('cuts the data of a large entry, and says so', async () => {
    const id = await world.create({ note: 'x'.repeat(30_000) })
    const [entry] = (await world.timeline(id, '?kinds=change')).data
    expect(entry.is_shortened).toBe(true)
    expect(entry.data.changes.note.new).toBe(`${'x'.repeat(500)}…`)
    await world.reply(id, { body: 'y'.repeat(300_000) })
    const [message] = (await world.timeline(id, '?kinds=message')).data
    expect([message.is_shortened, message.data.body.length]).toEqual([true, 501])
  })
})

describe('operations on a process of a record', () => {
  it('stand between its steps, newest first, with who did them, for whoever may read the record', async () => {
    const id = await world.create()
    const started = await world.api('POST', '/api/sys/process-instances', {
      template_id: world.template.id,
      record_id: id,
    })
    const instance = `/api/sys/process-instances/${started.body.data.id}`
    const move = [{ from: 'approve', to: 'approve' }]
    for (const [action, body] of [
      ['variables', { set: { reason: 'Secret reason' } }],
      ['suspend', {}],
      ['resume', {}],
      ['modify', { move }],
      ['cancel', {}],
    ] as const)
      expect((await world.api('POST', `${instance}/${action}`, body)).status).toBe(200)
    const reader = (await world.person()).token
    const seen = await world.timeline(id, '?kinds=process', reader)
    expect(summaries(seen)).toEqual([
      'Process approval cancelled by Grace Hopper',
      'Task Approve cancelled',
      'Process approval moved from approve to approve by Grace Hopper',
      'Process approval resumed by Grace Hopper',
      'Process approval suspended by Grace Hopper',
      'Variables of process approval changed (set reason) by Grace Hopper',
      'Process approval started by Grace Hopper',
    ])
    expect(JSON.stringify(seen)).not.toContain('Secret reason')
    const pages: any[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: any = await world.timeline(id, `?kinds=process&per_page=1&cursor=${cursor}`, reader)
      pages.push(...page.data)
      cursor = page.meta.next_cursor
    }
    expect(pages).toEqual(seen.data)
    const { history, operations } = (await world.api('GET', instance)).body.data
    expect(history.map(({ name, element_id, status }: any) => [name ?? element_id, status])).toEqual([
      ['start', 'completed'],
      ['Approve', 'cancelled'],
      ['Approve', 'cancelled'],
    ])
    expect(operations.map(({ action, by }: any) => [action, by.name])).toEqual(
      ['cancel', 'modify', 'resume', 'suspend', 'set_variables'].map((action) => [action, 'Grace Hopper']),
    )
  })
})

describe('a timeline of a deleted record', () => {
  it('our choice: is for whoever may read its history, without comments and, but for administrators, processes', async () => {
    const id = await world.busyRecord()
    const reader = await world.person()
    await world.api('DELETE', `/api/e/requests/${id}`)
    await world.service.cloud.idle()
    const asAdministrator = await world.timeline(id)
    expect(summaries(asAdministrator)).toContain('Record deleted')
    expect(kindsOf(asAdministrator)).toEqual(['change', 'delivery', 'message', 'process', 'script'])
    const asReader = await world.timeline(id, '', reader.token)
    expect(kindsOf(asReader)).toEqual(['change', 'message'])
    expect(asReader.meta.hidden_kinds).toEqual(['delivery', 'process', 'script'])
  })
})

describe('what a caller sees of a timeline', () => {
  it('as a reader: changes, comments, processes and what people wrote', async () => {
    const answer = await world.timeline(busy, '', (await world.person()).token)
    expect(kindsOf(answer)).toEqual(['change', 'comment', 'message', 'process'])
    expect(answer.meta.hidden_kinds).toEqual(['delivery', 'script'])
    expect(ofKind(answer, 'comment').map(({ data }) => data.body)).toEqual(['Hello'])
    const [message] = ofKind(answer, 'message')
    expect(message.href).toBeUndefined()
    expect(Object.keys(message.data).toSorted()).toEqual(
      [
        'attachments',
        'body',
        'body_new',
        'channel',
        'from_email',
        'from_name',
        'id',
        'received_at',
        'subject',
      ].toSorted(),
    )
    const some = await world.timeline(busy, '?kinds=script,comment', (await world.person()).token)
    expect(some.meta.hidden_kinds).toEqual(['script'])
  })

  it('with comment_internal: internal comments', async () => {
    const answer = await world.timeline(busy, '', (await world.person('requests.comment_internal')).token)
    expect(answer.meta.hidden_kinds).toEqual(['delivery', 'script'])
    expect(ofKind(answer, 'comment').map(({ data }) => data.body)).toEqual(['Between us', 'Hello'])
  })

  it('with update: deliveries without what they said', async () => {
    const answer = await world.timeline(busy, '', (await world.person('requests.update')).token)
    expect(answer.meta.hidden_kinds).toEqual(['script'])
    expect(ofKind(answer, 'comment').map(({ data }) => data.body)).toEqual(['Hello'])
    const [delivery] = ofKind(answer, 'delivery')
    expect(delivery.href).toBeUndefined()
    expect(delivery.data).toMatchObject({
      recipient: 'ann@example.com',
      subject: null,
      body: null,
      status: 'delivered',
      attempts: [{ n: 1, outcome: 'delivered', response_excerpt: null }],
    })
    expect(JSON.stringify(answer.data)).not.toContain('We are on it')
  })

  it('of a mail that tells of an internal comment: only with comment_internal to whom it went', async () => {
    const told = await world.person('requests.comment_internal')
    const mails = { notifications: { comment: { email: true } } }
    await world.api('PUT', '/api/user/preferences', mails, told.token)
    const id = await world.create()
    await world.api('POST', `/api/e/requests/${id}/watchers`, undefined, told.token)
    await world.api('POST', `/api/e/requests/${id}/comments`, { body: 'Between us', is_internal: true })
    await world.service.cloud.idle()
    const { raw } = world.mailbox.received.at(-1) as { raw: string }
    expect(raw).toContain('Between us')
    // Answers to it find no record, on which everybody would read what they quote.
    expect(raw).not.toMatch(/\.requests\./)
    const seen = async (...permissions: string[]) =>
      (await world.timeline(id, '?kinds=delivery', (await world.person(...permissions)).token)).data[0]
    const withoutIt = await seen('requests.update')
    expect([withoutIt.summary, withoutIt.data.recipient]).toEqual(['Mail delivered', null])
    expect(withoutIt.data.source).toEqual({ model: 'requests', record_id: id })
    expect((await seen('requests.update', 'requests.comment_internal')).summary).toMatch(/^Mail to .+ delivered$/)
  })

  it('with incoming_messages.read: the whole message', async () => {
    const { token } = await world.person('incoming_messages.read')
    const [message] = (await world.timeline(busy, '?kinds=message', token)).data
    expect(message.data.payload).toMatchObject({ message_id: '<1@example.com>' })
    expect((await world.api('GET', new URL(message.href).pathname, undefined, token)).status).toBe(200)
  })

  it('under field rules: no hidden fields, and nothing that may repeat them', async () => {
    const limited = await userWith(world.service, ['requests.*'], [], { requests: { read: ['title', 'status'] } })
    const answer = await world.timeline(busy, '', limited.token)
    expect(answer.meta.hidden_kinds).toEqual(['script', 'message'])
    expect(summaries(answer)).toContain('Status changed from New to Closed')
    const text = JSON.stringify(answer)
    for (const secret of ['Secret note', 'note', 'ann@example.com', 'Thank you']) expect(text).not.toContain(secret)
    expect(summaries(answer)).toContain('Mail delivered')
  })

  it('under row rules: nothing of a record that they hide, and update where they grant it', async () => {
    const rules = [
      { table: 'requests', action: 'read', filter: { title: { _neq: 'Hidden' } } },
      { table: 'requests', action: 'update', filter: { title: 'Mine' } },
    ]
    const { token } = await userWith(world.service, ['requests.read', 'requests.update'], rules)
    const [hidden, mine, other] = [
      await world.create({ title: 'Hidden' }),
      await world.create({ title: 'Mine' }),
      await world.create({ title: 'Other' }),
    ]
    for (const id of [mine, other])
      await world.api('POST', `/api/e/requests/${id}/comments`, { body: 'Internal', is_internal: true })
    expect((await world.timeline(hidden, '', token)).code).toBe('record_not_found')
    expect(kindsOf(await world.timeline(mine, '', token))).toEqual(['change'])
    expect((await world.timeline(mine, '', token)).meta.hidden_kinds).toEqual(['script'])
    expect(kindsOf(await world.timeline(other, '', token))).toEqual(['change'])
    expect((await world.timeline(other, '', token)).meta.hidden_kinds).toEqual(['delivery', 'script'])
    expect((await world.timeline(99_999)).code).toBe('record_not_found')
    expect((await world.api('GET', `/api/e/nothing/1/timeline`)).status).toBe(404)
    const { token: stranger } = await userWith(world.service, ['sys_companies.read'])
    expect((await world.api('GET', `/api/e/requests/${busy}/timeline`, undefined, stranger)).status).toBe(403)
  })
})
