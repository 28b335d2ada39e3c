import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { mailId, mailThread, recordToken } from '../../../../../../shared/platform/mail/record-thread.ts'
import { recordKey } from '../../../../../../shared/platform/store/keys/records.ts'
import { mailOf as mailWith, multipart, partsOf, text } from '../../../../../make/loads/mails/mail-shape.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'
import { type MailWorld, mailWorld } from '../../../../../make/services/worlds/mail-world.ts'

const record = { model: 'requests', id: 42 }
let mails = 0
/** Each is a mail of its own. */
const mailOf = (headers: Parameters<typeof mailWith>[0], body?: string): Buffer =>
  mailWith({ 'Message-ID': `<${++mails}@example.com>`, ...headers }, body)

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

describe('an answer', () => {
  const answer = (headers: Parameters<typeof mailOf>[0]) => world.stored(mailOf(headers, 'Thanks'))

  it('finds its record by the id that it answers, by an older one, and by the one that all share', async () => {
    const { id, reference } = await world.delivered()
    const all: Record<string, string>[] = [
      { 'In-Reply-To': `<${id}@acme.test>` },
      { References: `<${reference}@acme.test> <${id}@acme.test> <later@outlook.example>` },
      { References: `<${reference}@acme.test>`, 'In-Reply-To': '<0102@eu-west-1.amazonses.com>' },
      { 'In-Reply-To': `<${id.toUpperCase()}@ACME.TEST>` },
      { 'In-Reply-To': `<${id.slice(0, 60)}`, References: `<${reference}@acme.test>` },
      { 'In-Reply-To': `<${id.slice(0, 50)}\r\n ${id.slice(50)}@acme.test>` },
    ]
    for (const headers of all)
      expect(await answer(headers)).toMatchObject({ replyTo: record, payload: { reply_to: record } })
  })

  it('finds its record by the token in its subject', async () => {
    const token = recordToken(await world.services().threadKey(world.tenant), world.tenant.id, record)
    expect((await answer({ Subject: `AW: Lamp ${token}` })).replyTo).toEqual(record)
    expect((await answer({ Subject: `AW: Lamp ${token.toUpperCase()}` })).replyTo).toEqual(record)
    expect((await answer({ Subject: 'AW: [#requests-42-aaaaaaaa]' })).replyTo).toBeUndefined()
  })

  it('belongs to the newest record that it refers to', async () => {
    await world.putRecord(43)
    const key = await world.services().threadKey(world.tenant)
    const ids = [42, 43].map(
      (id) => `<${mailThread(key, world.tenant.id, { model: 'requests', id }, 'msg_1_0').id}@acme.test>`,
    )
    expect((await answer({ References: ids.join(' ') })).replyTo).toEqual({ model: 'requests', id: 43 })
  })

  it('is an ordinary mail when its id was made up, is of another company, or the record is gone', async () => {
    const { id } = await world.delivered()
    const foreign = mailThread(await world.services().threadKey({ id: 999 }), world.tenant.id, record, 'msg_1_0')
    for (const one of [id.replace('.42.', '.41.'), `${id.slice(0, -1)}${id.endsWith('a') ? 'b' : 'a'}`, foreign.id])
      expect((await answer({ 'In-Reply-To': `<${one}@acme.test>` })).replyTo).toBeUndefined()
    await table.store.write(world.tenant, { remove: recordKey(world.tenant, 'requests', 42) })
    expect((await answer({ 'In-Reply-To': `<${id}@acme.test>` })).replyTo).toBeUndefined()
  })

  it('is of the user to whose own address the mail went', async () => {
    const { id, reference } = await world.delivered()
    const own = { From: `Ada <ADA@${world.tenant.slug}.test>` }
    const read = await answer({ ...own, 'In-Reply-To': `<${id}@acme.test>` })
    expect([read.userId, read.payload.reply_user_id]).toEqual([expect.any(Number), read.userId])
    const others: Record<string, string>[] = [
      { ...own, References: `<${reference}@acme.test>` },
      { From: 'eve@example.com', 'In-Reply-To': `<${id}@acme.test>` },
    ]
    for (const headers of others) expect(await answer(headers)).not.toHaveProperty('userId')
  })

  it('is of nobody when the address belongs to no user', async () => {
    const { id } = await world.delivered({ recipient: 'client@example.com' })
    const read = await answer({ From: 'client@example.com', 'In-Reply-To': `<${id}@acme.test>` })
    expect([read.replyTo, read.userId]).toEqual([record, undefined])
  })
})

describe('a bounce', () => {
  const bounce = (id: string, action = 'failed', recipient = `ada@${world.tenant.slug}.test`, header = 'Message-ID') =>
    mailOf(
      { From: 'MAILER-DAEMON@mx.test', 'Content-Type': 'multipart/report; report-type=delivery-status; boundary=b' },
      partsOf('b', [
        text('Sorry'),
        text(
          `Reporting-MTA: dns; mx.test\r\n\r\nFinal-Recipient: rfc822; ${recipient}\r\nAction: ${action}\r\nStatus: 5.1.1\r\nDiagnostic-Code: smtp; 550 no such user`,
          'message/delivery-status',
        ),
        text(`${header}: <${id}@acme.test>\r\n`, 'text/rfc822-headers'),
      ]),
    )

  it('fails the delivery of the mail that it returns, with its reason, once', async () => {
    const { id } = await world.delivered()
    const message = await world.stored(bounce(id))
    expect(message).toMatchObject({
      auto: 'bounce',
      payload: { auto: 'bounce', bounce: { action: 'failed', status: '5.1.1', reason: '550 no such user' } },
    })
    const failed = await world.deliveryNow()
    expect([failed.status, failed.lastError]).toEqual(['failed', 'The mail came back: status 5.1.1, code 550.'])
    await world.stored(bounce(id))
    expect((await world.deliveryNow()).rev).toBe(failed.rev)
  })

  it('is told to the author of the answer that it returns, once', async () => {
    const source = { model: 'requests', record_id: 42, user_id: 7, comment_id: 3 }
    const { id } = await world.delivered({ source, subject: 'Re: Lamp' })
    const notices = async () =>
      (await table.itemsOf(`T#${world.tenant.id}#`)).filter(
        ({ kind, channel_type: type }) => kind === 'intent' && type === 'bell',
      )
    await world.stored(bounce(id))
    await world.stored(bounce(id))
    expect(await notices()).toMatchObject([{ recipients: '["user:7"]', source: '{"model":"requests","record_id":42}' }])
    await world.stored(bounce((await world.delivered({ source: { ...source, comment_id: undefined } })).id))
    expect(await notices()).toHaveLength(1)
  })

  it('finds a mail about no record as well', async () => {
    const { id } = await world.delivered()
    const unsigned = id.split('.')[0] as string
    const key = await world.services().threadKey(world.tenant)
    await world.stored(bounce(mailId(key, world.tenant.id, unsigned).id.toUpperCase()))
    expect((await world.deliveryNow()).status).toBe('failed')
  })

  it('changes nothing when the mail is only late, or went to somebody else, or the id was made up', async () => {
    const { id } = await world.delivered()
    await world.stored(bounce(id, 'delayed'))
    await world.stored(bounce(id, 'delivered'))
    await world.stored(bounce(id, 'failed', 'eve@example.com'))
    await world.stored(bounce(id.replace('.42.', '.43.')))
    await world.stored(bounce(id.replace(/_2\./, '_1.')))
    expect((await world.deliveryNow()).status).toBe('delivered')
  })

  it('is believed for the recipient of the mail alone, under each of its names', async () => {
    const recipient = `ada@${world.tenant.slug}.test`
    const forged = [
      text(`Original-Message-ID: <${(await world.delivered()).id}@acme.test>\r\n`, 'text/rfc822-headers'),
      text('Action: failed\r\nStatus: 5.1.1\r\nDiagnostic-Code: smtp; 550 mine', 'message/delivery-status'),
      text(`<${recipient}>:\r\n550 no such user`),
    ]
    const head = { From: 'MAILER-DAEMON@mx.test', 'X-Failed-Recipients': recipient }
    await world.stored(mailOf({ ...head, ...multipart('report') }, partsOf('b', forged)))
    await world.stored(mailOf(head, partsOf('b', forged.slice(0, 1))))
    expect((await world.deliveryNow()).status).toBe('delivered')
    const names = [` ADA@${world.tenant.slug.toUpperCase()}.test.`, `<@mx.test,@b.test:${recipient}>`]
    for (const name of [...names, recipient.replace('a', '+61')]) {
      const { id } = await world.delivered()
      await world.stored(bounce(id, 'failed', `alias@mx.test\r\nOriginal-Recipient: rfc822;${name}`))
      expect((await world.deliveryNow()).status).toBe('failed')
    }
  })

  it('finds a mail whose Message-ID was replaced on its way', async () => {
    const { id } = await world.delivered()
    await world.stored(bounce(id, 'failed', undefined, 'X-Message-ID'))
    expect((await world.deliveryNow()).status).toBe('failed')
  })

  it('is not believed for an id that anybody can guess', async () => {
    const { id } = await world.delivered()
    await world.stored(bounce(id.split('.')[0] as string))
    await world.stored(bounce(`${id.split('.')[0]}.${world.tenant.id}.aaaaaaaaaaaaaaaa`))
    expect((await world.deliveryNow()).status).toBe('delivered')
  })

  it('fails the mail of whichever of its recipients failed, and stores nothing that its writer chose', async () => {
    const { id } = await world.delivered()
    const own = `Final-Recipient: rfc822; ada@${world.tenant.slug}.test`
    const groups = [
      'eve@x.test\r\nAction: failed\r\nStatus: 5.7.1',
      `${own}\r\nAction: failed\r\nStatus: call 5.1.1\r\nDiagnostic-Code: x; call 555-0100 <b>now</b>`,
      'Final-Recipient: rfc822; bob@x.test',
    ]
    await world.stored(bounce(id, 'failed', groups.join('\r\n\r\n')))
    expect(await world.deliveryNow()).toMatchObject({ status: 'failed', lastError: 'The mail came back: code 555.' })
  })

  it('changes no delivery that is not a mail or has not been delivered', async () => {
    await world.stored(bounce((await world.delivered({ channelType: 'webhook' })).id))
    expect((await world.deliveryNow()).status).toBe('delivered')
    await world.stored(bounce((await world.delivered({ status: 'cancelled' })).id))
    expect((await world.deliveryNow()).status).toBe('cancelled')
  })
})
