import { own } from '../../kernel/collections/own-members.ts'

/** What a recipient reads. `body` is HTML; both may hold placeholders. */
export interface TemplateTexts {
  readonly subject: string
  readonly body: string
}

export interface TemplateContent extends TemplateTexts {
  /** By locale in its canonical form, such as `de` or `pt-BR`. */
  readonly translations: Readonly<Record<string, TemplateTexts>>
}

/**
 * The texts for a locale (RFC 4647, lookup): those of the locale itself, else of the locale without its last parts
 * (`de-AT`, then `de`), else the template's own.
 */
export function textsFor({ translations, subject, body }: TemplateContent, locale: string | null): TemplateTexts {
  let tag = locale === null ? undefined : canonicalLocale(locale)
  while (tag !== undefined) {
    const found = own(translations, tag)
    if (found) return found
    const end = tag.lastIndexOf('-')
    tag = end === -1 ? undefined : tag.slice(0, end)
  }
  return { subject, body }
}

/** The canonical form of a BCP 47 language tag (`de-at` is `de-AT`); undefined when it is none. */
export function canonicalLocale(locale: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(locale)[0]
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
