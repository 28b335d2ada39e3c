import * as z from 'zod'
import { say } from '../../../../kernel/failures/sentence.ts'
import { maxUrlCharacters } from '../../../../kernel/limits/messages.ts'
import { maxSchemes } from '../../../../kernel/limits/tables.ts'
import { defineFieldType, type FieldWith } from '../../declaration.ts'
import { lineType } from './line-type.ts'
import { checkTextRules, textRules } from './text-rules.ts'
import { searchable } from './text-type.ts'

const properties = {
  searchable,
  ...textRules,
  schemes: z
    .array(
      z.string().regex(/^[a-z][a-z0-9+.-]{0,30}$/, { error: 'Write a scheme in lower case and without a colon: ftp.' }),
    )
    .min(1)
    .max(maxSchemes)
    .optional()
    .meta({ description: 'Which schemes an address may have; default: http and https.' }),
}

/** Addresses of these run as a script, or as a page of their own, where a person clicks on them. */
const running: ReadonlySet<string> = new Set(['javascript', 'vbscript', 'data', 'blob', 'filesystem'])

export const url = defineFieldType({
  description: 'A web address, with its scheme, kept as it was sent.',
  properties,
  checkField({ schemes = [], ...rules }, at, list) {
    checkTextRules(rules, at, list)
    for (const [index, scheme] of schemes.entries())
      if (running.has(scheme)) list.add(`${at}.schemes.${index}`, `Addresses with ${scheme}: can run in a browser.`)
  },
  ...lineType<FieldWith<typeof properties>>({
    parse(text, { name, schemes = ['http', 'https'] }) {
      if (text.length > maxUrlCharacters) return { problem: say('too_long', { field: name, max: maxUrlCharacters }) }
      // The parser of the standard takes line breaks and control characters out instead of refusing them.
      const parsed = /[\s\p{Cc}]/u.test(text) || !text.isWellFormed() ? null : URL.parse(text)
      if (!parsed) return { problem: say('not_url', { field: name }) }
      return schemes.includes(parsed.protocol.slice(0, -1))
        ? { value: text }
        : { problem: say('not_url_with', { field: name, schemes: schemes.map((scheme) => `${scheme}:`) }) }
    },
    value: { type: 'string', format: 'uri', maxLength: maxUrlCharacters },
    example: 'https://example.com/manual',
  }),
})
