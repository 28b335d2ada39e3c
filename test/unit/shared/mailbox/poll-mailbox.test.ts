import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Tenant } from '../../../../shared/kernel/tenancy.ts'
import type { PollDependencies } from '../../../../shared/mailbox/dependencies.ts'
import type { ReceivedMail } from '../../../../shared/mailbox/mail/store-mail.ts'
import { readMailbox } from '../../../../shared/mailbox/mailbox-row.ts'
import { pollMailbox } from '../../../../shared/mailbox/poll/poll-mailbox.ts'
import { singleKey } from '../../../../shared/store/keys/key.ts'
import { mailboxKey } from '../../../../shared/store/keys/mailbox.ts'
import type { Store } from '../../../../shared/store/store.ts'
import { brokenConnection, type MemoryMailbox, memoryMailbox } from '../../../make/services/memory-mailbox.ts'
import { openSingleTable, type SingleTable } from '../../../make/services/single-table.ts'

const day = 24 * 60 * 60_000
const start = Date.parse('2026-11-20T08:00:00Z')
const mail = (n: number): string => `Subject: mail ${n}\r\n\r\nThe text of mail ${n}.\r\n`

let table: SingleTable
let tenants = 0
let tenant: Tenant
let now: number
let mailbox: MemoryMailbox
let told: string[]
let settings: Record<string, string>
let stored: ReceivedMail[]

beforeAll(async () => (table = await openSingleTable()))
afterAll(() => table.close())
beforeEach(() => {
  tenant = { id: ++tenants, slug: `t${tenants}`, name: 'Acme', configVersion: 1 }
  ;[now, told, stored, mailbox] = [start, [], [], memoryMailbox()]
  settings = { IMAP_HOST: 'imap.example.com', IMAP_USERNAME: 'desk', MAIL_FROM_NAME: 'Acme' }
})

const subjects = (): string[] => stored.map(({ raw }) => /^Subject: (.*)\r$/m.exec(String(raw))?.[1] ?? '')
const row = async () => readMailbox(await table.store.get(tenant, mailboxKey(tenant)))

/** Messages are counted once their transaction is committed. */
function dependencies(store: Pick<Store, 'get' | 'write' | 'transact'> = table.store): PollDependencies {
  const rows = Object.entries(settings).map(([name, value]) => ({ name, version: 1, doc: value }))
  return {
    store,
    clock: {
      now: () => now,
      sleep: async () => {},
      random: () => 0,
      uuid: () => crypto.randomUUID(),
      bytes: Buffer.alloc,
    },
    config: {
      list: (async (_tenant: unknown, _kind: unknown, read: (one: unknown) => unknown) => [
        ...rows.map(read),
        read({ name: 'IMAP_PASSWORD', version: 1, doc: { sealed: 'x' } }),
      ]) as unknown as PollDependencies['config']['list'],
    },
    secrets: async () => ({ open: async () => 'secret of the desk', seal: async () => '' }),
    accessToken: async () => 'token',
    openMailbox: () => mailbox.open(),
    async storeMail(_tenant, received, extraWrites) {
      const key = singleKey(`T#${tenant.id}#TEST#${crypto.randomUUID()}`)
      await store.transact(tenant, [{ put: { ...key, kind: 'test', v: 1 } }, ...extraWrites], crypto.randomUUID())
      stored.push(received)
      return 'stored'
    },
    tellAdministrators: async (_tenant, { title }) => void told.push(title),
    wake: async () => {},
  }
}
const poll = (limits = {}, deps = dependencies()) =>
  pollMailbox(
    deps,
    tenant,
    { mails: 50, bytes: 25 * 1024 * 1024, beginUntilMs: now + 40_000, ...limits },
    AbortSignal.timeout(10_000),
  )
const taken = async (limits = {}) => {
  const outcome = await poll(limits)
  return outcome.kind === 'polled' ? outcome.taken : outcome
}

describe('a poll', () => {
  it('stores every mail of the folder the first time, in the order of UIDs, and then only new ones', async () => {
    for (const n of [1, 2, 3]) mailbox.put(mail(n), { at: start - n * 400 * day })
    expect(await taken()).toEqual({ fetched: 3, created: 3, skipped: 0, remaining: 0 })
    expect(await taken()).toEqual({ fetched: 0, created: 0, skipped: 0, remaining: 0 })
    mailbox.put(mail(4))
    expect(await taken()).toMatchObject({ fetched: 1, created: 1 })
    expect(subjects()).toEqual(['mail 1', 'mail 2', 'mail 3', 'mail 4'])
  })

  it('stores two equal mails as two', async () => {
    mailbox.put(mail(1))
    mailbox.put(mail(1))
    expect(await taken()).toMatchObject({ created: 2 })
  })

  it('ends at its limits, and the next one goes on', async () => {
    for (let n = 1; n <= 7; n += 1) mailbox.put(mail(n))
    expect(await taken({ mails: 3 })).toEqual({ fetched: 3, created: 3, skipped: 0, remaining: 4 })
    expect(await taken({ bytes: 2 * mail(1).length })).toEqual({ fetched: 2, created: 2, skipped: 0, remaining: 2 })
    expect(await taken({ beginUntilMs: now })).toEqual({ fetched: 0, created: 0, skipped: 0, remaining: 2 })
    expect(await taken()).toMatchObject({ created: 2, remaining: 0 })
    expect(subjects()).toEqual([1, 2, 3, 4, 5, 6, 7].map((n) => `mail ${n}`))
  })

  it('skips mails that are removed while it runs, also the last one', async () => {
    for (const n of [1, 2, 3]) mailbox.put(mail(n))
    mailbox.before = (request, uid) => {
      if (request === 'head' && uid === 2) mailbox.remove(2)
      if (request === 'all' && uid === 3) mailbox.remove(3)
    }
    expect(await taken()).toEqual({ fetched: 1, created: 1, skipped: 2, remaining: 0 })
    expect((await row()).watermark?.lastUid).toBe(3)
  })

  it('stores a mail of more than 25 MB by its headers, and says so', async () => {
    mailbox.put(mail(1), { sizeBytes: 30 * 1024 * 1024 })
    mailbox.put(Buffer.concat([Buffer.from(mail(2)), Buffer.alloc(26 * 1024 * 1024)]), { sizeBytes: 10 })
    mailbox.put(mail(3))
    expect(await taken({ bytes: 200 * 1024 * 1024 })).toMatchObject({ created: 3 })
    expect(stored.map(({ problem }) => problem !== undefined)).toEqual([true, true, false])
    expect(stored[1]?.raw).toEqual(Buffer.from('Subject: mail 2\r\n\r\n'))
    expect(stored[0]?.problem).toContain('25 MB')
  })
})

describe('when the mails got new UIDs, a poll', () => {
  it('stores none again, whatever their order, and those it did not know', async () => {
    for (const n of [1, 2, 2, 3]) mailbox.put(mail(n), { at: start - n * day })
    await poll()
    mailbox.put(mail(4), { at: start })
    mailbox.put(mail(2), { at: start })
    mailbox.remove(1)
    mailbox.renumber()
    expect(await taken({ mails: 2 })).toMatchObject({ created: 0, skipped: 2, remaining: 3 })
    expect(await taken()).toEqual({ fetched: 3, created: 2, skipped: 1, remaining: 0 })
    mailbox.put(mail(3))
    expect(await taken()).toMatchObject({ created: 1 })
    mailbox.renumber()
    expect(await taken()).toEqual({ fetched: 6, created: 0, skipped: 6, remaining: 0 })
    expect(subjects().toSorted()).toEqual(['mail 1', 'mail 2', 'mail 2', 'mail 2', 'mail 3', 'mail 3', 'mail 4'])
  })

  it('looks only at mails that arrived since some days before the newest one', async () => {
    for (const n of [1, 2, 3]) mailbox.put(mail(n), { at: start - (3 - n) * 10 * day })
    await poll()
    mailbox.renumber()
    expect(await taken()).toEqual({ fetched: 1, created: 0, skipped: 1, remaining: 0 })
    expect((await row()).watermark?.lastUid).toBe(3)
  })

  it('looks at all mails of another folder, and stores none that was copied there', async () => {
    for (const n of [1, 2]) mailbox.put(mail(n), { at: start - 400 * day })
    await poll()
    mailbox.put(mail(0), { at: start - 900 * day })
    settings.IMAP_MAILBOX = 'Archive'
    expect(await taken()).toEqual({ fetched: 3, created: 1, skipped: 2, remaining: 0 })
  })
})

describe('a mail server that fails', () => {
  it('is asked again after 1, 2, 4 ... 60 minutes; administrators are told once, and when it works again', async () => {
    mailbox.before = brokenConnection
    const pauses: number[] = []
    for (let n = 0; n < 9; n += 1) {
      expect(await poll()).toMatchObject({ kind: 'failed' })
      const item = await table.store.get(tenant, mailboxKey(tenant))
      pauses.push((Date.parse(String(item?.s20).split('#')[0] as string) - now) / 60_000)
    }
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60])
    expect(told).toEqual(['The mailbox cannot be fetched'])
    mailbox.before = () => {}
    await poll()
    await poll()
    expect(told).toEqual(['The mailbox cannot be fetched', 'The mailbox is fetched again'])
    expect(await row()).toMatchObject({ failures: 0, hasWorked: true, isTold: false })
  })

  it('is not told of when nobody has named a mailbox', async () => {
    settings = { MAIL_HOST: 'smtp.example.com', MAIL_USERNAME: 'desk', MAIL_PASSWORD: 'x' }
    mailbox.before = brokenConnection
    const deps = dependencies()
    const list = deps.config.list
    const withoutImap = {
      ...deps,
      config: {
        list: (async (...given: Parameters<typeof list>) => (await list(...given)).slice(0, -1)) as typeof list,
      },
    }
    for (let n = 0; n < 9; n += 1) expect(await poll({}, withoutImap)).toMatchObject({ kind: 'failed' })
    expect(told).toEqual([])
  })

  it('keeps what was stored before it failed', async () => {
    for (const n of [1, 2, 3]) mailbox.put(mail(n))
    mailbox.before = (request, uid) => (request === 'all' && uid === 3 ? brokenConnection() : undefined)
    expect(await poll()).toMatchObject({ kind: 'failed' })
    expect(await row()).toMatchObject({ failures: 1, tries: 1, watermark: { lastUid: 2 } })
    mailbox.before = () => {}
    await poll()
    expect(subjects()).toEqual(['mail 1', 'mail 2', 'mail 3'])
  })

  it('does not hold up what follows a mail that it cannot read', async () => {
    for (const n of [1, 2, 3]) mailbox.put(mail(n))
    mailbox.before = (request, uid) => (request !== 'head' && uid === 2 ? brokenConnection() : undefined)
    for (let n = 0; n < 7; n += 1) await poll()
    expect(stored.map(({ raw, problem }) => [raw !== null, problem])).toEqual([
      [true, undefined],
      [false, 'The mail could not be read in the mailbox.'],
      [true, undefined],
    ])
  })
})

describe('the lease of a mailbox', () => {
  it('lets one poll at a time fetch it', async () => {
    mailbox.put(mail(1))
    const during: unknown[] = []
    mailbox.before = async (request) => {
      if (request === 'all') during.push(await poll())
    }
    await poll()
    expect(during).toEqual([{ kind: 'busy' }])
    expect(stored).toHaveLength(1)
  })

  it('is taken over when it expires: the former poll stores nothing any more', async () => {
    for (const n of [1, 2]) mailbox.put(mail(n))
    mailbox.before = async (request, uid) => {
      if (request !== 'all' || uid !== 2) return
      mailbox.before = () => {}
      now += 20_000
      expect(await taken()).toMatchObject({ created: 1 })
    }
    expect(await poll()).toEqual({ kind: 'busy' })
    expect(subjects()).toEqual(['mail 1', 'mail 2'])
  })

  it('counts a function that died as a failed try of the next mail', async () => {
    mailbox.put(mail(1))
    const dying = dependencies()
    for (let n = 0; n < 4; n += 1) {
      void poll({}, { ...dying, storeMail: () => new Promise(() => {}) })
      await expect.poll(async () => (await row()).tries).toBe(n)
      await expect.poll(async () => (await row()).lease !== undefined).toBe(true)
      now += 20_000
    }
    await poll()
    expect(stored).toMatchObject([{ problem: expect.stringContaining('could not be read') }])
  })
})

it('stores each mail once when the service fails before or after any of its calls', async () => {
  let calls = 0
  const failing = (at: number, moment: 'before' | 'after'): Store =>
    table.storeThrough(async (_operation, call) => {
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
      tenant = { ...tenant, id: ++tenants }
      mailbox = memoryMailbox()
      for (const n of [1, 1, 2]) mailbox.put(mail(n))
      const gone = mailbox.put(mail(3))
      mailbox.before = (request, uid) => (request === 'all' && uid === gone ? mailbox.remove(gone) : undefined)
      calls = 0
      await poll({}, dependencies(failing(at, moment))).catch(() => undefined)
      // Every copy is met again, so a rescan shows whether they were counted as they were stored.
      now += 20_000
      await poll()
      mailbox.renumber()
      await poll()
      await poll()
      expect((await row()).watermark?.lastUid).toBe(3)
      expect(await table.itemsOf(`T#${tenant.id}#TEST`), `${moment} call ${at}`).toHaveLength(3)
    } while (calls >= at)
    expect(at).toBe(9)
  }
})
