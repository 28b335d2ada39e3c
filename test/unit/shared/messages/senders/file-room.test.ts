import { expect, it, vi } from 'vitest'
import { maxMailedFilesBytes } from '../../../../../shared/kernel/limits/files.ts'
import { withRoom } from '../../../../../shared/messages/senders/file-room.ts'

const sending = (bytes: number) => {
  let end: () => void = () => {}
  let hasBegun = false
  const sent = withRoom(bytes, () => {
    hasBegun = true
    return new Promise<string>((resolve) => (end = () => resolve('sent')))
  })
  return { sent, end: () => end(), hasBegun: () => hasBegun }
}
const settle = () => new Promise((resolve) => setImmediate(resolve))

it('has the files of two large mails in memory at a time, and the next as soon as one has left', async () => {
  const mails = [1, 2, 3].map(() => sending(maxMailedFilesBytes))
  await settle()
  expect(mails.map(({ hasBegun }) => hasBegun())).toEqual([true, true, false])
  mails[1]?.end()
  expect(await mails[1]?.sent).toBe('sent')
  await settle()
  expect(mails[2]?.hasBegun()).toBe(true)
  for (const mail of mails) mail.end()
  expect(await mails[2]?.sent).toBe('sent')
})

it('gives up on one that waits for long, so that it is tried again within its lease', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const mails = [1, 2, 3].map(() => sending(maxMailedFilesBytes))
  await vi.advanceTimersByTimeAsync(20_000)
  expect(await mails[2]?.sent).toBe(undefined)
  for (const mail of mails) mail.end()
  await mails[0]?.sent
  await mails[1]?.sent
  vi.useRealTimers()
  expect(await withRoom(1, async () => 'sent')).toBe('sent')
})
