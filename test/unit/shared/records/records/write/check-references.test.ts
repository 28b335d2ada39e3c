import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { userKey } from '../../../../../../shared/platform/store/keys/auth.ts'
import type { Item } from '../../../../../../shared/platform/store/values/marshal.ts'
import type { Actor } from '../../../../../../shared/records/records/actor.ts'
import { recordItem, type RecordData } from '../../../../../../shared/records/records/record-item.ts'
import {
  checkReferences,
  missingReferences,
  requireReferences,
} from '../../../../../../shared/records/records/write/check-references.ts'
import { tableOf } from '../../../../../make/builders/lists/query-records.ts'
import { letters, markedLetter, markedLetterItem } from '../../../../../make/builders/records/marked-record.ts'
import { inEnglish } from '../../../../../make/oracles/in-english.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'

const tenant = { id: 7, slug: 'acme', name: 'Acme', configVersion: 1 }
const viewer: Actor = {
  tenant,
  userId: 3,
  roles: [],
  isAdministrator: false,
  permissions: [],
  grants: [],
  orgUnitIds: [],
}
const plans = tableOf(102, 'plans', [
  { name: 'title', type: 'text' },
  { name: 'amount', type: 'integer' },
  { name: 'letter', type: 'model_list', target_table: 'letters' },
  { name: 'copy', type: 'model_list', target_table: 'letters' },
  { name: 'owner', type: 'user' },
  { name: 'scan', type: 'file' },
])
const [living, marked, hidden, user, unknown] = [1, 2, 3, 4, 99]
let single: SingleTable
let reads: number[] = []
beforeAll(async () => {
  single = await openSingleTable()
  const letter = (id: number) => recordItem(letters, { ...markedLetter(id), deletedAt: undefined }, viewer, 'made')
  await single.store.putMany(tenant, [
    letter(living),
    letter(hidden),
    markedLetterItem(tenant, markedLetter(marked)),
    { ...userKey(tenant, user), kind: 'user' },
  ])
})
afterAll(() => single?.close())

/** Row rules hide the title 'Hello' of one letter; files that begin with `lost` do not exist. */
const sources = () => ({
  store: {
    ...single.store,
    getMany: async (...asked: Parameters<typeof single.store.getMany>) => {
      reads.push(asked[1].length)
      return single.store.getMany(...asked)
    },
  },
  files: {
    check: async (_tenant: object, _table: object, data: RecordData, fields: readonly string[]) =>
      Object.fromEntries(
        fields.filter((name) => String(data[name]).startsWith('lost')).map((name) => [name, ['No such file.']]),
      ),
  },
  access: {
    isLimited: (_viewer: object, model: string, action: string) => model === 'letters' && action === 'read',
    // It needs the fields of the records.
    permitted: async (_viewer: object, _model: string, _action: string, items: readonly (Item | undefined)[]) =>
      items.map((item) => (item?.data !== undefined && Number(item.sk) !== hidden ? item : undefined)),
  },
})
const check = (data: RecordData, by?: Actor, fields = Object.keys(data)) =>
  checkReferences(sources() as never, tenant, plans, data, fields, by)
const invalid = (name: string) => ({ [name]: [`The selected ${name} is invalid.`] })

describe('what a record refers to', () => {
  it.each([
    ['a record and a user that exist', { letter: living, owner: user }, {}],
    ['a record that does not exist', { letter: unknown }, invalid('letter')],
    ['a record that is being deleted', { letter: marked }, invalid('letter')],
    ['a user that does not exist', { owner: unknown, letter: living }, invalid('owner')],
    [
      'a file that does not exist',
      { scan: 'lost.pdf', letter: unknown },
      { scan: ['No such file.'], ...invalid('letter') },
    ],
    ['nothing', { letter: null, owner: null, title: 'A', amount: unknown }, {}],
    ['fields that the table does not have', { gone: unknown }, {}],
  ])('is looked up: %s', async (_what, data, expected) => {
    expect(inEnglish(await check(data))).toEqual(expected)
    expect(inEnglish(await check(data, viewer))).toEqual(expected)
  })

  it('is looked up in the named fields only', async () => {
    expect(inEnglish(await check({ letter: unknown, owner: unknown }, undefined, ['owner']))).toEqual(invalid('owner'))
  })

  it('counts as missing where row rules hide it from who chose it, in the same words', async () => {
    expect(inEnglish(await check({ letter: hidden, copy: living, owner: user }, viewer))).toEqual(invalid('letter'))
    expect(inEnglish(await check({ letter: hidden, copy: living }))).toEqual({})
  })

  it('is answered for each record of a request', async () => {
    reads = []
    const records = [
      { data: { letter: living, copy: hidden }, fields: ['letter', 'copy'], viewer },
      { data: { letter: unknown, scan: 'lost.pdf' }, fields: ['letter', 'scan'], viewer },
      { data: { letter: living }, fields: ['letter'], viewer },
    ]
    expect(inEnglish(await missingReferences(sources() as never, tenant, plans, records))).toEqual([
      invalid('copy'),
      { scan: ['No such file.'], ...invalid('letter') },
      {},
    ])
    expect(reads).toEqual([4])
  })

  it('costs no read when it is nothing', async () => {
    reads = []
    await check({ title: 'A', letter: null })
    expect(reads).toEqual([])
  })

  it('refuses the record when it is required', async () => {
    const require = (data: RecordData) =>
      requireReferences(sources() as never, tenant, plans, data, Object.keys(data), viewer)
    await require({ letter: living })
    await expect(require({ letter: hidden })).rejects.toMatchObject({ errors: invalid('letter') })
  })
})
