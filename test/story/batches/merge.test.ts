import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findTenantBySlug } from '../../../shared/accounts/tenants/find-tenant.ts'
import type { Tenant } from '../../../shared/kernel/tenancy.ts'
import { clock } from '../../../shared/kernel/time/clock.ts'
import { threadKeys } from '../../../shared/messages/deliveries/threads/thread-key.ts'
import { storeMail } from '../../../shared/messages/mailbox/mail/store-mail.ts'
import { recordToken } from '../../../shared/platform/mail/record-thread.ts'
import { userWith } from '../../make/builders/people.ts'
import { setHooks } from '../../make/builders/records/hooks.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { mailOf } from '../../make/loads/mails/mail-shape.ts'
import { type ApiAnswer, sharedService, type TestService } from '../../make/services/service.ts'

let service: TestService
let token: string
let tenant: Tenant
const api = (method: string, path: string, body?: unknown, as = token): Promise<ApiAnswer> =>
  service.api(method, path, { token: as, body })

/** The history of a record without the versions that messages make. */
const changesOf = async (id: number): Promise<any[]> =>
  (await api('GET', `/api/sys/history/tickets/${id}`)).body.data.filter(
    ({ source }: { source?: string }) => source !== 'conversation',
  )

async function make(data: object, model = 'tickets'): Promise<number> {
  const { status, body } = await api('POST', `/api/e/${model}`, data)
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body.data.id
}
const read = async (id: number, model = 'tickets') => (await api('GET', `/api/e/${model}/${id}`)).body.data
const merge = (id: number, body: object, as = token) => api('POST', `/api/e/tickets/${id}/merge`, body, as)
const unmerge = (id: number, body?: object, as = token) => api('POST', `/api/e/tickets/${id}/unmerge`, body, as)
const comment = async (id: number, body: string, more: object = {}): Promise<number> => {
  const answer = await api('POST', `/api/e/tickets/${id}/comments`, { body, ...more })
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
  return answer.body.data.id
}
const comments = async (id: number): Promise<string[]> =>
  (await api('GET', `/api/e/tickets/${id}/comments`)).body.data.map((one: { body: string }) => one.body)
const listed = async (): Promise<number[]> =>
  (await api('GET', '/api/e/tickets?per_page=1000')).body.data.map((one: { id: number }) => one.id)
const related = async (id: number): Promise<number[]> =>
  (await api('GET', `/api/sys/related_instances/${relation}/tickets/${id}`)).body.data?.map(
    (one: { id: number }) => one.id,
  )
let relation: number

/** A mail arrives; answers the message that it became, once its rules have run. */
async function arrives(headers: Parameters<typeof mailOf>[0]) {
  const { store } = service
  // A mail with the id of an earlier one is that one again.
  const usual = { From: 'client@example.com', 'Message-ID': `<${randomUUID()}@example.com>` }
  const raw = mailOf({ ...usual, ...headers }, 'It still does not work.')
  await storeMail(
    {
      store,
      clock,
      threadKey: threadKeys({ store, clock }),
      putObject: async () => {},
      fetchObject: async () => Buffer.alloc(0),
      trustedServer: async () => undefined,
    },
    tenant,
    { raw, sizeBytes: raw.length, internalDate: new Date() },
    [],
  )
  await service.cloud.idle()
  return (await api('GET', '/api/sys/incoming_messages?per_page=1')).body.data[0]
}

beforeAll(async () => {
  service = await sharedService()
  token = service.admin.token
  tenant = (await findTenantBySlug(service.store, service.tenant.slug)) as Tenant
  await makeTable(service, 'tickets', [
    { name: 'title', type: 'text', required: true },
    { name: 'phone', type: 'text' },
    { name: 'secret', type: 'text' },
    { name: 'code', type: 'text', unique: true },
    { name: 'owner', type: 'text' },
    { name: 'parent', type: 'model_list', target_table: 'tickets' },
  ])
  await makeTable(service, 'jobs', [
    { name: 'name', type: 'text', required: true },
    { name: 'ticket', type: 'model_list', target_table: 'tickets' },
  ])
  const made = await api('POST', '/api/sys/relations', { name: 'Devices', l_table: 'tickets', r_table: 'jobs' })
  relation = made.body.data.id
  await api('POST', '/api/sys/incoming-actions', {
    name: 'Mail to ticket',
    channel: 'email',
    target_model: 'tickets',
    is_automatic: true,
    on_reply: 'comment',
    field_mapping: { title: 'subject' },
  })
})
afterAll(() => service?.stop())

const link = (ticket: number, jobs: readonly number[]) =>
  api('POST', `/api/sys/add_related_instances/${relation}/l_table/${ticket}`, { ids: jobs })

describe('two tickets of one customer', () => {
  it('are merged: the survivor has everything, a mail to the merged one arrives there; unmerged, each has its own', async () => {
    const into = await make({ title: 'Printer', owner: 'Ann' })
    const from = await make({ title: 'Printer again', phone: '123', code: 'c-1', owner: 'Bob' })
    await comment(into, 'one')
    const second = await comment(from, 'two')
    await comment(from, 'inside', { is_internal: true })
    const job = await make({ name: 'Replace', ticket: from }, 'jobs')
    const [both, only] = [await make({ name: 'Both' }, 'jobs'), await make({ name: 'Only' }, 'jobs')]
    expect((await link(into, [both])).status).toBe(200)
    expect((await link(from, [both, only])).status).toBe(200)
    const before = (await api('GET', '/api/e/tickets')).body.meta.total
    const then = new Date().toISOString()

    const dry = await merge(from, { into, dry_run: true })
    expect(dry.body.data).toMatchObject({
      batch_id: null,
      id: from,
      merged_into: into,
      moves: { comments: 2, messages: 0, watchers: 1, links: 2, references: 1, files: 0 },
      filled: ['phone'],
      not_filled: ['code'],
    })
    expect(await read(from)).not.toHaveProperty('merged_into')

    const merged = await merge(from, { into })
    expect(merged).toMatchObject({
      status: 200,
      body: { data: { batch_id: expect.any(Number), merged_into: into, filled: ['phone'], failed: 0, changed: 3 } },
    })
    const batch = merged.body.data.batch_id

    const answer = await api('GET', `/api/e/tickets/${from}`)
    expect(answer).toMatchObject({ status: 200, body: { data: { id: from, merged_into: into } } })
    expect(answer.headers.get('link')).toMatch(new RegExp(`/api/e/tickets/${into}>; rel="canonical"$`))
    expect(await read(into)).toMatchObject({
      merged_from: [from],
      data: { title: 'Printer', phone: '123', owner: 'Ann' },
    })
    expect(await comments(into)).toEqual(['inside', 'two', 'one'])
    expect(await comments(from)).toEqual([])
    expect((await related(into)).toSorted()).toEqual([both, only].toSorted())
    expect((await read(job, 'jobs')).data.ticket).toBe(into)
    expect(await listed()).not.toContain(from)
    expect((await api('GET', '/api/e/tickets')).body.meta.total).toBe(before - 1)

    for (const [method, path, body] of [
      ['PATCH', '', { title: 'x' }],
      ['DELETE', '', undefined],
      ['POST', '/comments', { body: 'late' }],
      ['POST', '/watchers', {}],
      ['POST', '/merge', { into }],
      ['POST', '/restore', { as_of: then }],
    ] as const) {
      const refused = await api(method, `/api/e/tickets/${from}${path}`, body)
      expect([path, refused.status, refused.body.code]).toEqual([path, 409, 'record_merged'])
      expect(refused.body.message).toContain(`merged into tickets ${into}`)
    }
    expect((await api('DELETE', `/api/e/tickets/${into}`)).body).toMatchObject({ code: 'record_has_merged' })
    expect((await api('PATCH', `/api/e/jobs/${only}`, { ticket: from })).status).toBe(422)
    expect((await api('GET', `/api/e/tickets/${from}?as_of=${then}`)).body.data).toMatchObject({
      data: { title: 'Printer again' },
    })
    expect((await api('GET', `/api/e/tickets/${into}?as_of=${then}`)).body.data.data.phone ?? null).toBeNull()
    // A comment of the merged record is one of the survivor: its author changes it there.
    const edited = await api('PUT', `/api/e/tickets/${into}/comments/${second}`, { body: 'two, edited' })
    expect(edited.status).toBe(200)

    const key = await threadKeys({ store: service.store, clock })(tenant)
    const subject = `Re: Printer again ${recordToken(key, tenant.id, { model: 'tickets', id: from })}`
    expect(await arrives({ Subject: subject })).toMatchObject({ reply_to: { model: 'tickets', id: into } })
    expect(await comments(into)).toEqual(['It still does not work.', 'inside', 'two, edited', 'one'])

    const histories = await Promise.all([from, into].map(async (id) => (await changesOf(id))[0]))
    expect(histories).toMatchObject([
      { source: 'merge', batch_id: batch, merge: { into } },
      { source: 'merge', batch_id: batch, merge: { from }, changes: { phone: { old: null, new: '123' } } },
    ])

    const back = await unmerge(from)
    expect(back).toMatchObject({ status: 200, body: { data: { changed: 2, failed: 0, kept: [] } } })
    expect(await read(from)).not.toHaveProperty('merged_into')
    expect((await read(from)).data).toMatchObject({ title: 'Printer again', phone: '123', code: 'c-1' })
    expect(await read(into)).not.toHaveProperty('merged_from')
    expect((await read(into)).data.phone).toBeNull()
    expect(await comments(from)).toEqual(['inside', 'two, edited'])
    expect(await comments(into)).toEqual(['It still does not work.', 'one'])
    expect((await related(from)).toSorted()).toEqual([both, only].toSorted())
    expect(await related(into)).toEqual([both])
    expect((await read(job, 'jobs')).data.ticket).toBe(from)
    expect(await listed()).toEqual(expect.arrayContaining([from, into]))
    expect((await api('GET', '/api/e/tickets')).body.meta.total).toBe(before)
    expect(await arrives({ Subject: subject })).toMatchObject({ reply_to: { model: 'tickets', id: from } })
    expect((await changesOf(from))[0]).toMatchObject({
      source: 'unmerge',
      batch_id: back.body.data.batch_id,
      merge: { unmerged_from: into },
    })
    expect((await unmerge(from)).body).toMatchObject({ code: 'record_not_merged' })
  })
})

describe('a merge', () => {
  it('is a batch: its undo keeps what was changed since, and an undo of the undo merges again', async () => {
    const [into, from] = [await make({ title: 'A' }), await make({ title: 'B', phone: '1', owner: 'Bob' })]
    const { batch_id: batch } = (await merge(from, { into })).body.data
    await api('PATCH', `/api/e/tickets/${into}`, { phone: '2' })
    const undo = await api('POST', `/api/sys/batches/${batch}/undo`)
    expect(undo.body.data).toMatchObject({
      failed: 0,
      kept: [{ id: into, fields: ['phone'], by: service.admin.userId }],
    })
    expect((await read(into)).data).toMatchObject({ phone: '2', owner: null })
    const again = await api('POST', `/api/sys/batches/${undo.body.data.batch_id}/undo`)
    expect(again).toMatchObject({ status: 200, body: { data: { merged_into: into, filled: ['owner'] } } })
    expect(await read(from)).toMatchObject({ merged_into: into })
    expect((await api('GET', `/api/sys/batches/${batch}`)).body.data).toMatchObject({ kind: 'merge', status: 'done' })
    // The record is merged by the later batch, and the earlier one takes nothing of that back.
    const late = await api('POST', `/api/sys/batches/${batch}/undo`)
    expect([late.status, late.body.code]).toEqual([409, 'record_not_merged'])
    expect(await read(from)).toMatchObject({ merged_into: into })
  })

  it('chains: what was merged into a record comes along, and is unmerged from the outside in', async () => {
    const [a, b, c] = [await make({ title: 'a' }), await make({ title: 'b' }), await make({ title: 'c' })] as const
    const job = await make({ name: 'chained' }, 'jobs')
    await comment(a, 'of a')
    await comment(b, 'of b')
    await link(a, [job])
    expect((await merge(a, { into: b })).status).toBe(200)
    expect((await merge(b, { into: c })).status).toBe(200)
    expect(await comments(c)).toEqual(['of b', 'of a'])
    expect(await related(c)).toEqual([job])
    expect((await merge(c, { into: a })).body).toMatchObject({ code: 'record_merged' })
    expect((await unmerge(a)).body).toMatchObject({ code: 'record_merged', data: { merged_into: c } })
    expect((await unmerge(b)).status).toBe(200)
    expect(await comments(c)).toEqual([])
    expect(await comments(b)).toEqual(['of b', 'of a'])
    expect(await related(b)).toEqual([job])
    expect((await unmerge(a)).status).toBe(200)
    expect(await comments(b)).toEqual(['of b'])
    expect(await related(a)).toEqual([job])
    expect(await related(b)).toEqual([])
  })

  it('refuses itself, what is not there, and what the caller may not write', async () => {
    const [into, from] = [await make({ title: 'A', owner: 'me' }), await make({ title: 'B', owner: 'you' })]
    expect((await merge(from, { into: from })).body.errors).toHaveProperty('into')
    expect((await merge(from, { into: 999_999 })).body.errors).toEqual({ into: ['The selected into is invalid.'] })
    expect((await merge(999_999, { into })).status).toBe(404)
    const reader = await userWith(service, ['tickets.read'])
    expect((await merge(from, { into }, reader.token)).status).toBe(403)
    const mine = { table: 'tickets', action: 'update', filter: { owner: 'me' } }
    const limited = await userWith(service, ['tickets.read', 'tickets.update'], [mine])
    expect((await merge(from, { into }, limited.token)).status).toBe(403)
    expect((await merge(into, { into: from }, limited.token)).status).toBe(403)
    const hidden = { table: 'tickets', action: 'read', filter: { owner: 'me' } }
    const blind = await userWith(service, ['tickets.read', 'tickets.update'], [hidden])
    expect((await merge(into, { into: from }, blind.token)).body.errors).toEqual({
      into: ['The selected into is invalid.'],
    })
    expect((await merge(from, { into }, blind.token)).status).toBe(404)
    expect(await read(from)).not.toHaveProperty('merged_into')
  })

  it('fills no field that the caller may not read, and runs the hooks of the survivor, which may refuse', async () => {
    const [into, from] = [await make({ title: 'A' }), await make({ title: 'B', secret: 's', phone: '5' })]
    const clerk = await userWith(service, ['tickets.read', 'tickets.update'], [], {
      tickets: { read: ['title', 'phone', 'owner'], write: ['title', 'phone', 'owner'] },
    })
    await setHooks(service, 'tickets', [['before_update', `if ($data.phone === '5') $data.owner = 'hook'`]])
    const merged = await merge(from, { into }, clerk.token)
    expect(merged.body.data).toMatchObject({ filled: ['phone'], not_filled: [] })
    const { data } = await read(into)
    expect(data).toMatchObject({ phone: '5', owner: 'hook' })
    expect(data.secret ?? null).toBeNull()
    await setHooks(service, 'tickets', [['before_update', `throw new Exception('not now')`]])
    const other = await make({ title: 'C', owner: 'x' })
    const refused = await merge(other, { into: await make({ title: 'D' }) })
    expect(refused).toMatchObject({ status: 422, body: { message: 'not now' } })
    expect(await read(other)).not.toHaveProperty('merged_into')
    await setHooks(service, 'tickets', [])
  })
})

describe('a split', () => {
  it('makes a record of comments with their files and of messages with their threads, all or nothing', async () => {
    const from = await make({ title: 'Two things at once' })
    await comment(from, 'stays')
    const upload = await api('POST', '/api/files', { name: 'toner.txt', content_type: 'text/plain', size: 5 })
    const { path, upload: to } = upload.body.data
    await fetch(to.url, { method: to.method, headers: to.headers, body: 'toner' })
    const leaving = await comment(from, 'toner', { attachments: [path] })
    const key = await threadKeys({ store: service.store, clock })(tenant)
    const subject = `Re: ${recordToken(key, tenant.id, { model: 'tickets', id: from })}`
    const message = await arrives({ Subject: subject, 'Message-ID': '<split-1@example.com>' })
    expect(message).toMatchObject({ reply_to: { model: 'tickets', id: from } })
    expect(await comments(from)).toHaveLength(3)

    const split = (body: object, as = token) => api('POST', `/api/e/tickets/${from}/split`, body, as)
    for (const [body, path_] of [
      [{ data: { title: 'x' } }, 'comment_ids'],
      [{ comment_ids: [leaving, 999_999], data: { title: 'x' } }, 'comment_ids.1'],
      [{ message_ids: [999_999], data: { title: 'x' } }, 'message_ids.0'],
      [{ comment_ids: [leaving], data: {} }, 'title'],
    ] as const) {
      const refused = await split(body)
      expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, [path_]])
    }
    expect(await comments(from)).toHaveLength(3)
    const reader = await userWith(service, ['tickets.read', 'tickets.create', 'tickets.comment'])
    expect((await split({ comment_ids: [leaving], data: { title: 'x' } }, reader.token)).status).toBe(403)

    const made = await split({ comment_ids: [leaving], message_ids: [message.id], data: { title: 'Toner' } })
    expect(made).toMatchObject({ status: 201, body: { data: { data: { title: 'Toner' } } } })
    const id = made.body.data.id
    expect(await comments(from)).toEqual(['stays'])
    expect(await comments(id)).toEqual(['It still does not work.', 'toner'])
    expect((await api('GET', `/api/files?path=${encodeURIComponent(path)}`)).status).toBe(200)
    expect((await api('GET', `/api/sys/incoming_messages/${message.id}`)).body.data.reply_to).toEqual({
      model: 'tickets',
      id,
    })
    const answer = { Subject: subject, 'In-Reply-To': '<split-1@example.com>' }
    expect(await arrives(answer)).toMatchObject({ reply_to: { model: 'tickets', id } })
    expect(await arrives({ Subject: subject })).toMatchObject({ reply_to: { model: 'tickets', id: from } })
    const [[there], [here]] = await Promise.all([changesOf(id), changesOf(from)])
    expect(there).toMatchObject({ action: 'create', source: 'split', merge: { split_from: from } })
    expect(here).toMatchObject({ action: 'update', source: 'split', merge: { split_into: id }, changes: {} })
    // Merged into the old record, everything is there again.
    expect((await merge(id, { into: from })).status).toBe(200)
    expect(await comments(from)).toHaveLength(5)
    const timeline = await api('GET', `/api/e/tickets/${from}/timeline?kinds=comment,message`)
    expect(timeline.body.data.map((one: { kind: string }) => one.kind).toSorted()).toEqual([
      ...Array.from({ length: 5 }, () => 'comment'),
      ...Array.from({ length: 3 }, () => 'message'),
    ])
  })
})
