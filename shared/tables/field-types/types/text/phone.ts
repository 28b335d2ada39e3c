import { getCountries, isSupportedCountry, parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/min'
import * as z from 'zod'
import { say } from '../../../../kernel/failures/sentence.ts'
import { maxPhoneCharacters } from '../../../../kernel/limits/tables.ts'
import { didYouMean } from '../../../../kernel/text/did-you-mean.ts'
import { defineFieldType, type FieldWith } from '../../declaration.ts'
import { lineType } from './line-type.ts'
import { checkTextRules, textRules } from './text-rules.ts'
import { searchable } from './text-type.ts'

const properties = {
  searchable,
  ...textRules,
  default_country: z
    .string()
    .regex(/^[A-Z]{2}$/, { error: 'Write the two letters of ISO 3166: DE.' })
    .optional()
    .meta({ description: 'The country of numbers without a country code: `DE`. Without it they are refused.' }),
}

export const phone = defineFieldType({
  description: 'A phone number, stored as E.164: `+4930123456`.',
  properties,
  checkField({ default_country: country, ...rules }, at, list) {
    checkTextRules(rules, at, list)
    if (country === undefined || isSupportedCountry(country)) return
    const near = didYouMean(country, getCountries())
    list.add(`${at}.default_country`, `There is no country ${country} with a plan of phone numbers.${near}`)
  },
  ...lineType<FieldWith<typeof properties>>({
    parse(text, { name, default_country }) {
      const written = text.replace(/^tel:/i, '')
      const number =
        written.length > maxPhoneCharacters
          ? undefined
          : parsePhoneNumberFromString(written, {
              ...(default_country !== undefined && { defaultCountry: default_country as CountryCode }),
              extract: false,
            })
      // Whether a number is in use changes with each plan of a country; its country and its length seldom do.
      if (number?.isPossible())
        return number.ext === undefined
          ? { value: number.number }
          : { problem: say('phone_with_extension', { field: name }) }
      return {
        problem:
          default_country === undefined
            ? say('not_phone', { field: name })
            : say('not_phone_of', { field: name, country: default_country }),
      }
    },
    value: { type: 'string', pattern: '^\\+[1-9][0-9]{1,14}$' },
    example: '+4930123456',
  }),
})
