import type { Tenant } from '../../kernel/tenancy.ts'
import type { MailedTask } from '../../platform/mail/decision-link.ts'
import type { StopLink } from '../../platform/mail/stop-link.ts'
import type { IntentContent } from '../deliveries/rows/intent-content.ts'
import { buttonsFor, mailWords, type MailWords } from './mail-words.ts'

/** A notice among others. */
export interface DigestEntry {
  /** What its group has in common. */
  readonly about: string
  /** The record, as far as its reader may know it. */
  readonly heading: string
  readonly url: string
  readonly title: string
  readonly text: string
  readonly at: string
  readonly task?: MailedTask
  /** What ends the notices about its record. */
  readonly stop?: StopLink
}

/** The mail of several notices: those about one record together, in the language of the recipient. */
export function digestMail(
  { name: company }: Pick<Tenant, 'name'>,
  entries: readonly DigestEntry[],
  { accent, further }: { readonly accent: string | undefined; readonly further: number },
): IntentContent {
  const tasks = entries.flatMap(({ task }) => (task && task.outcomes.length > 0 ? [task] : []))
  const groups = [...Map.groupBy(entries, ({ about }) => about).values()]
  const stops = groups.flatMap(([first]) => first?.stop ?? [])
  const texts = (words: MailWords) => ({
    subject:
      groups.length === 1 && entries[0]?.heading !== '' ? `{{groups.0.heading}}: ${words.several}` : words.several,
    body: [
      '<p style="border-left: 4px solid {{accent}}; padding-left: 8px; font-weight: bold">{{company}}</p>',
      ...groups.map((group, at) => groupOf(group, at, words, tasks, stops)),
      ...(further > 0 ? [`<p>${words.further}</p>`] : []),
      `<p style="color: #666; font-size: 0.85em">{{company}} · ${words.gathered}</p>`,
    ].join('\n'),
  })
  return {
    body: '',
    template: { ...texts(mailWords.en), translations: { de: texts(mailWords.de) } },
    params: {
      company,
      accent: accent ?? '#666',
      count: entries.length + further,
      further,
      groups: groups.map((group) => ({
        heading: group[0]?.heading ?? '',
        url: group.find(({ url }) => url !== '')?.url ?? '',
        entries: group.map(({ title, text, at }) => ({ title, text, at })),
      })),
    },
    ...(tasks.length > 0 && { tasks }),
    ...(stops.length > 0 && { stops }),
  }
}

/** What happened to one record: templates have no conditions, so each has what there is. */
function groupOf(
  group: readonly DigestEntry[],
  at: number,
  words: MailWords,
  tasks: readonly MailedTask[],
  stops: readonly StopLink[],
): string {
  const [first] = group
  const hasLink = group.some(({ url }) => url !== '')
  const entry = ({ title, text, task }: DigestEntry, nth: number): string => {
    const path = `groups.${at}.entries.${nth}`
    return [
      '<li style="margin-bottom: 8px">',
      title === '' ? '' : `<b>{{${path}.title}}</b><br>`,
      text === '' ? '' : `<span style="white-space: pre-wrap">{{${path}.text}}</span><br>`,
      `<span style="color: #666; font-size: 0.85em">{{${path}.at}}</span>`,
      task && task.outcomes.length > 0 ? buttonsFor(task.outcomes.length, words, tasks.indexOf(task)) : '',
      '</li>',
    ].join('')
  }
  return [
    first?.heading ? `<h3 style="margin-bottom: 4px">{{groups.${at}.heading}}</h3>` : '',
    `<ul>${group.map(entry).join('\n')}</ul>`,
    hasLink || first?.stop
      ? `<p>${[
          hasLink ? `<a href="{{groups.${at}.url}}">${words.open}</a>` : '',
          first?.stop
            ? `<a style="color: #666; font-size: 0.85em" href="{{stop.${stops.indexOf(first.stop)}.url}}">${words.stop}</a>`
            : '',
        ]
          .filter(Boolean)
          .join(' · ')}</p>`
      : '',
  ].join('\n')
}
