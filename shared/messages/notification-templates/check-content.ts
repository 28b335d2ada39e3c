import { byName } from '../../kernel/collections/own-members.ts'
import type { FieldErrors } from '../../kernel/failures/faults.ts'
import type { Warning } from '../../kernel/failures/warning.ts'
import { maxTemplateBytes, maxTemplateMistakes } from '../../kernel/limits/messages.ts'
import { thereIsNo } from '../../kernel/text/did-you-mean.ts'
import { mailCalls } from '../../scripts/source/script-warnings.ts'
import { missingVariables, parseTemplate } from './placeholders.ts'
import { canonicalLocale, type TemplateContent, type TemplateTexts } from './translation.ts'

/**
 * Checks the texts of a template. Answers them with the canonical forms of their locales, and what is wrong with them by
 * path: placeholders that nobody can have meant, invalid locales, and their size.
 */
export function checkContent(given: TemplateContent): {
  readonly content: TemplateContent
  readonly errors: FieldErrors
} {
  const { subject, body } = given
  const { translations, errors } = canonicalTranslations(given.translations)
  const content = { subject, body, translations }
  for (const [path, text] of textsByPath(given)) {
    const mistakes = mistakesIn(text)
    if (mistakes.length > 0) errors[path] = mistakes
  }
  if (Buffer.byteLength(JSON.stringify(content)) > maxTemplateBytes)
    errors.body = ['A template with its translations may not be larger than 300 KB.']
  return { content, errors }
}

const textsByPath = ({ subject, body, translations }: TemplateContent): readonly (readonly [string, string])[] => [
  ['subject', subject],
  ['body', body],
  ...Object.entries(translations).flatMap(
    ([locale, texts]) =>
      [
        [`translations.${locale}.subject`, texts.subject],
        [`translations.${locale}.body`, texts.body],
      ] as const,
  ),
]

function mistakesIn(text: string): string[] {
  const mistakes = parseTemplate(text).filter((part) => part.kind === 'mistake')
  return mistakes.slice(0, maxTemplateMistakes).map(({ at, text: source, reason }) => {
    const lines = text.slice(0, at).split('\n')
    return `Line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}: ${quote(source)}. ${reason}`
  })
}

const quote = (text: string): string => {
  const [beginning = ''] = text.split('\n', 1)
  return beginning.length <= 40 && beginning === text ? text : `${beginning.slice(0, 40).toWellFormed()}…`
}

/** Translations under the canonical forms of their locales, and what is wrong with the locales. */
function canonicalTranslations(given: TemplateContent['translations']) {
  const errors: FieldErrors = byName()
  const translations = new Map<string, TemplateTexts>()
  for (const [locale, texts] of Object.entries(given)) {
    const tag = canonicalLocale(locale)
    if (tag === undefined) errors[`translations.${locale}`] = [notALocale(locale)]
    else if (translations.has(tag)) errors[`translations.${locale}`] = [`The locale ${tag} is given twice.`]
    else translations.set(tag, texts)
  }
  return { translations: Object.fromEntries(translations), errors }
}

function notALocale(locale: string): string {
  const meant = canonicalLocale(locale.replaceAll('_', '-'))
  const wrong = 'A locale is a BCP 47 language tag such as de or de-AT.'
  return meant === undefined ? wrong : `${wrong} Did you mean ${meant}?`
}

/**
 * Warns of the mails of a script whose template does not exist, and of what their templates name and do not get. `path`:
 * where the script stands. `templates`: what each of them names, by its code; asked for only when a script sends mails.
 */
export async function warnOfMails(
  script: string | null,
  path: string,
  fields: Iterable<string> | undefined,
  templates: () => Promise<ReadonlyMap<string, readonly string[]>>,
): Promise<Warning[]> {
  if (script === null || !script.includes('sendEmail')) return []
  const calls = mailCalls(script)
  const known = calls.length > 0 ? await templates() : new Map<string, readonly string[]>()
  const names = fields && [...fields]
  return calls.flatMap(({ template, params, line, column }): Warning[] => {
    const placeholders = known.get(template)
    const found = placeholders
      ? missingVariables(template, placeholders, { names: params, fields: names })
      : [
          {
            code: 'unknown_template' as const,
            message: `The template ${template}: ${thereIsNo('notification template', template, [...known.keys()])}`,
          },
        ]
    return found.map((warning) => ({ path, line, column, ...warning }))
  })
}
