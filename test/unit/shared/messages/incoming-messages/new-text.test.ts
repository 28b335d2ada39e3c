import { describe, expect, it } from 'vitest'
import { newText } from '../../../../../shared/messages/incoming-messages/new-text/new-text.ts'
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

describe('where it is known what the answered mail says', () => {
  const known = [{ text: 'Which model is it?\n\nAda Lovelace', isWhole: true }]
  const read = (body: string, more: readonly { text: string; isWhole: boolean }[] = []) =>
    newText(body, 'Re: Coffee machine', { known: [...known, ...more], writers: ['desk@demo.example'] })

  it.each([
    ['Arabic', 'في الاثنين، 23 نوفمبر 2026 في 10:00 كتب Desk <desk@demo.example>:\n\nWhich model is it?'],
    ['Arabic digits', 'في الاثنين، ٢٣ نوفمبر ٢٠٢٦ في ١٠:٠٠ كتب Desk:\n\nWhich model is it?\n\nAda Lovelace'],
    ['Croatian', 'pon, 23. stu 2026. u 10:00 Desk <desk@demo.example> napisao je:\n\nWhich model is it?'],
    ['Indonesian', 'Pada Sen, 23 Nov 2026 pukul 10.00 Desk <desk@demo.example> menulis:\n\nWhich model is it?'],
    ['Vietnamese', 'Vào T2, 23 thg 11, 2026 vào lúc 10:00 Desk <desk@demo.example> đã viết:\n\n> Which model is it?'],
    ['Hebrew', 'בתאריך יום ב׳, 23 בנוב׳ 2026 ב-10:00 מאת Desk <desk@demo.example>:\n\nWhich model is it?'],
    [
      'headers in Arabic',
      'من: Desk\nتاريخ الإرسال: 23 نوفمبر 2026\nإلى: Hal\nالموضوع: Re: Coffee\n\nWhich model is it?',
    ],
    [
      'headers in Indonesian',
      '________________________________\nDari: Desk\nTerkirim: 23 Nov\nKepada: Hal\n\nWhich model is it?',
    ],
    [
      'a scanner below',
      'On Mon, 23 Nov 2026 at 10:00, Desk <desk@demo.example> wrote:\n> Which model is it?\n\n-- \nThis mail has been scanned for viruses.\nwww.scanner.example',
    ],
    [
      'a scanner below, without a delimiter',
      'On Mon, 23 Nov 2026 at 10:00, Desk <desk@demo.example> wrote:\n> Which model is it?\n\nDiese E-Mail wurde auf Viren geprüft.',
    ],
    ['marks alone', '> Which model is it?\n>\n> Ada Lovelace'],
    ['nothing that introduces it', 'Which model is it?\n\nAda Lovelace'],
    [
      'a warning of a gateway inside',
      'On Mon, 23 Nov 2026 at 10:00, Desk wrote:\n> CAUTION: This email originated from outside the organization.\n> Which model is it?',
    ],
    [
      'an older mail below',
      'From: Desk\nSent: Monday\nTo: Hal\nSubject: Coffee\n\nWhich model is it?\n\nFrom: Hal\nSent: Sunday\nTo: Desk\nSubject: Coffee\n\nIt leaks all over.',
    ],
  ])('its repetition is history: %s', (_, history) => expect(read(`Model B7.\n\n${history}`)).toBe('Model B7.'))

  it.each([
    ['marked lines of its own', 'The menu printed this:\n\n> E17 pump dry\n> E22 valve stuck'],
    ['copied headers', 'The forwarder says:\n\nFrom: Max\nSent: Monday\nTo: Hal\nSubject: Pump\n\nThe pump is dry.'],
    [
      'an answer in the line of the question',
      'See in red.\n\nFrom: Desk\nSent: Monday\nTo: Hal\nSubject: Re: Coffee\n\nWhich model is it? The B7, second floor.',
    ],
    [
      'an answer below the question',
      'See below.\n\nFrom: Desk\nSent: Monday\nTo: Hal\nSubject: Re: Coffee\n\nWhich model is it?\n\nThe B7.\n\nAda Lovelace',
    ],
    [
      'an answer inside of marks',
      'See below.\n\nOn Mon, 23 Nov 2026 at 10:00, Desk <desk@demo.example> wrote:\n> Which model is it?\n> Model B7.\n> Ada Lovelace',
    ],
  ])('what it does not have stays: %s', (_, body) => expect(read(body)).toBe(body))

  it('wrapped lines are its own', () => {
    const long = 'Please tell us which of the two machines in the kitchen on the second floor is the one that leaks'
    const wrapped =
      '> Please tell us which of the two machines in the kitchen on the second floor\n> is the\n> one that leaks'
    const body = `The left.\n\nOn Mon, 23 Nov 2026 at 10:00, Desk <desk@demo.example> wrote:\n${wrapped}`
    expect(read(body, [{ text: long, isWhole: true }])).toBe('The left.')
  })

  it('a notice that a template made is history, whatever it says besides', () =>
    expect(
      newText('No.\n\nOn Mon, 23 Nov 2026 at 10:00, Desk wrote:\n> Ada mentioned you\n> Open: here', null, {
        known: [{ text: 'mentioned you', isWhole: false }],
      }),
    ).toBe('No.'))

  it('reads much in time that does not explode', () => {
    const began = process.cpuUsage()
    for (const piece of ['> Which model is it?\n', '> x y z a\n', 'Which model\n', '\n'])
      newText(piece.repeat((256 * 1024) / piece.length), 'Re: Lamp', {
        known: [{ text: piece.repeat(1000), isWhole: true }],
      })
    expect(process.cpuUsage(began).user / 1000).toBeLessThan(20_000)
  })
})
