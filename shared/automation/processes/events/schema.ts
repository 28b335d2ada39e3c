import * as z from 'zod'
import {
  maxCorrelationKeyCharacters,
  maxEventNameCharacters,
  maxMessageTtlSeconds,
} from '../../../kernel/limits/processes.ts'
import { Id } from '../schema-parts.ts'

const EventName = z.string().trim().min(1).max(maxEventNameCharacters)
const EventVariables = z
  .record(z.string(), z.unknown())
  .optional()
  .meta({ description: 'Become variables of the process where it waits.' })

export const ProcessMessageBody = z.strictObject({
  name: EventName,
  correlation_key: z
    .union([z.string().min(1).max(maxCorrelationKeyCharacters), z.int()])
    .optional()
    .meta({
      description:
        'Says which instances are meant: the value of their `wf:correlationKey`, by default the id of the record. Without it exactly one may wait.',
    }),
  variables: EventVariables,
  message_id: z
    .string()
    .min(1)
    .max(maxCorrelationKeyCharacters)
    .optional()
    .meta({ description: 'A message with the same id is taken once in 24 hours; a repeat gets the first answer.' }),
  ttl: z.int().min(0).max(maxMessageTtlSeconds).optional().meta({
    description: 'How many seconds it waits for a receiver; 3,600 when left out, 0: not at all.',
  }),
})
export type ProcessMessageBody = z.output<typeof ProcessMessageBody>

export const ProcessMessageAnswer = z.object({
  delivered: z
    .array(Id)
    .meta({ description: 'The ids of the process instances that received it, or that it started.' }),
  kept: z.boolean().meta({ description: 'Whether it waits for an instance that begins to wait for it.' }),
})
export type ProcessMessageAnswer = z.output<typeof ProcessMessageAnswer>

export const ProcessSignalBody = z.strictObject({ name: EventName, variables: EventVariables })
export type ProcessSignalBody = z.output<typeof ProcessSignalBody>

export const ProcessSignalAnswer = z.object({
  matched: z
    .int()
    .meta({ description: 'How many wait for it, and how many processes begin with it: it reaches each.' }),
})
export type ProcessSignalAnswer = z.output<typeof ProcessSignalAnswer>
