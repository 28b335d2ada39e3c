import type { Tenant } from '../../kernel/tenancy.ts'
import type { MailedTask } from '../../platform/mail/decision-link.ts'
import { allSubscriptions, type StopLink } from '../../platform/mail/stop-link.ts'
import { withNumber } from '../../platform/mail/subject-number.ts'
import type { Notice } from '../bell/bell-row.ts'
import type { IntentContent } from '../deliveries/rows/intent-content.ts'
import { usesPlaceholder } from '../notification-templates/placeholders.ts'
import type { TemplateContent } from '../notification-templates/translation.ts'
import { buttonsFor, mailWords, type MailWords, stopFor } from './mail-words.ts'

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
  { isOutside = false, accent, numberForm, task, stop }: Layout = {},
): IntentContent {
  const link = url ?? record?.url
  const name = record ? `${record.label} ${record.id}${record.title === '' ? '' : `: ${record.title}`}` : ''
  const buttons = task && task.outcomes.length > 0 ? task.outcomes.length : 0
  const template = own
    ? withLinks({ subject: own.subject, body: own.body, translations: own.translations }, buttons, stop)
    : builtIn({
        hasText: text !== '',
        hasRecord: record !== undefined,
        hasLink: link !== undefined,
        isOutside,
        buttons,
        stop,
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
    ...(task && buttons > 0 && { tasks: [task] }),
    ...(stop && { stops: [stop] }),
  }
}

/** A template of the company, which knows no links of its reader, with those below that it does not name itself. */
function withLinks(template: TemplateContent, buttons: number, stop: StopLink | undefined): TemplateContent {
  const { subject, body, translations } = template
  const below = (text: string, locale: string): string => {
    const words = locale.startsWith('de') ? mailWords.de : mailWords.en
    return [
      text,
      ...(buttons > 0 && !usesPlaceholder(template, 'decide.0') ? [buttonsFor(buttons, words)] : []),
      ...(stop && !usesPlaceholder(template, 'stop.0') ? [stopFor(kindOf(stop), words)] : []),
    ].join('\n')
  }
  return {
    subject,
    body: below(body, 'en'),
    translations: Object.fromEntries(
      Object.entries(translations).map(([locale, one]) => [locale, { ...one, body: below(one.body, locale) }]),
    ),
  }
}

const kindOf = ({ about }: StopLink) => (about === allSubscriptions ? 'kind' : 'record')

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
  /** What ends such notices, where they are about what its reader watches. */
  readonly stop?: StopLink | undefined
}

interface Parts {
  readonly isOutside: boolean
  readonly hasText: boolean
  readonly hasRecord: boolean
  readonly hasLink: boolean
  readonly buttons: number
  readonly stop: StopLink | undefined
}

/** Templates have no conditions, so each layout has what there is. */
function builtIn({ hasText, hasRecord, hasLink, isOutside, buttons, stop }: Parts): TemplateContent {
  const texts = (said: MailWords) => ({
    subject: '{{title}}',
    body: [
      '<p style="border-left: 4px solid {{accent}}; padding-left: 8px; font-weight: bold">{{company}}</p>',
      ...(hasText ? ['<p style="white-space: pre-wrap">{{text}}</p>'] : []),
      ...(hasRecord ? ['<p><b>{{record.name}}</b></p>'] : []),
      ...(buttons > 0 ? [buttonsFor(buttons, said)] : []),
      ...(hasLink ? [`<p><a href="{{url}}">${said.open}</a></p>`] : []),
      `<p style="color: #666; font-size: 0.85em">{{company}} · ${isOutside ? said.yours : said.why}</p>`,
      ...(stop ? [stopFor(kindOf(stop), said)] : []),
    ].join('\n'),
  })
  return { ...texts(mailWords.en), translations: { de: texts(mailWords.de) } }
}
