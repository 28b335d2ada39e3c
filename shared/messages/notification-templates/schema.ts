import * as z from 'zod'
import {
  maxLocaleCharacters,
  maxSubjectCharacters,
  maxTemplateBodyCharacters,
  maxTemplateNameCharacters,
  maxTranslations,
} from '../../kernel/limits/messages.ts'
import { readOnly, readOnlyNames, stamps } from '../../platform/configured-objects/schema.ts'
import { canonicalLocale } from './translation.ts'

const placeholders =
  'May hold placeholders `{{path.to.value}}`; `{{record_token}}` is a short code of the record that the mail is about, by which answers find it, `{{follow_url}}` the link by which its reader follows the record, where the setting `FOLLOW_TABLES` names the table'
const Subject = z
  .string()
  .trim()
  .min(1)
  .max(maxSubjectCharacters)
  .meta({ description: `${placeholders}; it is always one line without control characters.` })
const Body = z
  .string()
  .min(1)
  .max(maxTemplateBodyCharacters)
  .meta({ description: `HTML. ${placeholders}, whose values are HTML-escaped.` })

export const codePattern = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/
const Code = z.string().regex(codePattern, {
  error: 'Use letters, digits, dots, dashes and underscores, beginning with a letter or digit, at most 100.',
})
const Name = z
  .string()
  .trim()
  .min(1)
  .max(maxTemplateNameCharacters)
  .refine((name) => !/\p{Cc}/u.test(name), { error: 'The name may not hold control characters.' })

const Translations = z
  .record(z.string(), z.strictObject({ subject: Subject, body: Body }))
  .refine((all) => Object.keys(all).length <= maxTranslations, {
    error: `There may not be more than ${maxTranslations} translations.`,
  })
  .meta({
    description:
      'By locale, a BCP 47 language tag. A recipient with the locale `de-AT` reads `de-AT`, else `de`, else the texts of the template itself.',
  })

/** What is listed without reading the texts. */
export const NotificationTemplateHead = z.object({
  id: z.int(),
  name: z.string(),
  code: z.string().meta({ description: 'Identifies the template in scripts and configuration; unique.' }),
})

export const NotificationTemplateAnswer = NotificationTemplateHead.extend({
  subject: z.string(),
  body: z.string(),
  translations: Translations,
  ...stamps,
})
export type NotificationTemplateAnswer = z.output<typeof NotificationTemplateAnswer>

/** A template in the list: administrators see all members, everybody else id, name and code. */
export const ListedNotificationTemplate = NotificationTemplateHead.extend(
  NotificationTemplateAnswer.omit({ id: true, name: true, code: true }).partial().shape,
)
export type ListedNotificationTemplate = z.output<typeof ListedNotificationTemplate>

export const NotificationTemplateInput = z.strictObject({
  ...readOnly,
  name: Name,
  code: Code,
  subject: Subject,
  body: Body,
  translations: Translations.optional(),
})
export type NotificationTemplateInput = z.output<typeof NotificationTemplateInput>

export const NotificationTemplateChange = NotificationTemplateInput.partial()
export type NotificationTemplateChange = z.output<typeof NotificationTemplateChange>

/** A template in a configuration document, where `name` is its code. */
export const NotificationTemplateDocument = NotificationTemplateInput.omit({ ...readOnlyNames, code: true }).extend({
  name: Code,
  label: Name.optional(),
})

export const TemplatePreviewInput = z.strictObject({
  params: z
    .record(z.string(), z.unknown())
    .optional()
    .meta({ description: 'The values, as a script gives them to `$api.sendEmail`.' }),
  locale: z
    .string()
    .max(maxLocaleCharacters)
    .refine((locale) => canonicalLocale(locale) !== undefined, {
      error: 'A locale is a BCP 47 language tag such as de or de-AT.',
    })
    .nullish()
    .meta({ description: 'The language of the recipient.' }),
})
export type TemplatePreviewInput = z.output<typeof TemplatePreviewInput>

export const TemplatePreview = z.object({
  subject: z.string(),
  html: z.string(),
  text: z.string().meta({ description: 'The plain-text alternative.' }),
  missing: z.array(z.string()).meta({ description: 'Paths that `params` do not have.' }),
})
