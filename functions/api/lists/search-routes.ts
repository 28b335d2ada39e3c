import * as z from 'zod'
import { maxSearchCharacters, maxSearchRecords } from '../../../shared/kernel/limits/lists.ts'
import { names } from '../../../shared/lists/query/schema.ts'
import { defineRoute, signedIn } from '../../../shared/platform/http/routing/define-route.ts'
import { FoundInTable } from '../../../shared/records/records/schema.ts'

const defaultRecords = 5

export const searchEverywhere = defineRoute({
  method: 'GET',
  path: '/api/search',
  operationId: 'searchTables',
  tag: 'Records',
  summary: 'Search all tables',
  description:
    'The best matches of every table that you may read, the table with the best match first. Words are found as by `search` of a list: all of them, the last one as a beginning; a record whose id or `auto_number` it is comes first. `marks` are the places of words in `text`, as JavaScript counts characters.',
  permission: signedIn,
  alsoFails: [403],
  query: z.object({
    q: z
      .string()
      .max(maxSearchCharacters)
      .refine((text) => text.trim() !== '', { error: 'The q field is required.' })
      .meta({ description: 'What to find.' }),
    tables: names('Only these tables.').meta({ description: 'Only these tables, with commas.', type: 'string' }),
    limit: z
      .string()
      .regex(/^\d{1,9}$/, { error: 'The limit must be an integer.' })
      .transform((text) => Math.min(maxSearchRecords, Math.max(1, Number(text))))
      .optional()
      .transform((limit) => limit ?? defaultRecords)
      .meta({
        description: `Records of each table, 1 to ${maxSearchRecords}; ${defaultRecords} when left out.`,
        type: 'integer',
      }),
  }),
  answer: z.array(FoundInTable),
  example: {
    query: { q: 'jammed print', tables: 'requests' },
    answer: [
      {
        model: 'requests',
        label: 'Requests',
        total: 1,
        records: [
          {
            id: 1,
            title: 'Printer on floor 2 is jammed',
            score: 160,
            matched_in: ['title'],
            highlights: [
              {
                field: 'title',
                text: 'Printer on floor 2 is jammed',
                marks: [
                  [0, 7],
                  [22, 28],
                ],
              },
            ],
          },
        ],
        problem: null,
      },
    ],
  },
})
