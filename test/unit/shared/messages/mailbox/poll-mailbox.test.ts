import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  day,
  mail,
  type PolledMailbox,
  polledMailbox,
  start,
} from '../../../../make/services/mailboxes/polled-mailbox.ts'

let desk: PolledMailbox

beforeAll(async () => {
  desk = await polledMailbox()
})
afterAll(() => desk.close())
beforeEach(() => desk.reset())

describe('a poll', () => {
  it('stores every mail of the folder the first time, in the order of UIDs, and then only new ones', async () => {
    for (const n of [1, 2, 3]) desk.mailbox.put(mail(n), { at: start - n * 400 * day })
    expect(await desk.taken()).toEqual({ fetched: 3, created: 3, skipped: 0, remaining: 0 })
    expect(await desk.taken()).toEqual({ fetched: 0, created: 0, skipped: 0, remaining: 0 })
    desk.mailbox.put(mail(4))
    expect(await desk.taken()).toMatchObject({ fetched: 1, created: 1 })
    expect(desk.subjects()).toEqual(['mail 1', 'mail 2', 'mail 3', 'mail 4'])
  })

  it('stores two equal mails as two', async () => {
    desk.mailbox.put(mail(1))
    desk.mailbox.put(mail(1))
    expect(await desk.taken()).toMatchObject({ created: 2 })
  })

  it('ends at its limits, and the next one goes on', async () => {
    for (let n = 1; n <= 7; n += 1) desk.mailbox.put(mail(n))
    expect(await desk.taken({ mails: 3 })).toEqual({ fetched: 3, created: 3, skipped: 0, remaining: 4 })
    expect(await desk.taken({ bytes: 2 * mail(1).length })).toEqual({
      fetched: 2,
      created: 2,
      skipped: 0,
      remaining: 2,
    })
    expect(await desk.taken({ beginUntilMs: desk.now })).toEqual({ fetched: 0, created: 0, skipped: 0, remaining: 2 })
    expect(await desk.taken()).toMatchObject({ created: 2, remaining: 0 })
    expect(desk.subjects()).toEqual([1, 2, 3, 4, 5, 6, 7].map((n) => `mail ${n}`))
  })

  it('skips mails that are removed while it runs, also the last one', async () => {
    for (const n of [1, 2, 3]) desk.mailbox.put(mail(n))
    desk.mailbox.before = (request, uid) => {
      if (request === 'head' && uid === 2) desk.mailbox.remove(2)
      if (request === 'all' && uid === 3) desk.mailbox.remove(3)
    }
    expect(await desk.taken()).toEqual({ fetched: 1, created: 1, skipped: 2, remaining: 0 })
    expect((await desk.row()).watermark?.lastUid).toBe(3)
  })

  it('stores a mail of more than 25 MB by its headers, and says so', async () => {
    desk.mailbox.put(mail(1), { sizeBytes: 30 * 1024 * 1024 })
    desk.mailbox.put(Buffer.concat([Buffer.from(mail(2)), Buffer.alloc(26 * 1024 * 1024)]), { sizeBytes: 10 })
    desk.mailbox.put(mail(3))
    expect(await desk.taken({ bytes: 200 * 1024 * 1024 })).toMatchObject({ created: 3 })
    expect(desk.stored.map(({ problem }) => problem !== undefined)).toEqual([true, true, false])
    expect(desk.stored[1]?.raw).toEqual(Buffer.from('Subject: mail 2\r\n\r\n'))
    expect(desk.stored[0]?.problem).toContain('25 MB')
  })
})

describe('when the mails got new UIDs, a poll', () => {
  it('stores none again, whatever their order, and those it did not know', async () => {
    for (const n of [1, 2, 2, 3]) desk.mailbox.put(mail(n), { at: start - n * day })
    await desk.poll()
    desk.mailbox.put(mail(4), { at: start })
    desk.mailbox.put(mail(2), { at: start })
    desk.mailbox.remove(1)
    desk.mailbox.renumber()
    expect(await desk.taken({ mails: 2 })).toMatchObject({ created: 0, skipped: 2, remaining: 3 })
    expect(await desk.taken()).toEqual({ fetched: 3, created: 2, skipped: 1, remaining: 0 })
    desk.mailbox.put(mail(3))
    expect(await desk.taken()).toMatchObject({ created: 1 })
    desk.mailbox.renumber()
    expect(await desk.taken()).toEqual({ fetched: 6, created: 0, skipped: 6, remaining: 0 })
    expect(desk.subjects().toSorted()).toEqual(['mail 1', 'mail 2', 'mail 2', 'mail 2', 'mail 3', 'mail 3', 'mail 4'])
  })

  it('looks only at mails that arrived since some days before the newest one', async () => {
    for (const n of [1, 2, 3]) desk.mailbox.put(mail(n), { at: start - (3 - n) * 10 * day })
    await desk.poll()
    desk.mailbox.renumber()
    expect(await desk.taken()).toEqual({ fetched: 1, created: 0, skipped: 1, remaining: 0 })
    expect((await desk.row()).watermark?.lastUid).toBe(3)
  })

  it('looks at all mails of another folder, and stores none that was copied there', async () => {
    for (const n of [1, 2]) desk.mailbox.put(mail(n), { at: start - 400 * day })
    await desk.poll()
    desk.mailbox.put(mail(0), { at: start - 900 * day })
    desk.settings.IMAP_MAILBOX = 'Archive'
    expect(await desk.taken()).toEqual({ fetched: 3, created: 1, skipped: 2, remaining: 0 })
  })
})
