/** A mailbox in memory, and the polls that store its mails for one tenant after another. */
import type { Tenant } from '../../../../shared/kernel/tenancy.ts'
import type { PollDependencies } from '../../../../shared/messages/mailbox/dependencies.ts'
import type { ReceivedMail } from '../../../../shared/messages/mailbox/mail/store-mail.ts'
import { readMailbox } from '../../../../shared/messages/mailbox/mailbox-row.ts'
import { pollMailbox } from '../../../../shared/messages/mailbox/poll/poll-mailbox.ts'
import { singleKey } from '../../../../shared/platform/store/keys/key.ts'
import { mailboxKey } from '../../../../shared/platform/store/keys/messages/mailbox.ts'
import type { Store } from '../../../../shared/platform/store/store.ts'
import { openSingleTable } from '../stores/single-table.ts'
import { memoryMailbox } from './memory-mailbox.ts'

export const day = 24 * 60 * 60_000
export const start = Date.parse('2026-11-20T08:00:00Z')
export const mail = (n: number): string => `Subject: mail ${n}\r\n\r\nThe text of mail ${n}.\r\n`

export type PolledMailbox = Awaited<ReturnType<typeof polledMailbox>>

export async function polledMailbox() {
  const table = await openSingleTable()
  let tenants = 0
  const nextTenant = (): Tenant => ({ id: ++tenants, slug: `t${tenants}`, name: 'Acme', configVersion: 1 })
  const fresh = () => ({
    tenant: nextTenant(),
    now: start,
    mailbox: memoryMailbox(),
    /** What administrators were told. */
    told: [] as string[],
    settings: { IMAP_HOST: 'imap.example.com', IMAP_USERNAME: 'desk', MAIL_FROM_NAME: 'Acme' } as Record<
      string,
      string
    >,
    stored: [] as ReceivedMail[],
  })
  const desk = {
    table,
    ...fresh(),
    /** Begins again with another tenant and an empty mailbox. */
    reset: (): void => void Object.assign(desk, fresh()),
    /** The same at another tenant: nothing is known of the mailbox there. */
    moveToNextTenant: (): void => void Object.assign(desk, { tenant: nextTenant(), mailbox: memoryMailbox() }),
    subjects: (): string[] => desk.stored.map(({ raw }) => /^Subject: (.*)\r$/m.exec(String(raw))?.[1] ?? ''),
    row: async () => readMailbox(await table.store.get(desk.tenant, mailboxKey(desk.tenant))),
    dependencies,
    poll: (limits = {}, mailboxes = dependencies()) =>
      pollMailbox(
        mailboxes,
        desk.tenant,
        { mails: 50, bytes: 25 * 1024 * 1024, beginUntilMs: desk.now + 40_000, ...limits },
        AbortSignal.timeout(10_000),
      ),
    async taken(limits = {}) {
      const outcome = await desk.poll(limits)
      return outcome.kind === 'polled' ? outcome.taken : outcome
    },
    close: () => table.close(),
  }

  /** Messages are counted once their transaction is committed. */
  function dependencies(store: Pick<Store, 'get' | 'write' | 'transact'> = desk.table.store): PollDependencies {
    const rows = Object.entries(desk.settings).map(([name, value]) => ({ name, version: 1, doc: value }))
    return {
      store,
      clock: {
        now: () => desk.now,
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
      fetchMail: async () => new Response(null, { status: 500 }),
      fetchPublic: async () => new Response(null, { status: 500 }),
      openMailbox: () => desk.mailbox.open(),
      async storeMail(_tenant, received, extraWrites) {
        const key = singleKey(`T#${desk.tenant.id}#TEST#${crypto.randomUUID()}`)
        await store.transact(
          desk.tenant,
          [{ put: { ...key, kind: 'test', v: 1 } }, ...extraWrites],
          crypto.randomUUID(),
        )
        desk.stored.push(received)
        return 'stored'
      },
      tellAdministrators: async (_tenant, { title }) => void desk.told.push(title),
      wake: async () => {},
    }
  }

  return desk
}
