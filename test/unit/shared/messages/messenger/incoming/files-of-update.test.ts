import { expect, it } from 'vitest'
import { botFileAddresses } from '../../../../../../shared/messages/messenger/bot-api.ts'
import { filesOfUpdate } from '../../../../../../shared/messages/messenger/incoming/files-of-update.ts'
import { readUpdate } from '../../../../../../shared/messages/messenger/incoming/read-update.ts'

const file = (more: object = {}) => ({ file_id: 'f', file_unique_id: 'u', ...more })
const size = (width: number, height: number) => ({ file_id: `${width}`, width, height, file_size: width })
const filesIn = (message: object) =>
  filesOfUpdate(readUpdate({ update_id: 1, message: { chat: { id: 1 }, ...message } }))

it.each<[string, object, string, string, number]>([
  [
    'a document',
    { document: file({ file_name: 'a.pdf', mime_type: 'application/pdf', file_size: 9 }) },
    'a.pdf',
    'application/pdf',
    9,
  ],
  ['a document without a name', { document: file() }, 'document.bin', 'application/octet-stream', 0],
  [
    'the largest size of a photo',
    { photo: [size(90, 90), size(1280, 960), size(320, 240)] },
    'photo.jpg',
    'image/jpeg',
    1280,
  ],
  ['a voice message', { voice: file({ mime_type: 'audio/ogg' }) }, 'voice.ogg', 'audio/ogg', 0],
  ['music', { audio: file({ file_name: 'song.m4a', mime_type: 'audio/mp4' }) }, 'song.m4a', 'audio/mp4', 0],
  ['a video', { video: file({ file_size: '12' }) }, 'video.mp4', 'video/mp4', 12],
  ['a round video', { video_note: file() }, 'video_note.mp4', 'video/mp4', 0],
  [
    'an animation, once',
    { animation: file(), document: file({ file_name: 'a.mp4', mime_type: 'video/mp4' }) },
    'a.mp4',
    'video/mp4',
    0,
  ],
  ['a sticker', { sticker: file() }, 'sticker.webp', 'image/webp', 0],
  ['an animated sticker', { sticker: file({ is_animated: true }) }, 'sticker.tgs', 'application/gzip', 0],
  ['a video sticker', { sticker: file({ is_video: true }) }, 'sticker.webm', 'video/webm', 0],
])('%s is a file', (_what, message, name, contentType, bytes) => {
  expect(filesIn(message)).toMatchObject([{ name, contentType, size: bytes }])
})

it.each<[string, object]>([
  ['a text', { text: 'x' }],
  ['a file without an id', { document: { file_name: 'a' } }],
  ['a photo without sizes', { photo: [] }],
  ['a photo of nonsense', { photo: [null, 4, 'x', {}] }],
  ['the file of the message that is answered', { reply_to_message: { document: file() } }],
])('%s has none', (_what, message) => {
  expect(filesIn(message)).toEqual([])
})

it('the address of a file leads to the server of the bot only', () => {
  const addressOf = botFileAddresses()
  const bot = { bot_token: '4711:AAE-secret' }
  expect(addressOf(bot, 'photos/file 1.jpg')).toBe(
    'https://api.telegram.org/file/bot4711:AAE-secret/photos/file%201.jpg',
  )
  expect(addressOf({ ...bot, api_base: 'http://127.0.0.1:8081/' }, 'a')).toBe(
    'http://127.0.0.1:8081/file/bot4711:AAE-secret/a',
  )
  for (const path of ['../bot4711:AAE-secret/close', 'a/../../b', 'a?b', 'a#b', '', 'http://x'])
    expect(addressOf(bot, path)).toBeUndefined()
  expect(addressOf({ bot_token: 'x/../y' }, 'a')).toBeUndefined()
})
