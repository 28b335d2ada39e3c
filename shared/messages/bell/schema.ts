import * as z from 'zod'
import { PageQuery } from '../../platform/http/paging/page-query.ts'

export const NotificationAnswer = z.object({
  id: z.int(),
  title: z.string().meta({ description: 'At most 200 characters; a longer one is cut.' }),
  text: z.string().meta({ description: 'At most 1,000 characters; a longer one is cut.' }),
  url: z.string().nullable().meta({ description: 'Where a click on the notification leads.' }),
  category: z.string(),
  model: z.string().meta({ description: 'The table of the record that it is about; empty when it is about none.' }),
  record_id: z.int().nullable(),
  is_read: z.boolean(),
  created_at: z.string().meta({ format: 'date-time' }),
})
export type NotificationAnswer = z.output<typeof NotificationAnswer>

export const NotificationQuery = PageQuery.extend({
  unread: z.enum(['true', 'false']).optional().meta({ description: '`true`: only those that were not read.' }),
})
export type NotificationQuery = z.output<typeof NotificationQuery>

export const AllRead = z.object({
  marked: z.int().meta({ description: 'How many notifications were unread before.' }),
})
