import { expect, it } from 'vitest'
import type { Viewer } from '../../../../../shared/kernel/principal.ts'
import { hideRecords, type RecordSight } from '../../../../../shared/messages/incoming-messages/hide-records.ts'
import type { MessageHead } from '../../../../../shared/messages/incoming-messages/message.ts'
import type { MessageAnswer } from '../../../../../shared/messages/incoming-messages/schema.ts'

const tenant = { id: 1, slug: 'acme', name: 'Acme', configVersion: 1 }
const viewer = (permissions: readonly string[]) =>
  ({ tenant, userId: 1, permissions, grants: [], isAdministrator: false, orgUnitIds: [] }) as Viewer

/** Row rules limit the tables `limited` to records with an even id; `gone` is a table that was removed. */
function sightOf(limited: readonly string[]) {
  const reads: number[] = []
  const sight = {
    store: {
      async getMany(_tenant: unknown, keys: readonly { sk: string }[]) {
        reads.push(keys.length)
        return keys.map(({ sk }) => ({ id: Number(sk) }))
      },
    },
    tables: { find: async (_tenant: unknown, name: string) => (name === 'gone' ? undefined : {}) },
    access: {
      isLimited: (_viewer: unknown, model: string) => limited.includes(model),
      permitted: async (_viewer: unknown, _model: string, _action: string, items: readonly { id: number }[]) =>
        items.map((item) => (item.id % 2 === 0 ? item : undefined)),
    },
  }
  return { sight: sight as unknown as RecordSight, reads }
}

type Ref = readonly [model: string, id: number]
const head = (made: readonly Ref[], to?: Ref) =>
  ({
    outcomes: made.map(([model, id]) => ({ record: { model, id } })),
    ...(to && { replyTo: { model: to[0], id: to[1] } }),
  }) as unknown as MessageHead
const answer = (made: readonly Ref[], to?: Ref) =>
  ({
    records: made.map(([model, id]) => ({ model, id, action_id: 1 })),
    reply_to: to ? { model: to[0], id: to[1] } : null,
    payload: { text: 'x', ...(to && { reply_to: { model: to[0], id: to[1] } }) },
  }) as unknown as MessageAnswer
async function seen(sight: RecordSight, permissions: readonly string[], made: readonly Ref[], to?: Ref) {
  const { records, reply_to, payload } = (await hideRecords(sight, viewer(permissions), [head(made, to)]))(
    answer(made, to),
  )
  return { records: records.map(({ model, id }) => `${model} ${id}`), to: reply_to?.id ?? null, payload }
}

it('a viewer without row rules sees the records of the tables that they may read, and none is read for that', async () => {
  const { sight, reads } = sightOf([])
  const made: Ref[] = [
    ['requests', 1],
    ['clients', 2],
  ]
  expect(await seen(sight, ['requests.read'], made, ['requests', 3])).toEqual({
    records: ['requests 1'],
    to: 3,
    payload: { text: 'x', reply_to: { model: 'requests', id: 3 } },
  })
  expect(reads).toEqual([])
})

it('a viewer whom row rules limit sees the records that these leave, each read once', async () => {
  const { sight, reads } = sightOf(['requests'])
  const made: Ref[] = [
    ['requests', 1],
    ['requests', 2],
    ['clients', 1],
    ['requests', 1],
  ]
  expect(await seen(sight, ['*.read'], made, ['requests', 1])).toEqual({
    records: ['requests 2', 'clients 1'],
    to: null,
    payload: { text: 'x' },
  })
  expect(reads).toEqual([2])
})

it('records of a table that was removed are hidden from viewers whom row rules limit', async () => {
  const { sight, reads } = sightOf(['gone'])
  expect((await seen(sight, ['gone.read'], [['gone', 2]])).records).toEqual([])
  expect(reads).toEqual([])
})
