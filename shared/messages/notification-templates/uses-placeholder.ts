import type { TemplateContent } from './translation.ts'

/** Whether a text of a template, in any language, may name a value. */
export const usesPlaceholder = ({ subject, body, translations }: TemplateContent, path: string): boolean =>
  [{ subject, body }, ...Object.values(translations)].some(
    (texts) => texts.subject.includes(path) || texts.body.includes(path),
  )
