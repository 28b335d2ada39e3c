import { say } from '../../../../kernel/failures/sentence.ts'
import { defineFieldType } from '../../declaration.ts'
import { attachmentsIn, examplePath, isPath, pathOf } from './file.ts'

export const image = defineFieldType({
  description: 'The path of an uploaded image.',
  properties: {},
  mayBeUnique: false,
  check: ({ name }, value) => (isPath(value) ? { value } : { error: say('not_file', { field: name }) }),
  kind: 'text',
  files: 'images',
  reference: { value: { type: 'string' } },
  example: () => examplePath,
  scriptType: () => 'string',
  readCell: (_, text) => text.trim(),
  /** The first attachment that is an image, or a path. */
  readMessage(_, value) {
    const found = attachmentsIn(value).find(isImage)
    return found === undefined ? undefined : (pathOf(found) ?? undefined)
  },
})

const isImage = (one: unknown): boolean =>
  typeof one !== 'object' || String((one as { content_type?: unknown } | null)?.content_type).startsWith('image/')
