import { say } from '../../../kernel/failures/sentence.ts'
import { defineFieldType } from '../declaration.ts'

const yes: ReadonlySet<unknown> = new Set([true, 1, '1', 'true', 'yes', 'on'])
const no: ReadonlySet<unknown> = new Set([false, 0, '0', 'false', 'no', 'off'])

const truthOf = (word: unknown): boolean | undefined => (yes.has(word) ? true : no.has(word) ? false : undefined)

export const boolean = defineFieldType({
  description: 'True or false.',
  properties: {},
  mayBeUnique: false,
  check: ({ name }, value) =>
    typeof value === 'boolean' ? { value } : { error: say('not_yes_or_no', { field: name }) },
  kind: 'boolean',
  reference: { value: { type: 'boolean' } },
  example: () => true,
  isExampleValid: () => true,
  scriptType: () => 'boolean',
  inForms: 'plain',
  readText: (text) => (text === 'true' ? true : text === 'false' ? false : text),
  readCell: (_, text) => truthOf(text.trim().toLowerCase()) ?? text,
  readMessage(_, value) {
    const word = typeof value === 'string' ? value.trim().toLowerCase() : value
    return truthOf(word) ?? value
  },
  inWords: (_, value) => (value === true ? 'yes' : 'no'),
})
