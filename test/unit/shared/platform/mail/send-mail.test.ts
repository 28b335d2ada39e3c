import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { headersOf, mail, newSender, settingsFor } from '../../../../make/builders/messages/mails.ts'
import { type Mailbox, openMailbox } from '../../../../make/services/mailboxes/mailbox.ts'

let mailbox: Mailbox
beforeAll(async () => {
  mailbox = await openMailbox()
})
afterAll(() => mailbox.close())
beforeEach(() => {
  mailbox.script = {}
  mailbox.connections = 0
  mailbox.received.length = 0
})

describe('a mail', () => {
  it('is one message with text and HTML, the same bytes in every attempt', async () => {
    expect(await newSender()(settingsFor(mailbox), mail)).toMatchObject({ kind: 'delivered', code: '250' })
    expect(headersOf(mailbox).toSorted()).toEqual([
      'Auto-Submitted: auto-generated',
      expect.stringMatching(/^Content-Type: multipart\/alternative; boundary="/),
      'Date: Fri, 20 Nov 2026 08:00:00 +0000',
      'From: Acme desk <desk@acme.test>',
      'MIME-Version: 1.0',
      'Message-ID: <msg_1_0@acme.test>',
      'Subject: =?UTF-8?Q?Gr=C3=BC=C3=9Fe?=',
      'To: ada@example.com',
      'X-Delivery-ID: msg_1_0',
    ])
    expect(mailbox.received[0]?.raw).toContain('<p>Hello <b>Ada</b></p>')
    expect(mailbox.textFor(mail.to)).toContain('Hello Ada')
    await newSender()(settingsFor(mailbox), mail)
    const [first, second] = mailbox.received
    expect(second?.raw).toBe(first?.raw)
  })

  it('goes to those who get a copy as well, and names them', async () => {
    await newSender()(settingsFor(mailbox), { ...mail, cc: ['boss@example.com', 'desk@other.test'] })
    expect(mailbox.received.at(-1)?.to).toEqual([mail.to, 'boss@example.com', 'desk@other.test'])
    expect(headersOf(mailbox)).toContain('Cc: boss@example.com, desk@other.test')
    const outcome = await newSender()(settingsFor(mailbox), { ...mail, cc: ['a@b.test, c@d.test'] })
    expect(outcome).toMatchObject({ kind: 'refused', by: 'service' })
  })

  it('that a person wrote is not marked as automatic', async () => {
    await newSender()(settingsFor(mailbox), { ...mail, isPersonal: true })
    expect(headersOf(mailbox).filter((line) => /^auto-submitted/i.test(line))).toEqual([])
  })

  it('about a record has the ids that lead answers to it', async () => {
    const thread = { id: 'msg_1_0.7.requests.42.abc', reference: 'thread.7.requests.42.def' }
    await newSender()(settingsFor(mailbox), { ...mail, thread })
    expect(headersOf(mailbox)).toEqual(
      expect.arrayContaining([
        'Message-ID: <msg_1_0.7.requests.42.abc@acme.test>',
        'In-Reply-To: <thread.7.requests.42.def@acme.test>',
        'References: <thread.7.requests.42.def@acme.test>',
        'X-Delivery-ID: msg_1_0',
        'X-Message-ID: <msg_1_0.7.requests.42.abc@acme.test>',
      ]),
    )
  })

  it.each([
    ['the id of the mail that it answers first', '<one@example.com>', '<one@example.com> <thread.7@acme.test>'],
    ['no id that would break out of its header', '<one@example.com>\r\nBcc: <x@y>', '<thread.7@acme.test>'],
    ['no id that is no ASCII', '<grüße@example.com>', '<thread.7@acme.test>'],
    ['no id that is too long', `<${'x'.repeat(300)}@example.com>`, '<thread.7@acme.test>'],
  ])('refers to %s', async (_, inReplyTo, references) => {
    await newSender()(settingsFor(mailbox), { ...mail, inReplyTo, thread: { id: 'msg_1_0', reference: 'thread.7' } })
    const headers = headersOf(mailbox)
    expect(headers).toContain(`References: ${references}`)
    expect(headers).toContain(`In-Reply-To: ${references.split(' ')[0]}`)
    expect(headers.filter((line) => /^bcc/i.test(line))).toEqual([])
  })

  it('has a Message-ID of at most 200 characters, however long the domain of the sender is', async () => {
    const thread = { id: 'x'.repeat(150), reference: 'y' }
    const fromAddress = `desk@${'long-domain.'.repeat(15)}test`
    await newSender()(settingsFor(mailbox, { fromAddress }), { ...mail, thread })
    const id =
      headersOf(mailbox)
        .find((line) => line.startsWith('Message-ID:'))
        ?.slice(12) ?? ''
    expect(id).toMatch(/^<x{150}@[a-z]([a-z0-9.-]*[a-z0-9])?>$/)
    expect(id.length).toBeLessThanOrEqual(200)
  })

  it('has no parts that a body could end early', async () => {
    await newSender()(settingsFor(mailbox), {
      ...mail,
      html: '--x\r\nSubject: no\r\n\r\n.\r\nRCPT TO:<eve@example.com>\r\n',
    })
    expect(mailbox.received).toMatchObject([{ to: [mail.to] }])
    expect(headersOf(mailbox).filter((line) => /^subject/i.test(line))).toHaveLength(1)
  })
})

describe('a trick in an address', () => {
  it.each([
    'ada@example.com\r\nRCPT TO:<eve@example.com>',
    'ada@example.com\nBcc: eve@example.com',
    'ada@example.com\u0000',
    'ada@example.com\u2028Bcc: eve@example.com',
    'ada@example.com, eve@example.com',
    'ada@example.com,eve@example.com',
    'ada@example.com;eve@example.com',
    'ada@example.com eve@example.com',
    'ada@example.com>\r\nRCPT TO:<eve@example.com',
    'Ada <eve@example.com>',
    '"ada@example.com" <eve@example.com>',
    '"ada@example.com, " eve@example.com',
    'team: ada@example.com, eve@example.com;',
    'undisclosed-recipients:;',
    '(eve@example.com)ada@example.com',
    'ada@example.com(eve@example.com)',
    '"ada\\"@eve.com,"@example.com',
    '@relay.example:ada@example.com',
    'ada%eve.com@example.com@example.com',
    'ada@example。com',
    'ada@example．com',
    'ada@example｡com',
    'аda@example.com',
    'ada@еxample.com',
    'ada＠example.com',
    'ada@example.com\u200b',
    'ada@[127.0.0.1]',
    'ada@example.com NOTIFY=SUCCESS ORCPT=rfc822;eve@example.com',
    '',
  ])('is refused before anything is sent: %j', async (to) => {
    expect(await newSender()(settingsFor(mailbox), { ...mail, to })).toEqual({
      kind: 'refused',
      by: 'service',
      error: 'The address of the recipient is malformed: one plain address is needed.',
    })
    expect([mailbox.received, mailbox.connections]).toEqual([[], 0])
  })

  it.each([
    'ada%eve.com@example.com',
    'ada!eve@example.com',
    '=?utf-8?q?eve=40example.com?=@example.com',
    "o'neil@x.org",
  ])('that is a plain address reaches exactly this one: %j', async (to) => {
    await newSender()(settingsFor(mailbox), { ...mail, to })
    expect(mailbox.received).toMatchObject([{ to: [to] }])
  })
})

describe('a trick in a name or subject', () => {
  const tricks = [
    'Hello\r\nBcc: eve@example.com',
    'Hello\nBcc: eve@example.com',
    'Hello\r\n\r\nBody',
    'Hello\rTo: eve@example.com',
    'Hello\u0000\u0085\u2028\u2029\u000bBcc: eve@example.com',
    'Acme <eve@example.com>',
    'Acme, eve@example.com',
    'Acme" <eve@example.com>, "',
    'group: eve@example.com;',
    'Acme\\" <eve@example.com>',
    '=?utf-8?q?x=0D=0ABcc:_eve=40example.com?=',
    '\u202eevil',
  ]
  it.each(tricks)('adds no recipient and no header: %j', async (text) => {
    const outcome = await newSender()(settingsFor(mailbox, { fromName: text }), { ...mail, subject: text })
    expect([outcome.kind, mailbox.received]).toMatchObject(['delivered', [{ from: 'desk@acme.test', to: [mail.to] }]])
    const names = headersOf(mailbox).map((line) => line.slice(0, line.indexOf(':')))
    expect(names.toSorted()).toEqual([
      'Auto-Submitted',
      'Content-Type',
      'Date',
      'From',
      'MIME-Version',
      'Message-ID',
      'Subject',
      'To',
      'X-Delivery-ID',
    ])
    const from = headersOf(mailbox).find((line) => line.startsWith('From:')) as string
    // Outside quotes and encoded words there is one address.
    expect(
      from.replaceAll(/"(?:[^"\\]|\\.)*"|=\?[^?]*\?[QB]\?[^?]*\?=/g, '').match(/[^\s<>,;:]+@[^\s<>,;:]+/g),
    ).toEqual(['desk@acme.test'])
  })

  it('in the address of the sender is refused', async () => {
    for (const fromAddress of ['desk@acme.test\r\nBcc: eve@x.org', 'Desk <desk@acme.test>', 'a@x.org,b@x.org'])
      expect((await newSender()(settingsFor(mailbox, { fromAddress }), mail)).kind).toBe('refused')
    expect(mailbox.connections).toBe(0)
  })
})
