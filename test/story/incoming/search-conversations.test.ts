import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clock } from '../../../shared/kernel/time/clock.ts'
import { storeMessage } from '../../../shared/messages/incoming-messages/receive/store-message.ts'
import { allCommentsPartitionOf, commentKey, commentSort } from '../../../shared/platform/store/keys/comments.ts'
import type { Key } from '../../../shared/platform/store/keys/key.ts'
import { reserveIds } from '../../../shared/platform/store/sequence/sequence.ts'
import { commentSlot, slotEntry } from '../../../shared/platform/store/slots.ts'
import type { Item } from '../../../shared/platform/store/values/marshal.ts'
import { commentSequence } from '../../../shared/records/comments/rows/comment-row.ts'
import { userWith } from '../../make/builders/people.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { startService, type TestService } from '../../make/services/service.ts'

const tenant = { id: 1 }
let service: TestService
beforeAll(async () => {
  service = await startService({ log: () => {}, environment: { SETTLE_MS: '100', REPAIR_AFTER_MS: '0' } })
  for (const model of ['tickets', 'orders'])
    await makeTable(service, model, [
      { name: 'title', type: 'text', required: true },
      { name: 'secret', type: 'text' },
    ])
})
afterAll(() => service?.stop())

const api = (method: string, path: string, body?: unknown, token = service.admin.token) =>
  service.api(method, path, { token, body })

async function ticket(title: string, model = 'tickets'): Promise<number> {
  const { status, body } = await api('POST', `/api/e/${model}`, { title })
  expect(status).toBe(201)
  return body.data.id
}
async function comment(id: number, body: string, more: object = {}, model = 'tickets'): Promise<any> {
  const answer = await api('POST', `/api/e/${model}/${id}/comments`, { body, ...more })
  expect([answer.status, answer.body.errors]).toEqual([201, undefined])
  return answer.body.data
}
async function found(search: string, token?: string, model = 'tickets'): Promise<any[]> {
  await service.cloud.idle()
  const { status, body } = await api('GET', `/api/e/${model}?search=${encodeURIComponent(search)}`, undefined, token)
  expect(status).toBe(200)
  expect(body.meta.total).toBe(body.data.length)
  return body.data
}
const ids = async (search: string, token?: string, model?: string): Promise<number[]> =>
  (await found(search, token, model)).map(({ id }) => id)

describe('a search of records', () => {
  it('finds what comments say, alone and together with the fields, and says where', async () => {
    const id = await ticket('Coffee machine')
    await ticket('Coffee grinder')
    await comment(id, 'The zebrafinch sits on it again. Müller saw it.')
    expect(await found('zebrafinch')).toMatchObject([{ id, matched_in: ['comments'] }])
    expect(await found('coffee zebraf')).toMatchObject([{ id, matched_in: ['title', 'comments'] }])
    expect(await ids('muller zebrafinch coffee')).toEqual([id])
    expect(await ids('zebrafinch grinder')).toEqual([])
    expect((await found('coffee')).map(({ matched_in }) => matched_in)).toEqual([['title'], ['title']])
    expect((await api('GET', `/api/e/tickets?search=`)).body.data[0]).not.toHaveProperty('matched_in')
  })

  it('finds words in quotes where they stand side by side: in one field, one comment or one message', async () => {
    const [near, far] = [await ticket('Bent toucan beak'), await ticket('Beak of a toucan')]
    const said = await ticket('Letter')
    await comment(said, 'They wrote: the toucan beak is bent.')
    expect(await ids('"toucan beak"')).toEqual([near, said])
    expect(await ids('toucan beak')).toEqual(expect.arrayContaining([near, far, said]))
    expect(await found('"toucan beak" letter')).toMatchObject([{ id: said, matched_in: ['title', 'comments'] }])
    expect(await ids('"toucan beak is bent letter"')).toEqual([])
    expect(await ids('"toucan bea"')).toEqual([])
    const everywhere = await api('GET', `/api/search?q=${encodeURIComponent('"toucan beak"')}`)
    expect(everywhere.body.data[0].records[0].highlights).toEqual([
      {
        field: 'title',
        text: 'Bent toucan beak',
        marks: [
          [5, 11],
          [12, 16],
        ],
      },
    ])
  })

  it('finds a record in its own table only, and the better match first', async () => {
    const [one, other] = [await ticket('Heron'), await ticket('Bird')]
    const order = await ticket('Food', 'orders')
    await comment(other, 'A heron.')
    await comment(order, 'For the heron.', {}, 'orders')
    expect(await ids('heron')).toEqual([one, other])
    expect(await ids('heron', undefined, 'orders')).toEqual([order])
  })

  it('follows a comment that is changed, hidden and removed', async () => {
    const id = await ticket('Door')
    const { id: one } = await comment(id, 'It squeaks: ocelot.')
    const path = `/api/e/tickets/${id}/comments/${one}`
    expect(await ids('ocelot')).toEqual([id])
    expect((await api('PUT', path, { body: 'It squeaks: margay.' })).status).toBe(200)
    expect([await ids('ocelot'), await ids('margay')]).toEqual([[], [id]])
    expect((await api('PUT', path, { is_internal: true })).status).toBe(200)
    expect(await ids('margay')).toEqual([id])
    expect((await api('DELETE', path)).status).toBe(204)
    expect(await ids('margay')).toEqual([])
  })

  it('finds internal comments for those who read them, and nothing of records that the reader does not see', async () => {
    const id = await ticket('Lift')
    await comment(id, 'Customer is difficult: quokka.', { is_internal: true })
    await comment(id, 'We come on Monday: numbat.')
    const reader = await userWith(service, ['tickets.read'])
    const agent = await userWith(service, ['tickets.read', 'tickets.comment_internal'])
    expect(await ids('quokka', agent.token)).toEqual([id])
    expect(await ids('quokka', reader.token)).toEqual([])
    expect(await ids('numbat', reader.token)).toEqual([id])
    const stranger = await userWith(service, ['orders.read'])
    expect((await api('GET', '/api/search?q=numbat', undefined, stranger.token)).body.data).toEqual([])
  })

  it('finds a record by a message that came in: its words, its sender and its address', async () => {
    const id = await ticket('Scanner')
    const stored = await storeMessage({ store: service.store, clock, putObject: async () => {} }, tenant, {
      channel: 'email',
      channelId: null,
      fromName: 'Wes Yarrow',
      fromEmail: 'wes@yar.example',
      fromId: null,
      subject: 'No light',
      body: 'The lamp is dead: wombat.',
      payload: { message_id: '<1@yar.example>' },
      attachments: [],
      receivedAtMs: clock.now(),
      replyTo: { model: 'tickets', id },
    })
    await service.cloud.idle()
    const message = (stored as { id: number }).id
    await api('POST', `/api/sys/incoming_messages/${message}/reprocess`)
    expect(await found('wombat')).toMatchObject([{ id, matched_in: ['messages'] }])
    expect(await ids('wes@yar.example')).toEqual([id])
    const reader = await userWith(service, ['tickets.read', 'tickets.comment_internal'])
    expect(await ids('wombat', reader.token)).toEqual([])
  })

  it('finds the record that another one was merged into, and each again after they were parted', async () => {
    const [one, other] = [await ticket('First'), await ticket('Second')]
    await comment(other, 'My bandicoot is stuck.')
    expect(await ids('bandicoot')).toEqual([other])
    const merged = await api('POST', `/api/e/tickets/${other}/merge`, { into: one })
    expect([merged.status, merged.body.errors]).toEqual([200, undefined])
    expect(await ids('bandicoot')).toEqual([one])
    expect(await ids('first bandicoot')).toEqual([one])
    expect((await api('POST', `/api/e/tickets/${other}/unmerge`)).status).toBe(200)
    expect(await ids('bandicoot')).toEqual([other])
  })

  it('over all tables finds them too', async () => {
    const id = await ticket('Roof')
    await comment(id, 'There is a pangolin.')
    await service.cloud.idle()
    const { body } = await api('GET', '/api/search?q=pangolin')
    expect(body.data).toMatchObject([{ model: 'tickets', total: 1, records: [{ id, matched_in: ['comments'] }] }])
  })

  it('of somebody from whom fields are hidden counts comments, and not what the hidden fields say', async () => {
    const id = await ticket('Fence')
    await api('PATCH', `/api/e/tickets/${id}`, { secret: 'aardvark' })
    await comment(id, 'A numbat, again: tapir.')
    const reader = await userWith(service, ['tickets.read'], [], { tickets: { read: ['title'] } })
    expect(await ids('tapir fence', reader.token)).toEqual([id])
    expect(await ids('tapir aardvark', reader.token)).toEqual([])
    expect(await ids('tapir aardvark')).toEqual([id])
  })

  it('finds what was said before there was an index of it, after the night', async () => {
    const id = await ticket('Window')
    const { id: known } = await comment(id, 'Nobody there.')
    const [row] = await service.store.getMany(tenant, [
      commentKey(tenant, 'tickets', id, { id: known, isInternal: false }),
    ])
    const { feed: _, ...before } = row as Item & Key
    const one = await reserveIds(service.store, tenant, commentSequence, 1)
    const key = commentKey(tenant, 'tickets', id, { id: one, isInternal: false })
    const slot = slotEntry(commentSlot, allCommentsPartitionOf(tenant, one), commentSort(one))
    await service.store.write(tenant, { put: { ...before, ...key, ...slot, id: one, body: 'A dugong looks in.' } })
    expect(await ids('dugong')).toEqual([])
    expect(await service.cloud.invoke('nightly-repair')).toEqual({ started: 1 })
    await service.cloud.idle()
    expect(await ids('dugong')).toEqual([id])
  })
})
