import { expect, it } from 'vitest'
import { ForbiddenHost } from '../../../../../../shared/kernel/addresses/public-address.ts'
import type { BotAnswer } from '../../../../../../shared/messages/messenger/bot-api.ts'
import { fetchFile } from '../../../../../../shared/messages/messenger/incoming/files-of-update.ts'
import { frozenClock } from '../../../../../make/builders/frozen-clock.ts'

type Step = Partial<BotAnswer> | Error | 'gone' | 'down' | 'content'
const named = { result: { file_path: 'documents/a.txt' } }

/** Fetches a file while the server of the bot does one thing after the other. */
async function fetchThrough(steps: readonly Step[], { size = 5, slowMs = 0 } = {}) {
  const clock = frozenClock()
  const stored: string[] = []
  const left = [...steps]
  const next = (): Step => {
    clock.advance(slowMs)
    return left.shift() ?? new Error('nothing more was expected')
  }
  const attachment = await fetchFile(
    {
      clock: { ...clock, now: clock.now, sleep: async (ms) => void clock.advance(ms) },
      store: { write: async () => {} } as never,
      putObject: async (path, body) => void stored.push(`${path} ${Buffer.from(body)}`),
      fileAddress: () => 'https://bots.example.com/file',
      callBot: async () => {
        const step = left[0] === 'content' || left[0] === 'gone' || left[0] === 'down' ? named : next()
        if (step instanceof Error) throw step
        return { status: 200, isOk: true, description: '', ...(step as Partial<BotAnswer>) }
      },
      fetchPublic: async () => {
        const step = next()
        if (step instanceof Error) throw step
        const status = step === 'content' ? 200 : step === 'gone' ? 404 : 502
        return new Response(step === 'content' ? 'Hello' : null, { status })
      },
    },
    { id: 1 },
    { bot_token: '1:a' },
    { fileId: 'f', name: 'a.txt', contentType: 'text/plain', size },
  )
  return { attachment, stored, left: left.length }
}

it.each<[string, Step[]]>([
  ['at once', ['content']],
  ['after a failure of the server', [{ isOk: false, status: 502 }, 'down', 'content']],
  ['after a broken connection', [new Error('ECONNRESET'), 'content']],
  ['after a pause that the server asked for', [{ isOk: false, status: 429 }, 'content']],
])('a file is stored %s', async (_what, steps) => {
  const { attachment, stored } = await fetchThrough(steps)
  expect(attachment).toMatchObject({ name: 'a.txt', content_type: 'text/plain', size: 5 })
  expect(stored).toEqual([`${attachment.path} Hello`])
})

it.each<[string, Step[], RegExp]>([
  [
    'is refused',
    [{ isOk: false, status: 400, description: 'Bad Request: invalid file_id' }],
    /refused.*invalid file_id/,
  ],
  ['is too big', [{ isOk: false, status: 400, description: 'Bad Request: file is too big' }], /larger than 20 MB/],
  ['is gone', ['gone'], /answered 404/],
  ['has no address', [{ result: {} }], /names no file/],
  ['is on a private host', [new ForbiddenHost('10.0.0.1')], /may not be reached/],
  ['never comes', ['down', 'down', 'down'], /answered 502/],
])('a file that %s is noted with the reason', async (_what, steps, problem) => {
  const { attachment, stored, left } = await fetchThrough(steps)
  expect(attachment).toEqual({
    name: 'a.txt',
    content_type: 'text/plain',
    size: 5,
    path: null,
    problem: expect.stringMatching(problem),
  })
  expect([stored, left]).toEqual([[], 0])
})

it('a file that is too large by its own account is not asked for', async () => {
  const { attachment, left } = await fetchThrough(['content'], { size: 30_000_000 })
  expect([attachment.problem, left]).toEqual([expect.stringContaining('20 MB'), 1])
})

it('a slow server is not asked again, so that the message goes on', async () => {
  const { attachment, left } = await fetchThrough(['down', 'content'], { slowMs: 6_000 })
  expect([attachment.path, left]).toEqual([null, 1])
})
