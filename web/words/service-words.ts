import type { Said } from '../../shared/client/api-error.ts'
import { fill, type ListWords } from '../../shared/kernel/failures/fill-sentence.ts'
import type { SentenceCode } from '../../shared/kernel/failures/sentences.ts'

/** How a language says what the service says. */
export interface ServiceWords {
  /** The sentence of a refusal whose code has one meaning. */
  readonly byCode: Readonly<Record<string, string>>
  readonly sentences: Readonly<Record<SentenceCode, string>>
  /** What values are called that no form has a label for. */
  readonly labels: Readonly<Record<string, string>>
  readonly lists: ListWords
}

/** What a form calls its fields, and the values that they offer. Undefined: as the service does. */
export interface Labels {
  readonly ofField: (name: string) => string | undefined
  readonly ofValue: (field: string, value: string) => string | undefined
}

/** The sentences of the service in English, which recognize what is stored without its code. */
const loadEnglish = async () => (await import('../../shared/kernel/failures/sentences.ts')).sentences
const load: Readonly<Record<string, (() => Promise<ServiceWords>) | undefined>> = {
  de: async () => (await import('./service/de.ts')).german,
}

let english: Readonly<Record<SentenceCode, string>> | undefined
let words: ServiceWords | undefined

/** From now on the service is quoted in a language. */
export async function quoteIn(language: string): Promise<void> {
  ;[english, words] = await Promise.all([loadEnglish(), load[language]?.()])
}

/** The values of a sentence that name a field, and those that are one of the values of a field. */
const fieldParams: ReadonlySet<string> = new Set(['field', 'other'])
const valueParams: ReadonlySet<string> = new Set(['value', 'allowed', 'nearest', 'from', 'to'])
const about: ReadonlySet<string> = new Set<SentenceCode>(['unknown_field', 'unknown_member', 'not_in_form'])

/** A sentence of the service in the language of the reader, with the labels of a form; as it was said where it has no code. */
export function quote({ code, params, message }: Said, labels?: Labels): string {
  const template = own(words?.sentences, code) ?? (labels && own(english, code))
  if (template === undefined) return message
  // The values that a field offers are those of the other one where a sentence is about two.
  const field = String(params['other'] ?? params['field'] ?? '')
  return fill(template, params, words?.lists, (name, value) => {
    const text = String(value)
    if (fieldParams.has(name)) return labels?.ofField(text) ?? own(words?.labels, text) ?? text
    if (!valueParams.has(name)) return text
    return (about.has(code) ? labels?.ofField(text) : labels?.ofValue(field, text)) ?? text
  })
}

/** A refusal in the language of the reader: by its sentence, else by its code; as it was said where neither is known. */
export const quoteRefusal = (said: Said | null, code: string, message: string): string =>
  (said && own(words?.sentences, said.code) !== undefined ? quote(said) : own(words?.byCode, code)) ?? message

/** The same for what is stored in English without a code, such as why a delivery failed: its sentence is recognized. */
export function quoteStored(message: string, code?: string): string {
  if (words === undefined) return message
  for (const [known, template] of Object.entries(english ?? {})) {
    if (!/^(?:delivery|mail|chat)_/.test(known)) continue
    const params = valuesIn(template, message)
    if (params) return quote({ code: known, params, message })
  }
  return (code === undefined ? undefined : own(words.byCode, code)) ?? message
}

/** The values of a sentence in a message that it made, which may go on after it. */
function valuesIn(template: string, message: string): Readonly<Record<string, string>> | undefined {
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const parts = template.split(/\{\w+\}/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
  const found = new RegExp(`^${parts.join('(.*?)')}`).exec(message)
  return found ? Object.fromEntries(names.map((name, index) => [name, found[index + 1] ?? ''])) : undefined
}

const own = <Value>(members: Readonly<Record<string, Value>> | undefined, name: string): Value | undefined =>
  members && Object.hasOwn(members, name) ? members[name] : undefined
