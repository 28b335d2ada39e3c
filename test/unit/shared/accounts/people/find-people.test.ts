import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findPeople } from '../../../../../shared/accounts/people/lookup/find-people.ts'
import { newUser } from '../../../../../shared/accounts/people/new-user.ts'
import { userItem } from '../../../../../shared/accounts/people/user.ts'
import { openSingleTable, type SingleTable } from '../../../../make/services/stores/single-table.ts'

const acme = { id: 1 }
const other = { id: 2 }
const names = ['Zoë', 'ada lovelace', 'Ångström', 'Björn', 'Ada King']
let table: SingleTable
beforeAll(async () => {
  table = await openSingleTable()
  for (const tenant of [acme, other])
    for (const [index, name] of names.entries()) {
      const owner = { name, email: `${index}@tenant-${tenant.id}.test` }
      const user = newUser(index + 1, owner, { roles: index % 2 ? ['agent'] : [] }, '2026-11-20T08:00:00.000Z')
      await table.store.write(tenant, { put: userItem(tenant, user) })
    }
})
afterAll(() => table.close())

const find = async (query: Parameters<typeof findPeople>[2], searchesEmail = false) =>
  (await findPeople(table.store, acme, query, { searchesEmail })).map(({ name }) => name)

describe('people', () => {
  it('come in the order of their names, as people sort them', async () => {
    expect(await find({})).toEqual(['Ada King', 'ada lovelace', 'Ångström', 'Björn', 'Zoë'])
  })

  it.each([
    ['ADA', ['Ada King', 'ada lovelace']],
    ['angstrom', ['Ångström']],
    ['zoe\u0308', ['Zoë']],
    ['', names.length],
    ['@', []],
  ])('whose name has %j are found without case and accents', async (search, found) => {
    const answer = await find({ search })
    expect(typeof found === 'number' ? answer.length : answer).toEqual(found)
  })

  it('match everything that is given', async () => {
    expect(await find({ role: 'agent', search: 'ada' })).toEqual(['ada lovelace'])
    expect(await find({ ids: [5, 2, 2, 99], search: 'king' })).toEqual(['Ada King'])
    expect(await find({ ids: [] })).toEqual([])
  })

  it('are searched by address only when that is asked for', async () => {
    expect(await find({ search: '2@tenant-1' })).toEqual([])
    expect(await find({ search: '2@tenant-1' }, true)).toEqual(['Ångström'])
    expect(await find({ search: 'tenant-2' }, true)).toEqual([])
  })
})
