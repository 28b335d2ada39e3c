import { ForbiddenHost } from '../../../kernel/addresses/public-address.ts'
import { log } from '../../../kernel/runtime/log.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import type { FetchPublic } from '../../../platform/net/guarded-request.ts'
import { type FileStorage, storeFile } from '../../../tables/files/store-file.ts'
import type { Attachment } from '../../incoming-messages/message.ts'
import type { BotAnswer, BotFileAddress, CallBot } from '../bot-api.ts'
import { asMembers, idOf, memberOf, type Members, messageKinds, textOf, type Update } from './read-update.ts'

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

/** How long a download may take, and how large a file a bot may fetch (Bot API, getFile). */
export const botFileLimits = { timeoutMs: 15_000, maxBytes: 20 * 1024 * 1024 } as const
/** How often, with these waits before: a file that is not there then is given up, so that its message is processed. */
const waitsMs = [0, 500, 2_000]
/** No attempt begins later than this, so that all of them end within the time of the function. */
const patienceMs = 5_000

export interface FetchDependencies extends FileStorage {
  readonly clock: Clock
  readonly callBot: CallBot
  readonly fileAddress: BotFileAddress
  /** Downloads within `botFileLimits`. */
  readonly fetchPublic: FetchPublic
}

type Bot = Parameters<CallBot>[0]
type Fetched = { readonly bytes: Uint8Array } | { readonly problem: string; readonly isFinal: boolean }

const tooLarge = 'The file is larger than 20 MB: the messenger gives no larger ones to bots.'

/** Fetches and stores a file that was sent to a bot. Answers it without a path, and why, when that cannot be done. */
export async function fetchFile(
  services: FetchDependencies,
  tenant: TenantRef,
  bot: Bot,
  { fileId, name, contentType, size }: SentFile,
): Promise<Attachment> {
  const fetched: Fetched =
    size > botFileLimits.maxBytes ? { problem: tooLarge, isFinal: true } : await fetchPatiently(services, bot, fileId)
  if ('bytes' in fetched) {
    const kept = await storeFile(services, tenant, { name, contentType, bytes: fetched.bytes })
    return { name: kept.name, content_type: kept.contentType, size: kept.size, path: kept.path }
  }
  const { problem } = fetched
  log.warn('a file of a message was not fetched', { problem })
  return { name: name.slice(0, 200).toWellFormed(), content_type: contentType, size, path: null, problem }
}

async function fetchPatiently(services: FetchDependencies, bot: Bot, fileId: string): Promise<Fetched> {
  const startMs = services.clock.now()
  let fetched: Fetched = { problem: '', isFinal: false }
  for (const waitMs of waitsMs) {
    if (services.clock.now() + waitMs - startMs > patienceMs) break
    await services.clock.sleep(waitMs)
    fetched = await fetchOnce(services, bot, fileId)
    if ('bytes' in fetched || fetched.isFinal) break
  }
  return fetched
}

async function fetchOnce(
  { callBot, fileAddress, fetchPublic }: FetchDependencies,
  bot: Bot,
  fileId: string,
): Promise<Fetched> {
  try {
    const answer = await callBot(bot, 'getFile', { file_id: fileId })
    if (!answer.isOk) return refusalOf(answer)
    const path = textOf(asMembers(answer.result), 'file_path')
    const address = path === undefined ? undefined : fileAddress(bot, path)
    if (address === undefined) return { problem: 'The messenger names no file to fetch.', isFinal: true }
    const response = await fetchPublic(address)
    if (response.status === 200) return { bytes: new Uint8Array(await response.arrayBuffer()) }
    return { problem: `The messenger answered ${response.status} for the file.`, isFinal: response.status < 500 }
  } catch (error) {
    // The address holds the token, so the error is not passed on.
    return error instanceof ForbiddenHost
      ? { problem: 'The server of the messenger may not be reached: check config.api_base.', isFinal: true }
      : { problem: 'The messenger did not send the file.', isFinal: false }
  }
}

function refusalOf({ status, description }: BotAnswer): Fetched {
  if (/too big/i.test(description)) return { problem: tooLarge, isFinal: true }
  const said = description === '' ? '' : `: ${description}`
  return { problem: `The messenger refused the file (${status})${said}.`, isFinal: status < 500 && status !== 429 }
}
