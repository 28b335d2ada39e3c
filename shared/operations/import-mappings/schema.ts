import * as z from 'zod'
import { maxSheetNameCharacters } from '../../kernel/limits/imports.ts'
import { maxFieldNameCharacters } from '../../kernel/limits/lists.ts'
import { maxChannelNameCharacters } from '../../kernel/limits/messages.ts'
import { exampleTimes, readOnly, readOnlyNames, stamps } from '../../platform/configured-objects/schema.ts'
import { signedIn } from '../../platform/http/routing/define-route.ts'
import { objectRoutes } from '../../platform/http/routing/object-routes.ts'

const importModes = ['create', 'update', 'upsert'] as const
export type ImportMode = (typeof importModes)[number]

/** How the rows of an import are stored. */
export const storing = {
  mode: z.enum(importModes).optional().meta({
    description:
      '`create` makes a record of each row, `update` changes the record that the key of the row names, `upsert` creates it when there is none. Only fields that a row names change. Default: `create`.',
  }),
  key: z.string().optional().meta({
    description:
      'For `update` and `upsert`: `id`, or a field that is unique or searchable. The value in a row names its record.',
  }),
  legacy: z.boolean().optional().meta({
    description:
      'Data of another system, for administrators: `created_at`, `created_by`, `updated_at`, `updated_by`, states and auto numbers of new records are kept; no hooks, processes and subscriptions.',
  }),
}

export const ImportFormat = z.enum(['csv', 'xlsx', 'ndjson'])
export type ImportFormat = z.output<typeof ImportFormat>

export const Sheet = z.string().max(maxSheetNameCharacters)
/** Column of a file to field. */
export const Columns = z.record(z.string(), z.string())

export const ImportMappingName = z
  .string()
  .trim()
  .min(1)
  .max(maxChannelNameCharacters)
  .refine((name) => !/\p{Cc}/u.test(name), { error: 'The name may not hold control characters.' })

const members = {
  model: z.string().max(maxFieldNameCharacters).meta({ description: 'Name of the table.' }),
  mapping: Columns.meta({ description: 'Column of the file to field; other columns are left out.' }),
  format: ImportFormat.nullish().meta({ description: 'Left out, the name of the file says it.' }),
  sheet: Sheet.nullish().meta({ description: 'Of a workbook; left out, the first one.' }),
  mode: storing.mode.unwrap().nullish().meta({ description: 'As for an import; left out, `create`.' }),
  key: z.string().nullish().meta({ description: 'As for an import; a column has to be mapped to it.' }),
  is_legacy: z.boolean().optional().meta({ description: '`legacy` of an import: for administrators.' }),
}

export const ImportMappingInput = z.strictObject({
  ...readOnly,
  owner: z.int().optional().meta({ description: 'Read only: who made it.' }),
  problem: z.string().nullish(),
  name: ImportMappingName,
  ...members,
})
export type ImportMappingInput = z.output<typeof ImportMappingInput>
const ImportMappingChange = ImportMappingInput.partial()
export type ImportMappingChange = z.output<typeof ImportMappingChange>

/** A mapping in the configuration document. */
export const ImportMappingDocument = ImportMappingInput.omit({ ...readOnlyNames, owner: true, problem: true })
export type ImportMappingDocument = z.output<typeof ImportMappingDocument>

export const ImportMappingAnswer = z.object({
  id: z.int(),
  name: z.string(),
  model: z.string(),
  mapping: Columns,
  format: ImportFormat.nullable(),
  sheet: z.string().nullable(),
  mode: z.enum(importModes).nullable(),
  key: z.string().nullable(),
  is_legacy: z.boolean(),
  owner: z.int().meta({ description: 'The id of the user who made it.' }),
  problem: z
    .string()
    .nullable()
    .meta({ description: 'Why no file can be imported by it: for example a field that was removed.' }),
  ...stamps,
})
export type ImportMappingAnswer = z.output<typeof ImportMappingAnswer>

const list = {
  name: 'Client list',
  model: 'clients',
  mapping: { 'Customer no.': 'id', Name: 'name', 'E-Mail': 'email' },
  mode: 'upsert' as const,
  key: 'id',
}
const other = { ...list, name: 'Mail addresses', mapping: { Name: 'name', 'E-Mail': 'email' }, key: 'email' }
const answer = {
  ...list,
  id: 1,
  format: null,
  sheet: null,
  is_legacy: false,
  owner: 1,
  problem: null,
  ...exampleTimes,
  version: 1,
}

/** Who may import into a table has the mappings of it. */
export const importMappingRoutes = objectRoutes({
  path: '/api/sys/import-mappings',
  tag: 'Import mappings',
  called: { one: 'import mapping', many: 'import mappings' },
  permission: signedIn,
  alsoFails: [403, 404],
  answer: ImportMappingAnswer,
  input: ImportMappingInput,
  change: ImportMappingChange,
  says: {
    create: {
      summary: 'Save the mapping of a file',
      description:
        'Which columns of a file are which fields, and how its rows are stored, under a name: `saved_mapping` of an import and of its preview uses it. Everybody who may import into a table saves mappings of it and uses those of others, but for those that name fields hidden from them. It is checked against the table as an import is. A taken name is 409.',
    },
    change: {
      description:
        'Members that are left out stay; null clears. A mapping is changed by its owner and by holders of `views.share`. `version`, when given, must be the current one (412).',
    },
    remove: { description: 'As a change. Imports that run go on.' },
  },
  examples: {
    create: { body: other, answer: { ...answer, ...other, id: 2 } },
    stored: answer,
    change: { key: 'email' },
  },
})
