import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { storeMail } from '../../../../../../shared/messages/mailbox/mail/store-mail.ts'
import type { Write } from '../../../../../../shared/platform/store/store.ts'
import { isNew } from '../../../../../../shared/platform/store/writes/conditions.ts'
import { file, mailOf, multipart, partsOf, text } from '../../../../../make/loads/mails/mail-shape.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'
import { type MailWorld, mailWorld } from '../../../../../make/services/worlds/mail-world.ts'

let table: SingleTable
let world: MailWorld
let count = 0
beforeAll(async () => {
  table = await openSingleTable()
})
afterAll(() => table?.close())
beforeEach(async () => {
  world = await mailWorld(table, `t${++count}`)
})

describe('a mail', () => {
  it('becomes a message with what it says', async () => {
    const headers = { Cc: 'bob@x.test', 'Reply-To': 'other@x.test', References: '<a@x> <b@x>', 'In-Reply-To': '<b@x>' }
    expect(await world.stored(mailOf(headers, 'My lamp is broken'))).toMatchObject({
      channel: 'email',
      channelId: null,
      fromName: 'Ada Lovelace',
      fromEmail: 'ada@example.com',
      subject: 'Lamp',
      body: 'My lamp is broken',
      conversation: 'ada@example.com',
      receivedAtMs: world.arrival.getTime(),
      payload: {
        message_id: '<one@example.com>',
        in_reply_to: '<b@x>',
        references: ['<a@x>', '<b@x>'],
        to: [{ name: 'Desk', email: 'desk@acme.test' }],
        cc: [{ name: null, email: 'bob@x.test' }],
        reply_to_address: 'other@x.test',
        date: '2026-11-20T08:00:00.000Z',
        headers: { subject: 'Lamp', references: '<a@x> <b@x>' },
        html: null,
        attachments: [],
        auto: null,
      },
    })
  })

  it('is stored again when another has the same Message-ID', async () => {
    expect([await world.store(mailOf({})), await world.store(mailOf({}, 'Another'))]).toEqual(['stored', 'stored'])
  })

  it('is taken once when it arrives by two addresses', async () => {
    const [first, second] = ['support', 'info'].map((name) => mailOf({ 'Delivered-To': `${name}@acme.test` }))
    expect([await world.store(first!), await world.store(second!)]).toEqual(['stored', 'known'])
    const unnamed = mailOf({ 'Message-ID': '' })
    expect([await world.store(unnamed), await world.store(unnamed)]).toEqual(['stored', 'stored'])
  })

  it('keeps its files, which its message claims', async () => {
    const files = [file('../a.pdf', '%PDF-1.7', 'application/pdf'), file('b.png', 'no image', 'image/png')]
    const { attachments, payload } = await world.stored(
      mailOf(multipart('mixed'), partsOf('b', [text('Hi'), ...files])),
    )
    expect(attachments).toMatchObject([
      { name: 'a.pdf', content_type: 'application/pdf', size: 8 },
      { name: 'b.png', content_type: 'application/octet-stream', size: 8 },
    ])
    expect(payload.attachments).toEqual(attachments)
    expect(world.objects.get(String(attachments[0]?.path))?.toString()).toBe('%PDF-1.7')
    const claims = (await table.itemsOf(`T#${world.tenant.id}#`)).filter(({ kind }) => kind === 'file-claim')
    expect(claims).toHaveLength(2)
  })

  it('keeps 50 files, names the others and keeps the original', async () => {
    const files = Array.from({ length: 60 }, (_, n) => file(`${n}.txt`, 'x'))
    const { attachments } = await world.stored(mailOf(multipart('mixed'), partsOf('b', files)))
    expect(attachments).toHaveLength(61)
    expect(attachments.filter(({ path }) => path !== null)).toHaveLength(50)
    expect(attachments[49]).toMatchObject({ name: 'original.eml', content_type: 'message/rfc822' })
    expect(attachments[50]).toMatchObject({ name: '49.txt', path: null, problem: expect.stringContaining('50 files') })
  })

  it('that is cut keeps its original', async () => {
    const raw = mailOf({}, 'x'.repeat(300_000))
    const { attachments, payload, body } = await world.stored(raw)
    expect([payload.truncated, body.length]).toEqual([['body'], 256 * 1024])
    expect(world.objects.get(String(attachments[0]?.path))).toEqual(raw)
  })

  it('that cannot be parsed is stored with the reason and its original', async () => {
    const open = Array.from(
      { length: 3000 },
      (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}\r\n`,
    )
    const { subject, attachments, payload } = await world.stored(Buffer.from(`Subject: Lamp\r\n${open.join('')}`))
    expect([subject, payload.parse_error]).toEqual(['Lamp', expect.stringContaining('nested')])
    expect(attachments).toMatchObject([{ name: 'original.eml' }])
  })

  it('whose parts cannot be found keeps its original and says why', async () => {
    const raw = mailOf(multipart('mixed', 'other'), partsOf('b', [text('my lamp is broken')]))
    const { body, attachments, payload } = await world.stored(raw)
    expect([body, payload.parse_error]).toEqual(['', expect.stringContaining('its boundary is missing')])
    expect(attachments).toMatchObject([{ name: 'original.eml', content_type: 'message/rfc822', size: raw.length }])
    expect(world.objects.get(String(attachments[0]?.path))).toEqual(raw)
  })

  it('that could not be fetched is stored with the problem', async () => {
    const problem = 'The mail could not be read in the mailbox.'
    expect(await world.stored(null, { problem })).toMatchObject({
      fromEmail: null,
      subject: null,
      body: '',
      attachments: [],
      payload: { parse_error: problem },
    })
    expect(await world.stored(Buffer.from('Subject: Lamp\r\n\r\n'), { problem })).toMatchObject({
      subject: 'Lamp',
      attachments: [],
      payload: { parse_error: problem },
    })
  })

  it('of the future has no date, and one without a time of arrival arrived now', async () => {
    const { payload } = await world.stored(mailOf({ Date: 'Fri, 20 Nov 2099 08:00:00 +0000' }))
    expect(payload.date).toBeNull()
    expect((await world.stored(mailOf({}), { internalDate: new Date(Number.NaN) })).receivedAtMs).toBe(
      world.clock.now(),
    )
  })

  it('is stored in one transaction with the writes of the caller, or not at all', async () => {
    const mark = { pk: `T#${world.tenant.id}#MARK`, sk: 'x', kind: 'mark' }
    await world.stored(mailOf({}), {}, [{ put: mark, if: isNew }])
    await expect(world.store(mailOf({}, 'Another'), {}, [{ put: mark, if: isNew }])).rejects.toThrow(
      /refused|condition/i,
    )
    const heads = (await table.itemsOf(`T#${world.tenant.id}#MSG#`)).filter(({ kind }) => kind === 'incoming_message')
    expect(heads).toHaveLength(1)
  })
})

it('is stored once, whatever call of the store or of S3 fails and is repeated', async () => {
  for (let crashAt = 1, crashed = true; crashed; crashAt += 1) {
    const long = text(`${crashAt} ${'x'.repeat(300_000)}`)
    const raw = mailOf(multipart('mixed'), partsOf('b', [long, file('a.txt', 'x')]))
    let calls = 0
    crashed = false
    const around = async <T>(call: () => Promise<T>): Promise<T> => {
      if (++calls < crashAt) return call()
      crashed = true
      // Every second time the call succeeds, and only its answer is lost.
      if (crashAt % 2 === 0 && calls === crashAt) await call()
      throw new Error('the process is gone')
    }
    const broken = {
      ...world.services(),
      store: table.storeThrough((_, call) => around(call)),
      putObject: (...given: [string, Uint8Array]) => around(() => world.objects.putObject(...given)),
    }
    const mark: Write = { put: { pk: `T#${world.tenant.id}#MARK#${crashAt}`, sk: 'x', kind: 'mark' }, if: isNew }
    const mail = { raw, sizeBytes: raw.length, internalDate: world.arrival }
    await storeMail(broken, world.tenant, mail, [mark]).catch(() => {})
    await world.store(raw, {}, [mark]).catch(() => {})
    const heads = (await table.itemsOf(`T#${world.tenant.id}#MSG#`)).filter(({ kind }) => kind === 'incoming_message')
    expect(heads).toHaveLength(crashAt)
  }
})
