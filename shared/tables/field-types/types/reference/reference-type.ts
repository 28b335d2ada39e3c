import { say } from '../../../../kernel/failures/sentence.ts'
import type { AnyField, CheckedValue, MessageReaders } from '../../declaration.ts'
import { numberInMessage, numberInText } from '../number/number-type.ts'

/** What types that hold an id have in common. `referent`: what the id is of. */
export const referenceType = <F extends AnyField>(referent: (field: F) => string) => ({
  mayBeUnique: true,
  check: (field: F, value: unknown): CheckedValue =>
    typeof value === 'number' && Number.isSafeInteger(value) && value > 0
      ? { value }
      : {
          error: Number.isSafeInteger(value)
            ? say('not_selectable', { field: field.name })
            : say('not_id', { field: field.name, referent: referent(field) }),
        },
  kind: 'number' as const,
  reference: { value: { type: 'integer', minimum: 1 } },
  example: () => 1,
  scriptType: () => 'number',
  readText: numberInText,
  readCell: (_: F, text: string): unknown => (/^\d{1,15}$/.test(text.trim()) ? Number(text) : text),
  readMessage: (_: F, value: unknown, read: MessageReaders) => numberInMessage(idOf(value), read),
})

/** The id of a record that is given as `{ id, ... }`, such as `reply_to`. */
const idOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'number' ? value.id : value
