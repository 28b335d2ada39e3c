import { maxPathStepCharacters, maxPathSteps, maxPathValues } from '../../../kernel/limits/incoming.ts'
import { nearestWord } from '../../../kernel/text/did-you-mean.ts'

/** A message as the API answers it: what paths of rules lead into, and `$incoming` of scripts. */
export type MessageDocument = Readonly<Record<string, unknown>>

/** The members of a message that a path may begin with. */
export const messageMembers: readonly string[] = [
  'id',
  'channel',
  'channel_id',
  'mailbox_id',
  'from_name',
  'from_email',
  'from_id',
  'subject',
  'body',
  'payload',
  'attachments',
  'reply_to',
  'received_at',
]

/** What is wrong with a path such as `payload.message.from.id`; undefined when nothing is. */
export function pathProblem(path: string): string | undefined {
  const steps = path.split('.')
  if (steps.some((step) => step === '' || step !== step.trim() || /\p{Cc}/u.test(step)))
    return `${JSON.stringify(path)} is not a path: write member names with dots between them, such as payload.message.from.id.`
  if (steps.length > maxPathSteps) return `A path may not have more than ${maxPathSteps} steps.`
  if (steps.some((step) => step.length > maxPathStepCharacters))
    return `A step of a path may not be longer than ${maxPathStepCharacters} characters.`
  const [first = ''] = steps
  if (messageMembers.includes(first)) return undefined
  const meant = nearestWord(first, messageMembers)
  return `A message has no member ${first}${meant === undefined ? `; it has ${messageMembers.join(', ')}.` : `. Did you mean ${meant}?`}`
}

/** The value at a path: members by name, elements of arrays by number. undefined when there is none. */
export function valueAt(message: MessageDocument, path: string): unknown {
  let value: unknown = message
  for (const step of path.split('.')) value = memberOf(value, step)
  return value
}

/**
 * Every value that a path reaches: a step that is no number goes into each element of an array, and an array at the end
 * stands for its elements.
 */
export function valuesAt(message: MessageDocument, path: string): readonly unknown[] {
  let reached: unknown[] = [message]
  for (const step of path.split('.'))
    reached = reached
      .flatMap((value) => (Array.isArray(value) && !isIndex(step) ? value.slice(0, maxPathValues) : [value]))
      .slice(0, maxPathValues)
      .map((value) => memberOf(value, step))
  return reached.flat().slice(0, maxPathValues)
}

function memberOf(value: unknown, step: string): unknown {
  if (Array.isArray(value)) return isIndex(step) ? value[Number(step)] : undefined
  return typeof value === 'object' && value !== null && Object.hasOwn(value, step)
    ? (value as Record<string, unknown>)[step]
    : undefined
}

const isIndex = (step: string): boolean => /^\d{1,6}$/.test(step)
