import { asMembers, idOf, memberOf, type Members, textOf } from './member-of.ts'
import type { Update } from './read-update.ts'
import { messageKinds } from './update-kinds.ts'

/** A file that somebody sent, as the message describes it. */
export interface SentFile {
  readonly fileId: string
  readonly name: string
  readonly contentType: string
  /** 0 when the message does not say. */
  readonly size: number
}

/** The members of a message that are a file, with the type and the ending of those that name none. */
const fileMembers: Readonly<Record<string, readonly [type: string, ending: string]>> = {
  document: ['application/octet-stream', 'bin'],
  audio: ['audio/mpeg', 'mp3'],
  voice: ['audio/ogg', 'ogg'],
  video: ['video/mp4', 'mp4'],
  video_note: ['video/mp4', 'mp4'],
  animation: ['video/mp4', 'mp4'],
}

/** The files of a message, each once. Of a photo, which comes in several sizes, the largest. */
export function filesOfUpdate({ kind, content }: Update): SentFile[] {
  if (!content || !messageKinds.has(kind)) return []
  const found = [
    ...Object.entries(fileMembers).flatMap(([member, [type, ending]]) =>
      fileOf(memberOf(content, member), member, type, ending),
    ),
    ...fileOf(largest(content.photo), 'photo', 'image/jpeg', 'jpg'),
    ...stickerOf(memberOf(content, 'sticker')),
  ]
  // An animation stands in a message as a document, too.
  return found.filter((file, index) => found.findIndex(({ fileId }) => fileId === file.fileId) === index)
}

function stickerOf(sticker: Members | undefined): SentFile[] {
  if (sticker?.is_animated === true) return fileOf(sticker, 'sticker', 'application/gzip', 'tgs')
  return sticker?.is_video === true
    ? fileOf(sticker, 'sticker', 'video/webm', 'webm')
    : fileOf(sticker, 'sticker', 'image/webp', 'webp')
}

function fileOf(file: Members | undefined, member: string, type: string, ending: string): SentFile[] {
  const fileId = textOf(file, 'file_id')
  if (fileId === undefined) return []
  const contentType = textOf(file, 'mime_type') ?? type
  return [{ fileId, name: textOf(file, 'file_name') ?? `${member}.${ending}`, contentType, size: sizeOf(file) }]
}

const sizeOf = (file: Members | undefined): number => Number(idOf(file, 'file_size') ?? 0)

function largest(sizes: unknown): Members | undefined {
  if (!Array.isArray(sizes)) return undefined
  const known = (sizes as unknown[]).map(asMembers).filter((size) => size !== undefined)
  const area = (size: Members): number => Number(size.width) * Number(size.height) || 0
  return known.toSorted((one, other) => area(other) - area(one))[0]
}
