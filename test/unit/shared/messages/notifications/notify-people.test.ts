import { expect, it } from 'vitest'
import type { Notice } from '../../../../../shared/messages/bell/bell-row.ts'
import { notifyPeople } from '../../../../../shared/messages/notifications/notify-people.ts'
import type { Config } from '../../../../../shared/platform/store/config.ts'
import { isNew } from '../../../../../shared/platform/store/writes/conditions.ts'
import { frozenClock } from '../../../../make/builders/frozen-clock.ts'

const tenant = { id: 9, slug: 'acme', name: 'Acme', configVersion: 1 }
const channel = {
  id: 1,
  name: 'm',
  type: 'email',
  direction: 'outgoing',
  isDefault: true,
  isEnabled: true,
  config: { transport: 'ses', from_address: 'desk@acme.example' },
  sealed: {},
  version: 1,
}
const config = {
  get: async () => undefined,
  list: async (_: object, kind: string) => (kind === 'CHANNEL' ? [channel] : []),
} as unknown as Config
const services = {
  config,
  putObject: async () => {},
  describeNoticedRecord: async () => undefined,
  portalUrl: async () => undefined,
  mayStillRead: async () => true,
  isWatched: async () => false,
  localeOf: async () => null,
}
const notices = Array.from({ length: 250 }, (_, index): Notice => ({
  key: 'request 7 version 2',
  userId: index + 1,
  title: 'Requests 7',
  text: 'was changed',
  url: null,
  category: 'system',
  createdAtMs: 0,
  model: 'requests',
  recordId: 7,
}))

/** A store in which everybody wants mails, and the ids of the intents that are written to it. */
function wantingMails() {
  const written: string[] = []
  const notifications = JSON.stringify({ system: { bell: false, email: true, messenger: false } })
  let [now, most] = [0, 0]
  const store = {
    getMany: async (_: object, keys: readonly object[]) => keys.map(() => ({ version: 1, notifications })),
    async write(_: object, { put, if: condition }: { readonly put: { readonly uuid: string }; readonly if: object }) {
      expect(condition).toEqual(isNew)
      most = Math.max(most, ++now)
      await new Promise((resolve) => setImmediate(resolve))
      written.push(put.uuid)
      now -= 1
    },
  }
  return { store: store as never, written, most: () => most }
}

it('mails people under the same id in every repeat, so that the store takes only the first', async () => {
  const { store, written } = wantingMails()
  const notify = () => notifyPeople({ ...services, store, clock: frozenClock() }, tenant, notices)
  await notify()
  const first = written.splice(0)
  await notify()
  expect(new Set(first).size).toBe(250)
  expect(written.toSorted()).toEqual(first.toSorted())
})

it('stores at most 25 mails at the same time', async () => {
  const { store, most } = wantingMails()
  await notifyPeople({ ...services, store, clock: frozenClock() }, tenant, notices)
  expect(most()).toBe(25)
})
