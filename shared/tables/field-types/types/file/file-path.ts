import { maxFilePathCharacters } from '../../../../kernel/limits/records.ts'

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
