import { describe, expect, it } from 'vitest'
import { newText } from '../../../../../shared/automation/incoming-actions/replies/new-text.ts'
import { readMail } from '../../../../../shared/messages/mailbox/mail/read-mail.ts'
import { mailOf } from '../../../../make/loads/mails/mail-shape.ts'

const answer = 'Thanks, it works.\n\nBob'
const quote = '> My lamp is broken.\n>\n> > Which one?\n> Ada'
const plain = 'My lamp is broken.\n\nAda'
const headers = (from: string, sent: string, to: string, subject: string): string =>
  `${from}: Ada Lovelace <ada@example.com>\n${sent}: Freitag, 20. November 2026 09:00\n${to}: Desk\n${subject}: Lamp\n`

/** What programs write above the mail that they quote with marks. */
const introductions = [
  'On Fri, Nov 20, 2026 at 9:00 AM Ada Lovelace <ada@example.com> wrote:',
  'On Fri, Nov 20, 2026 at 9:00 AM Ada Lovelace <ada@example.com>\nwrote:',
  'On 20/11/2026 09:00, Ada Lovelace\n<ada@example.com>\nwrote:',
  'On 20. Nov 2026, at 09:00, Ada <ada@example.com> wrote:',
  'Am 20.11.2026 um 09:00 schrieb Ada Lovelace <ada@example.com>:',
  'Am Fr., 20. Nov. 2026 um 09:00 Uhr schrieb Ada Lovelace <\nada@example.com>:',
  'Le ven. 20 nov. 2026 à 09:00, Ada <ada@example.com> a écrit :',
  'El vie, 20 nov 2026 a las 9:00, Ada (<ada@example.com>) escribió:',
  'Il giorno ven 20 nov 2026 alle ore 09:00 Ada <ada@example.com> ha scritto:',
  'Em sex., 20 de nov. de 2026 às 09:00, Ada <ada@example.com> escreveu:',
  'Op vr 20 nov. 2026 om 09:00 schreef Ada <ada@example.com>:',
  'Den fre 20 nov. 2026 kl 09:00 skrev Ada <ada@example.com>:',
  'pt., 20 lis 2026 o 09:00 Ada <ada@example.com> napisał(a):',
  'пт, 20 нояб. 2026 г. в 09:00, Ada <ada@example.com>:',
  '20.11.2026 09:00, Ada пишет:',
  'Ada <ada@example.com> 于2026年11月20日周五 09:00写道：',
  '2026年11月20日(金) 9:00 Ada <ada@example.com>:',
  'Ada <ada@example.com>, 20 Kas 2026 Cum, 09:00 tarihinde şunu yazdı:',
  'Ada wrote:',
]

describe('the history below an answer', () => {
  it.each(introductions)('is left out after %j', (introduction) => {
    expect(newText(`${answer}\n\n${introduction}\n${quote}\n`, 'Re: Lamp')).toBe(answer)
    expect(newText(`${answer}\n\n${introduction}\n\n${quote}`, null)).toBe(answer)
  })

  it.each([
    'On Fri, Nov 20, 2026 at 9:00 AM Ada Lovelace <ada@example.com> wrote:',
    'Am 20.11.2026 um 09:00 schrieb Ada Lovelace:',
    '-----Original Message-----',
    '-----Ursprüngliche Nachricht-----',
    '-------- Message original --------',
    '-----Oorspronkelijk bericht-----\nVan: Ada',
    `-----Original Message-----\n${headers('From', 'Sent', 'To', 'Subject')}`,
    headers('From', 'Sent', 'To', 'Subject'),
    headers('*From:* x\n*Von', 'Gesendet', 'An', 'Betreff'),
    headers('De ', 'Envoyé ', 'À ', 'Objet '),
    headers('De', 'Enviado el', 'Para', 'Asunto'),
    headers('Da', 'Inviato', 'A', 'Oggetto'),
    headers('Van', 'Verzonden', 'Aan', 'Onderwerp'),
    headers('Från', 'Skickat', 'Till', 'Ämne'),
    headers('От', 'Отправлено', 'Кому', 'Тема'),
    headers('发件人', '发送时间', '收件人', '主题'),
    `________________________________\n${headers('From', 'Sent', 'To', 'Subject')}`,
  ])('is left out after %j, without marks', (introduction) =>
    expect(newText(`${answer}\n\n${introduction}\n${plain}`, 'Re: Lamp')).toBe(answer),
  )

  it('is left out where nothing introduces it', () => expect(newText(`${answer}\n${quote}`, null)).toBe(answer))
})

describe('what somebody wrote', () => {
  it.each([
    ['without history', answer],
    ['about what was written', 'On Monday Ada wrote:\nthe lamp is broken'],
    ['about a time', 'The server stopped at 9:00 for ada@example.com:\nError: no lamp'],
    ['in the words of headers', 'From: Vienna\nTo: Paris\nDate: 20 May\nPlease book it.'],
    ['with a rule', 'one\n----------\ntwo'],
    ['with a sign of more in a line', 'if a\n> b\nthen c'],
    ['between quotes', `${introductions[0]}\n> Is it on?\nYes.\n> Is it red?\nNo.`],
    ['between quotes, after a greeting', `Hi\n\n${introductions[0]}\n> Is it on?\n\nYes.\n\n> Is it red?\nNo.`],
    ['below a quote', `${introductions[0]}\n${quote}\n\n${answer}`],
    [
      'between marked lines of Outlook',
      `Hi\n-----Original Message-----\n${headers('From', 'Sent', 'To', 'Subject')}\n> On?\nYes`,
    ],
    ['and nothing else than a quote', `${introductions[0]}\n${quote}`],
    ['and nothing else than repeated headers', `\n${headers('From', 'Sent', 'To', 'Subject')}\nHi`],
    [
      'before what is forwarded',
      `Please see below\n\n---------- Forwarded message ---------\n${headers('From', 'Date', 'To', 'Subject')}\n> x`,
    ],
    [
      'before what Apple forwards',
      `Please\n\nBegin forwarded message:\n\n${headers('From', 'Date', 'To', 'Subject')}\nHi`,
    ],
    ['empty', ''],
  ])('stays: %s', (_, body) => expect(newText(body, 'Re: Lamp')).toBe(body))

  it('stays where the subject says that it is forwarded', () => {
    const body = `${answer}\n\n${headers('Von', 'Gesendet', 'An', 'Betreff')}\n${plain}`
    for (const subject of ['WG: Lamp', 'Fwd: Lamp', 'TR : Lampe', 'FW: RE: Lamp', '转发：灯'])
      expect(newText(body, subject)).toBe(body)
    expect(newText(body, 'AW: WG: Lamp')).toBe(answer)
  })

  it('between quotes stays, and what is quoted after it does not', () =>
    expect(newText(`${introductions[0]}\n> Is it on?\nYes.\n\n> Is it red?\n> Bye\n`, null)).toBe(
      `${introductions[0]}\n> Is it on?\nYes.`,
    ))
})

it.each([
  [
    'Gmail',
    `<div dir="ltr">Thanks</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">On Fri, Nov 20, 2026 at 9:00 AM Ada &lt;<a href="mailto:ada@example.com">ada@example.com</a>&gt; wrote:<br></div><blockquote class="gmail_quote" style="margin:0px"><p>My lamp</p><p>is broken</p></blockquote></div>`,
  ],
  [
    'Outlook',
    `<p>Thanks</p><div style="border:none;border-top:solid #E1E1E1 1.0pt"><p><b>From:</b> Ada &lt;ada@example.com&gt;<br><b>Sent:</b> Friday, November 20, 2026 9:00 AM<br><b>To:</b> Desk<br><b>Subject:</b> Lamp</p></div><p>My lamp is broken</p>`,
  ],
  [
    'Outlook on the web',
    `<div>Thanks</div><hr style="display:inline-block;width:98%"><div id="divRplyFwdMsg"><b>Von:</b> Ada &lt;ada@example.com&gt;<br><b>Gesendet:</b> Freitag, 20. November 2026 09:00<br><b>An:</b> Desk<br><b>Betreff:</b> Lamp</div><div>My lamp is broken</div>`,
  ],
  [
    'Apple Mail',
    `<div>Thanks</div><div><br><blockquote type="cite"><div>On 20. Nov 2026, at 09:00, Ada &lt;ada@example.com&gt; wrote:</div><br><div>My lamp is broken</div></blockquote></div>`,
  ],
])('the history of %s is left out of a mail without a text of its own', async (_, html) => {
  const { body } = await readMail(mailOf({ 'Content-Type': 'text/html; charset=utf-8' }, html))
  expect(body).toMatch(/broken/)
  expect(newText(body, 'Re: Lamp')).toBe('Thanks')
})

it.each([
  '>\n',
  '\n',
  'Ada wrote:\n',
  'From: x\n',
  '-'.repeat(500),
  '> a\nb\n',
  ': ',
  'On 1.1.2026 a@b.cd wrote:\n> x\ny\n',
])('reads 256 KB of %j in time that does not explode', (piece) => {
  const began = process.cpuUsage()
  newText(piece.repeat((256 * 1024) / piece.length), 'Re: Lamp')
  expect(process.cpuUsage(began).user / 1000).toBeLessThan(10_000)
})
