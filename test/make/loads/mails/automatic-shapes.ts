import { type MailShape, part, partsOf, shape, text, utf8 } from './mail-shape.ts'

type Headers = Readonly<Record<string, string>>
const auto = (name: string, headers: Headers, expected: MailShape['says']['auto']): MailShape =>
  shape(name, headers, undefined, { auto: expected })

/** A mail of a person that programs do not answer. */
const quiet = (name: string, headers: Headers): MailShape =>
  shape(name, headers, undefined, { auto: null, isQuiet: true })

const subject = (line: string, expected: MailShape['says']['auto'], from = 'Ada <ada@example.com>'): MailShape =>
  auto(`${from}: ${line}`, { Subject: utf8(line), From: from }, expected)

/** The subjects of absence notices, without any header that says so. */
const absences = [
  'Out of office',
  'Out of Office: Lamp',
  'Out of Office AutoReply: Lamp',
  'Out of Office Re: Lamp',
  'Out-of-office - back on 5 January',
  '[External] Automatic reply: Lamp',
  'Automatic Reply',
  'Auto-Reply: Lamp',
  'Automatische Antwort: AW: Lampe',
  'Abwesenheitsnotiz: Lampe',
  'Abwesenheitsnotiz',
  'Réponse automatique : Lampe',
  'Réponse automatique\u00a0: Lampe',
  'Absence du bureau',
  'Respuesta automática: Lámpara',
  'Fuera de la oficina',
  'Risposta automatica: Lampada',
  'Fuori sede',
  'Resposta automática: Lâmpada',
  'Automatisch antwoord: Lamp',
  'Afwezig: Lamp',
  'Autosvar: Lampa',
  'Automatiskt svar: Lampa',
  'Frånvaro: Lampa',
  'Automatisk svar: Lampe',
  'Automaattinen vastaus: Lamppu',
  'Automatyczna odpowiedź: Lampa',
  'Automatická odpověď: Lampa',
  'Автоответ: Лампа',
  'Автоматический ответ: Лампа',
  '自动回复: 灯',
  '自动回复：灯',
  '自动回复 灯',
  '自動返信',
  '【自動返信】お問い合わせ',
  '自動応答: ランプ',
  '자동 회신: 램프',
]
/** Subjects of people who write about the same. */
const aboutAbsences = [
  'Re: Out of office printer',
  'Out of office printer is broken',
  'Out of office.exe crashes',
  'RE: Automatic reply: Lamp',
  'AW: Abwesenheitsnotiz: Lampe',
  'Automatic reply does not work',
  'How do I set an out of office?',
  'Abwesenheitsnotiz einrichten',
  'Abwesende Kollegen',
  'Réponse automatique qui ne marche pas',
  'Afwezigheid doorgeven',
  'Autosvaret fungerar inte',
  'Автоответчик не работает',
  '自动回复功能坏了',
  '自動返信メールが届かない',
  'Autoreplying lamp',
]

const ours = 'msg_0123456789abcdef0123456789abcdef_0'
const returnedHeaders = `From: desk@acme.test\r\nMessage-ID: <${ours}@acme.test>\r\nSubject: Lamp\r\n`
const report = { 'Content-Type': 'multipart/report; report-type=delivery-status; boundary="b"' }
const status = (...recipients: readonly string[]): string =>
  text(['Reporting-MTA: dns; mx.example.com', ...recipients].join('\r\n\r\n'), 'message/delivery-status')
const failed =
  'Final-Recipient: rfc822; Bob@Example.com\r\nAction: failed\r\nStatus: 5.1.1\r\nDiagnostic-Code: smtp; 550 5.1.1 <bob@example.com>:\r\n User unknown'

/** What programs send by themselves: answers, lists and bounces of the usual servers. */
export const automaticShapes: readonly MailShape[] = [
  shape('a mail of a person', {}, undefined, { auto: null, isQuiet: false }),
  auto('Auto-Submitted: no', { 'Auto-Submitted': 'no' }, null),
  auto('Auto-Submitted: auto-replied', { 'Auto-Submitted': 'auto-replied (vacation)' }, 'reply'),
  auto('Auto-Submitted: auto-generated', { 'Auto-Submitted': 'Auto-Generated; owner-email="x"' }, 'reply'),
  quiet('X-Auto-Response-Suppress', { 'X-Auto-Response-Suppress': 'All' }),
  auto('X-Auto-Response-Suppress: None', { 'X-Auto-Response-Suppress': 'None' }, null),
  auto('X-Autoreply', { 'X-Autoreply': 'yes' }, 'reply'),
  auto('X-Autorespond', { 'X-Autorespond': 'Out of office' }, 'reply'),
  quiet('Precedence: auto_reply', { Precedence: 'auto_reply' }),
  quiet('Precedence: bulk', { Precedence: 'Bulk' }),
  quiet('Precedence: junk', { Precedence: 'junk' }),
  auto('Precedence: first-class', { Precedence: 'first-class' }, null),
  quiet('a List-Id', { 'List-Id': 'Lamps <lamps.example.com>' }),
  auto('a list that answers', { 'List-Id': '<lamps.example.com>', 'Auto-Submitted': 'auto-replied' }, 'reply'),
  quiet('a group of Google', {
    From: "'Ada' via Support <help@group.example>",
    'Reply-To': 'Ada <ada@example.com>',
    Precedence: 'list',
    'Mailing-list': 'list help@group.example; contact help+owners@group.example',
    'List-ID': '<help.group.example>',
  }),
  quiet('a rule of a mailbox at Exchange', {
    'Return-Path': '<>',
    'Auto-Submitted': 'auto-generated',
    'X-MS-Exchange-Generated-Message-Source': 'Mailbox Rules Agent',
    'X-MS-Exchange-Inbox-Rules-Loop': 'info@example.com',
    'X-MS-Exchange-Parent-Message-Id': '<lamp@example.com>',
  }),
  quiet('a filter that forwards', { 'Auto-Submitted': 'auto-forwarded' }),
  auto(
    'an absence notice of Exchange',
    {
      'Auto-Submitted': 'auto-generated',
      'X-MS-Exchange-Generated-Message-Source': 'Mailbox Rules Agent',
      'X-MS-Exchange-Parent-Message-Id': '<lamp@example.com>',
      'In-Reply-To': '<lamp@example.com>',
    },
    'reply',
  ),
  ...absences.map((line) => subject(line, 'reply')),
  ...aboutAbsences.map((line) => subject(line, null)),
  subject('Lamp', 'reply', 'postmaster@example.com'),
  subject('Unzustellbar: Lampe', 'bounce', 'postmaster@example.com'),
  subject('Échec de remise : Lampe', 'bounce', 'Postmaster <x@example.com>'),
  subject('Lamp', 'bounce', 'MAILER-DAEMON <>'),
  subject('Lamp', 'bounce', '"MAILER-DAEMON" <x@example.com>'),
  subject('Mail could not be delivered', 'bounce', 'Mail Delivery Subsystem <>'),
  subject('Lamp', 'reply', 'Mail Delivery System <x@example.com>'),
  subject('Lamp', null, 'Mail Delivery Systems Ltd <x@example.com>'),
  subject('Lamp', null, 'The Postmaster Hotel <x@example.com>'),
  subject('Mail could not be delivered', 'bounce'),
  subject('Undelivered Mail Returned to Sender', 'bounce'),
  subject('Delivery Status Notification (Failure)', 'bounce'),
  subject('Mail could not be delivered to my customer', null),
  subject('Re: Mail could not be delivered', null),
  subject('Failure notice', null),
  auto('a subject in an encoded word', { Subject: '=?utf-8?Q?R=C3=A9ponse_automatique_: Lampe?=' }, 'reply'),
  auto('an empty Return-Path', { 'Return-Path': '<>' }, 'reply'),
  auto('a Return-Path', { 'Return-Path': '<ada@example.com>' }, null),
  auto(
    'a read receipt',
    { 'Content-Type': 'multipart/report; report-type=disposition-notification; boundary=b' },
    'reply',
  ),
  auto('MAILER-DAEMON', { From: 'MAILER-DAEMON@mx.example.com' }, 'bounce'),
  auto('postmaster with a failure', { From: 'postmaster@example.com', Subject: 'Undeliverable: Lamp' }, 'bounce'),
  auto('a failure that a person tells of', { Subject: 'Undeliverable: Lamp' }, null),

  shape(
    'a bounce of Postfix',
    { ...report, From: 'MAILER-DAEMON@mx.example.com', Subject: 'Undelivered Mail Returned to Sender' },
    partsOf('b', [
      text('I am sorry to have to inform you'),
      status(failed),
      text(returnedHeaders, 'text/rfc822-headers'),
    ]),
    {
      auto: 'bounce',
      bounce: {
        action: 'failed',
        recipient: 'bob@example.com',
        status: '5.1.1',
        reason: '550 5.1.1 <bob@example.com>: User unknown',
        originalIds: [`${ours}@acme.test`],
      },
    },
  ),
  shape(
    'a bounce of Exchange',
    { ...report, From: 'postmaster@outlook.example', Subject: 'Undeliverable: Lamp' },
    partsOf('b', [
      text('<p>Your message could not be delivered</p>', 'text/html'),
      status(
        `Final-Recipient: rfc822;bob@example.com\r\nAction: failed\r\nStatus: 5.7.1\r\nDiagnostic-Code: smtp;550 5.7.1 RESOLVER.RST`,
      ),
      text(`${returnedHeaders}\r\nHello`, 'message/rfc822'),
    ]),
    {
      bounce: {
        action: 'failed',
        status: '5.7.1',
        reason: '550 5.7.1 RESOLVER.RST',
        originalIds: [`${ours}@acme.test`],
      },
    },
  ),
  shape(
    'a bounce of Gmail',
    { ...report, From: 'mailer-daemon@googlemail.com', 'X-Failed-Recipients': 'bob@example.com' },
    partsOf('b', [
      text('Address not found'),
      status('Final-Recipient: rfc822; bob@example.com\r\nAction: failed\r\nStatus: 5.1.1'),
      part({ 'Content-Type': 'message/rfc822' }, `X-Delivery-Id: ${ours}\r\n\r\nHello`),
    ]),
    { bounce: { recipient: 'bob@example.com', reason: null, originalIds: [ours] } },
  ),
  shape(
    'a bounce of Exim',
    { From: 'Mail Delivery System <Mailer-Daemon@mx.example.com>', 'X-Failed-Recipients': 'bob@example.com' },
    `A message could not be delivered.\r\n\r\n  bob@example.com\r\n    550 5.1.1 No such user\r\n\r\n${returnedHeaders}`,
    {
      auto: 'bounce',
      bounce: { action: 'failed', recipient: 'bob@example.com', status: '5.1.1', originalIds: [`${ours}@acme.test`] },
    },
  ),
  shape(
    'a bounce of qmail',
    { From: 'MAILER-DAEMON@mx.example.com', Subject: 'failure notice' },
    `Hi. This is the qmail-send program.\r\n<bob@example.com>:\r\n550 no mailbox here\r\n\r\n--- Below this line is a copy of the message.\r\n\r\n${returnedHeaders}`,
    {
      auto: 'bounce',
      bounce: { action: 'failed', recipient: 'bob@example.com', reason: '550 no mailbox here' },
    },
  ),
  shape(
    'a mail that is delayed',
    report,
    partsOf('b', [
      text('Still trying'),
      status('Final-Recipient: rfc822; bob@example.com\r\nAction: delayed\r\nStatus: 4.4.1'),
    ]),
    { bounce: { action: 'delayed', status: '4.4.1' } },
  ),
  shape(
    'a delay that Exim tells of',
    { From: 'Mailer-Daemon@mx.example.com', Subject: 'Warning: message 1abc delayed 24 hours' },
    undefined,
    {
      bounce: { action: 'delayed' },
    },
  ),
  shape(
    'a receipt of a delivery',
    report,
    partsOf('b', [text('ok'), status('Final-Recipient: rfc822; b@x.test\r\nAction: delivered')]),
    {
      bounce: { action: 'delivered' },
    },
  ),
  shape(
    'a bounce for several',
    report,
    partsOf('b', [text('x'), status('Final-Recipient: rfc822; a@x.test\r\nAction: delivered', failed)]),
    {
      bounce: { action: 'failed', recipient: 'bob@example.com' },
    },
  ),
  shape(
    'a bounce with an original recipient',
    report,
    partsOf('b', [text('x'), status(`Original-Recipient: rfc822;team@example.com\r\n${failed}`)]),
    {
      bounce: { recipient: 'team@example.com' },
    },
  ),
  shape('a bounce that says nothing', report, partsOf('b', [text('x'), status('')]), {
    bounce: { action: 'failed', recipient: null },
  }),
  shape(
    'a bounce of a megabyte of recipients',
    report,
    partsOf('b', [text('x'), status(...Array.from({ length: 10_000 }, () => failed))]),
    {
      bounce: { action: 'failed' },
    },
  ),
]
