import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { mailboxKey } from '../../../../../shared/platform/store/keys/messages/mailbox.ts'
import type { Store } from '../../../../../shared/platform/store/store.ts'
import { brokenConnection } from '../../../../make/services/mailboxes/memory-mailbox.ts'
import { mail, type PolledMailbox, polledMailbox } from '../../../../make/services/mailboxes/polled-mailbox.ts'

let desk: PolledMailbox

beforeAll(async () => {
  desk = await polledMailbox()
})
afterAll(() => desk.close())
beforeEach(() => desk.reset())

describe('a mail server that fails', () => {
  it('is asked again after 1, 2, 4 ... 60 minutes; administrators are told once, and when it works again', async () => {
    desk.mailbox.before = brokenConnection
    const pauses: number[] = []
    for (let n = 0; n < 9; n += 1) {
      expect(await desk.poll()).toMatchObject({ kind: 'failed' })
      const item = await desk.table.store.get(desk.tenant, mailboxKey(desk.tenant))
      pauses.push((Date.parse(String(item?.s20).split('#')[0] as string) - desk.now) / 60_000)
    }
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60])
    expect(desk.told).toEqual(['The mailbox cannot be fetched'])
    desk.mailbox.before = () => {}
    await desk.poll()
    await desk.poll()
    expect(desk.told).toEqual(['The mailbox cannot be fetched', 'The mailbox is fetched again'])
    expect(await desk.row()).toMatchObject({ failures: 0, hasWorked: true, isTold: false })
  })

  it('is not told of when nobody has named a mailbox', async () => {
    desk.settings = { MAIL_HOST: 'smtp.example.com', MAIL_USERNAME: 'desk', MAIL_PASSWORD: 'x' }
    desk.mailbox.before = brokenConnection
    const mailboxes = desk.dependencies()
    const list = mailboxes.config.list
    const withoutImap = {
      ...mailboxes,
      config: {
        list: (async (...given: Parameters<typeof list>) => (await list(...given)).slice(0, -1)) as typeof list,
      },
    }
    for (let n = 0; n < 9; n += 1) expect(await desk.poll({}, withoutImap)).toMatchObject({ kind: 'failed' })
    expect(desk.told).toEqual([])
  })

  it('keeps what was stored before it failed', async () => {
    for (const n of [1, 2, 3]) desk.mailbox.put(mail(n))
    desk.mailbox.before = (request, uid) => (request === 'all' && uid === 3 ? brokenConnection() : undefined)
    expect(await desk.poll()).toMatchObject({ kind: 'failed' })
    expect(await desk.row()).toMatchObject({ failures: 1, tries: 1, watermark: { lastUid: 2 } })
    desk.mailbox.before = () => {}
    await desk.poll()
    expect(desk.subjects()).toEqual(['mail 1', 'mail 2', 'mail 3'])
  })

  it('does not hold up what follows a mail that it cannot read', async () => {
    for (const n of [1, 2, 3]) desk.mailbox.put(mail(n))
    desk.mailbox.before = (request, uid) => (request !== 'head' && uid === 2 ? brokenConnection() : undefined)
    for (let n = 0; n < 7; n += 1) await desk.poll()
    expect(desk.stored.map(({ raw, problem }) => [raw !== null, problem])).toEqual([
      [true, undefined],
      [false, 'The mail could not be read in the mailbox.'],
      [true, undefined],
    ])
  })
})

describe('the lease of a mailbox', () => {
  it('lets one poll at a time fetch it', async () => {
    desk.mailbox.put(mail(1))
    const during: unknown[] = []
    desk.mailbox.before = async (request) => {
      if (request === 'all') during.push(await desk.poll())
    }
    await desk.poll()
    expect(during).toEqual([{ kind: 'busy' }])
    expect(desk.stored).toHaveLength(1)
  })

  it('is taken over when it expires: the former poll stores nothing any more', async () => {
    for (const n of [1, 2]) desk.mailbox.put(mail(n))
    desk.mailbox.before = async (request, uid) => {
      if (request !== 'all' || uid !== 2) return
      desk.mailbox.before = () => {}
      desk.now += 20_000
      expect(await desk.taken()).toMatchObject({ created: 1 })
    }
    expect(await desk.poll()).toEqual({ kind: 'busy' })
    expect(desk.subjects()).toEqual(['mail 1', 'mail 2'])
  })

  it('counts a function that died as a failed try of the next mail', async () => {
    desk.mailbox.put(mail(1))
    const dying = desk.dependencies()
    for (let n = 0; n < 4; n += 1) {
      void desk.poll({}, { ...dying, storeMail: () => new Promise(() => {}) })
      await expect.poll(async () => (await desk.row()).tries).toBe(n)
      await expect.poll(async () => (await desk.row()).lease !== undefined).toBe(true)
      desk.now += 20_000
    }
    await desk.poll()
    expect(desk.stored).toMatchObject([{ problem: expect.stringContaining('could not be read') }])
  })
})

it('stores each mail once when the service fails before or after any of its calls', async () => {
  let calls = 0
  const failing = (at: number, moment: 'before' | 'after'): Store =>
    desk.table.storeThrough(async (_operation, call) => {
      const isNow = (calls += 1) === at
      if (isNow && moment === 'before') throw new Error('crash before')
      const answer = await call()
      if (isNow) throw new Error('crash after')
      return answer
    })
  for (const moment of ['before', 'after'] as const) {
    let at = 0
    do {
      at += 1
      desk.moveToNextTenant()
      for (const n of [1, 1, 2]) desk.mailbox.put(mail(n))
      const gone = desk.mailbox.put(mail(3))
      desk.mailbox.before = (request, uid) =>
        request === 'all' && uid === gone ? desk.mailbox.remove(gone) : undefined
      calls = 0
      await desk.poll({}, desk.dependencies(failing(at, moment))).catch(() => undefined)
      // Every copy is met again, so a rescan shows whether they were counted as they were stored.
      desk.now += 20_000
      await desk.poll()
      desk.mailbox.renumber()
      await desk.poll()
      await desk.poll()
      expect((await desk.row()).watermark?.lastUid).toBe(3)
      expect(await desk.table.itemsOf(`T#${desk.tenant.id}#TEST`), `${moment} call ${at}`).toHaveLength(3)
    } while (calls >= at)
    expect(at).toBe(9)
  }
})
