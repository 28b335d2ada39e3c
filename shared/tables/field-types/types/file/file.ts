import * as z from 'zod'
import { say } from '../../../../kernel/failures/sentence.ts'
import { maxFilePathCharacters, maxFilesPerField } from '../../../../kernel/limits/records.ts'
import { schemaAt } from '../../../../platform/http/openapi/document-types.ts'
import { defineFieldType } from '../../declaration.ts'
import { jsonInCell } from '../json-in-cell.ts'

export const file = defineFieldType({
  description: 'The path of an uploaded file, or with `multiple` a list of them.',
  properties: { multiple: z.boolean().optional() },
  mayBeUnique: false,
  check({ name, multiple }, value) {
    if (isPath(value)) return { value }
    if (!Array.isArray(value) || !value.every(isPath)) return { error: say('not_files', { field: name }) }
    if (!multiple && value.length > 1) return { error: say('only_one_file', { field: name }) }
    if (value.length > maxFilesPerField) return { error: say('too_many_files', { field: name, max: maxFilesPerField }) }
    if (new Set(value).size < value.length) return { error: say('file_twice', { field: name }) }
    return { value }
  },
  kind: 'text',
  files: 'any',
  reference: {
    value: schemaAt('FilePaths'),
    hidesDefault: true,
    shared: {
      FilePaths: {
        description: 'The path of an uploaded file, or up to 50 distinct ones where the field takes several.',
        anyOf: [
          { type: 'string', minLength: 1, maxLength: 1024 },
          { type: 'array', maxItems: 50, items: { type: 'string', minLength: 1, maxLength: 1024 } },
        ],
      },
    },
  },
  example: ({ multiple }) => (multiple ? [examplePath] : examplePath),
  scriptType: ({ multiple }) => (multiple ? 'string[]' : 'string'),
  /** One path, or a JSON array of them, as an export writes several. */
  readCell: (_, text) => (text.trimStart().startsWith('[') ? jsonInCell(text) : text.trim()),
  /** A field of one file takes the first. */
  readMessage({ multiple }, value) {
    const paths = attachmentsIn(value)
      .map(pathOf)
      .filter((path) => path !== null)
    const [first] = paths
    return first === undefined || !multiple ? first : [...new Set(paths)]
  },
})

/** Whether a value may be the path of an uploaded file. */
export const isPath = (value: unknown): boolean =>
  typeof value === 'string' &&
  value !== '' &&
  value.length <= maxFilePathCharacters &&
  !/\p{Cc}/u.test(value) &&
  !value.split('/').includes('..')

/** What a message has in the place of files: attachments, or paths. */
export const attachmentsIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])

/** The path of an attachment, null when its file could not be fetched; any other value stays, and the check refuses it. */
export const pathOf = (one: unknown): unknown =>
  typeof one === 'object' && one !== null && 'path' in one ? one.path : one

export const examplePath = 'the path that an upload answers'
