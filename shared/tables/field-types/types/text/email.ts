import { say } from '../../../../kernel/failures/sentence.ts'
import { maxAddressCharacters } from '../../../../kernel/limits/accounts.ts'
import { isMailAddress } from '../../../../platform/mail/mail-address.ts'
import { defineFieldType, type FieldWith } from '../../declaration.ts'
import { lineType } from './line-type.ts'
import { checkTextRules, textRules } from './text-rules.ts'
import { searchable } from './text-type.ts'

const properties = { searchable, ...textRules }

export const email = defineFieldType({
  description:
    'A mail address, kept as it was sent, without spaces around it. Filters and `unique` compare it without regard to case.',
  ignoresCase: true,
  properties,
  checkField: checkTextRules,
  ...lineType<FieldWith<typeof properties>>({
    parse: (text, { name }) =>
      isMailAddress(text) ? { value: text } : { problem: say('not_mail_address', { field: name }) },
    value: { type: 'string', format: 'email', maxLength: maxAddressCharacters },
    example: 'ada@example.com',
  }),
})
