import type { Tenant } from '../../kernel/tenancy.ts'
import type { MailedTask } from '../../platform/mail/decision-link.ts'
import { withNumber } from '../../platform/mail/subject-number.ts'
import type { Notice } from '../bell/bell-row.ts'
import type { IntentContent } from '../deliveries/rows/intent-content.ts'
import { usesPlaceholder } from '../notification-templates/placeholders.ts'
import type { TemplateContent } from '../notification-templates/translation.ts'

/** The code of the template by which a company changes the layout of these mails. */
export const noticeTemplateCode = 'notification'

/** A record as the notified person may know it. */
export interface NoticedRecord {
  readonly id: number
  /** Of its table. */
  readonly label: string
  /** Empty when it has none, or the person may not read it. */
  readonly title: string
  /** Where the person finds it. */
  readonly url?: string
}

/** Describes the record of a notice for the notified person; undefined when it is gone, or they may not read it. */
export type DescribeNoticedRecord = (
  tenant: Tenant,
  about: { readonly userId: number; readonly model: string; readonly id: number },
) => Promise<NoticedRecord | undefined>

/** The words of the layout. */
const words = {
  en: {
    open: 'Open',
    why: 'You get this mail because you asked for notifications by mail.',
    yours: 'You get this mail because it is about a request or a task of yours.',
    asksAgain: 'The buttons open a page that asks once more, and work for {{decide.days}} days.',
  },
  de: {
    open: 'Öffnen',
    why: 'Sie erhalten diese Mail, weil Sie Benachrichtigungen per Mail gewünscht haben.',
    yours: 'Sie erhalten diese Mail, weil es um eine Anfrage oder Aufgabe von Ihnen geht.',
    asksAgain: 'Die Knöpfe öffnen eine Seite, die noch einmal nachfragt, und gelten {{decide.days}} Tage.',
  },
} as const

type Words = Readonly<Record<keyof (typeof words)['en'], string>>

/** A template whose subjects have the number of a record. */
function numbered(template: TemplateContent, form: string | undefined, id: number): TemplateContent {
  const { subject, translations } = template
  const translated = Object.entries(translations).map(([locale, one]) => [
    locale,
    { ...one, subject: withNumber(one.subject, form, id) },
  ])
  return {
    ...template,
    subject: withNumber(subject, form, id),
    translations: Object.fromEntries(translated) as TemplateContent['translations'],
  }
}

/** The mail of a notice: by the template of the company, else in the built-in layout; in the language of the recipient. */
export function noticeMail(
  { name: company }: Pick<Tenant, 'name'>,
  { title, text, url }: Pick<Notice, 'title' | 'text' | 'url'>,
  record: NoticedRecord | undefined,
  own: TemplateContent | undefined,
  { isOutside = false, accent, numberForm, task }: Layout = {},
): IntentContent {
  const link = url ?? record?.url
  const name = record ? `${record.label} ${record.id}${record.title === '' ? '' : `: ${record.title}`}` : ''
  const buttons = task && task.outcomes.length > 0 ? task.outcomes.length : 0
  const template = own
    ? withButtons({ subject: own.subject, body: own.body, translations: own.translations }, buttons)
    : builtIn({
        hasText: text !== '',
        hasRecord: record !== undefined,
        hasLink: link !== undefined,
        isOutside,
        buttons,
      })
  return {
    body: '',
    template: record ? numbered(template, numberForm, record.id) : template,
    params: {
      title,
      text,
      url: link ?? '',
      company,
      accent: accent ?? '#666',
      record: { id: record?.id ?? '', label: record?.label ?? '', title: record?.title ?? '', name },
    },
    ...(task && buttons > 0 && { task }),
  }
}

/** A button for each outcome of a task; `renderContent` gives their addresses. */
const buttonsFor = (count: number, { asksAgain }: Words): string =>
  [
    `<p>${Array.from({ length: count }, (_, at) => `<a href="{{decide.outcomes.${at}.url}}" style="${buttonStyle}">{{decide.outcomes.${at}.label}}</a>`).join(' ')}</p>`,
    `<p style="color: #666; font-size: 0.85em">${asksAgain}</p>`,
  ].join('\n')
const buttonStyle =
  'display: inline-block; margin: 0 8px 8px 0; padding: 8px 18px; border: 1px solid #888; border-radius: 4px; text-decoration: none; font-weight: bold'

/** A template of the company, which knows no buttons, with those of a task below. */
function withButtons(template: TemplateContent, count: number): TemplateContent {
  if (count === 0 || usesPlaceholder(template, 'decide.outcomes')) return template
  const { subject, body, translations } = template
  const below = (text: string, locale: string): string =>
    `${text}\n${buttonsFor(count, locale.startsWith('de') ? words.de : words.en)}`
  return {
    subject,
    body: below(body, 'en'),
    translations: Object.fromEntries(
      Object.entries(translations).map(([locale, one]) => [locale, { ...one, body: below(one.body, locale) }]),
    ),
  }
}

/** What a mail looks like beside its notice. */
interface Layout {
  /** Its reader has no right on the table. */
  readonly isOutside?: boolean
  /** The colour of the company. */
  readonly accent?: string | undefined
  /** How the number of the record stands in the subject. */
  readonly numberForm?: string
  /** What its reader may decide by its buttons. */
  readonly task?: MailedTask
}

interface Parts {
  readonly isOutside: boolean
  readonly hasText: boolean
  readonly hasRecord: boolean
  readonly hasLink: boolean
  readonly buttons: number
}

/** Templates have no conditions, so each layout has what there is. */
function builtIn({ hasText, hasRecord, hasLink, isOutside, buttons }: Parts): TemplateContent {
  const texts = (said: Words) => ({
    subject: '{{title}}',
    body: [
      '<p style="border-left: 4px solid {{accent}}; padding-left: 8px; font-weight: bold">{{company}}</p>',
      ...(hasText ? ['<p style="white-space: pre-wrap">{{text}}</p>'] : []),
      ...(hasRecord ? ['<p><b>{{record.name}}</b></p>'] : []),
      ...(buttons > 0 ? [buttonsFor(buttons, said)] : []),
      ...(hasLink ? [`<p><a href="{{url}}">${said.open}</a></p>`] : []),
      `<p style="color: #666; font-size: 0.85em">{{company}} · ${isOutside ? said.yours : said.why}</p>`,
    ].join('\n'),
  })
  return { ...texts(words.en), translations: { de: texts(words.de) } }
}
