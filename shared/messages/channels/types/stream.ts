import * as z from 'zod'
import type { ChannelTypeDeclaration } from '../channel-type.ts'
import { retrySchedule } from '../config/config-values.ts'

/** The service may write to the streams of its own account, where their names suffice. */
const streamName = z.string().regex(/^[\w.-]{1,128}$/, {
  error: 'The name of a stream has letters, digits, dots, dashes and underscores; an ARN is no name.',
})
const region = z.string().regex(/^[a-z]{2,3}(-[a-z]+){1,3}-\d{1,2}$/, {
  error: 'A region of AWS is needed, such as eu-central-1.',
})

/** Records of Kinesis streams of the deployment. */
export const stream = {
  config: z.strictObject({
    provider: z.literal('kinesis'),
    stream_name: streamName,
    region: region.optional(),
    retry_schedule: retrySchedule,
  }),
  secrets: [],
  members: 'provider (kinesis), stream_name, region',
  content: 'json',
  isPublished: true,
  placeOf: ({ stream_name: name }) => String(name),
  description: 'Puts records into streams, and records what became of them',
  deadLetters: 'Wake-ups of stream records that delivery-stream failed on',
  rights: [{ on: 'account-streams', actions: ['kinesis:PutRecord'] }],
  environment: ['APP_MODE', 'STREAM_OWNERS'],
} as const satisfies ChannelTypeDeclaration
