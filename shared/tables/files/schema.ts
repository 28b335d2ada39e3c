import * as z from 'zod'
import { maxFileBytes, maxGivenFileNameCharacters } from '../../kernel/limits/files.ts'
import { maxMessageFilePathCharacters } from '../../kernel/limits/incoming.ts'

const mediaType = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/

/** Whether a text is a media type, in lower case and without parameters. */
export const isMediaType = (text: string): boolean => mediaType.test(text)

export const NewFile = z.strictObject({
  name: z
    .string()
    .min(1)
    .max(maxGivenFileNameCharacters)
    .meta({ description: 'The name of the file for people. Characters that a path cannot hold are replaced.' }),
  content_type: z
    .string()
    .transform((type) => (type.split(';')[0] as string).trim().toLowerCase())
    .refine(isMediaType, { error: 'The content_type must be a media type, for example image/png.' })
    .meta({ type: 'string', description: 'Media type; the content must fit it.' }),
  size: z.int().min(1).max(maxFileBytes).meta({ description: 'Bytes, exactly; at most 100 MB.' }),
})
export type NewFile = z.output<typeof NewFile>

export const Upload = z.object({
  path: z.string().meta({ description: 'The value for a field of type file or image, once the file is uploaded.' }),
  upload: z.object({
    url: z.string(),
    method: z.literal('PUT'),
    headers: z.record(z.string(), z.string()).meta({ description: 'Send exactly these headers.' }),
    expires_at: z.string(),
  }),
})
export type Upload = z.output<typeof Upload>

export const Download = z.object({
  url: z.string().meta({
    description: 'Downloads the file, without a token, until it expires. Browsers save it and never open it.',
  }),
  name: z.string(),
  content_type: z.string(),
  size: z.int(),
  expires_at: z.string(),
})
export type Download = z.output<typeof Download>

/** A file where it is attached to something: in comments and messages. */
export const AttachedFile = z.object({
  path: z.string().meta({ description: '`GET /api/files?path=` answers where to download it.' }),
  name: z.string(),
  content_type: z.string(),
  size: z.int().meta({ description: 'Bytes.' }),
})
export type AttachedFile = z.output<typeof AttachedFile>

const Path = z.string().max(maxMessageFilePathCharacters)

/** A file to attach: its path, or an attachment as it was answered. */
export const FileToAttach = z
  .union([Path, z.looseObject({ path: Path })], {
    error: 'An attachment is the path of an uploaded file, or an attachment as it was answered.',
  })
  .transform((given) => (typeof given === 'string' ? given : given.path))
