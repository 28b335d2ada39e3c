import * as z from 'zod'
import { maxRoutingKeyBytes } from '../../../../kernel/limits/scripts.ts'
import type { MessageMethod } from './message-method.ts'

/** What AMQP permits for a routing key; Kinesis permits a little more. */
const key = z.string().refine((value) => Buffer.byteLength(value) <= maxRoutingKeyBytes)

export const publish = {
  name: 'publish',
  declaration: `publish(payload: Json, channel: number | string, key?: string | null): boolean`,
  schema: z.object({ payload: z.json(), channel: z.union([z.int(), z.string()]), key: key.nullish() }),
  answersWhether: true,
} as const satisfies MessageMethod
