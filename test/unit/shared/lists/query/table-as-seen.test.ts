import { describe, expect, it } from 'vitest'
import { tableAsSeen } from '../../../../../shared/lists/query/conditions/table-as-seen.ts'
import type { Field } from '../../../../../shared/tables/tables/schema.ts'
import { tableOf } from '../../../../make/builders/lists/query-records.ts'

const fields = [
  { name: 'title', type: 'text', default: 'New' },
  { name: 'secret', type: 'text', default: 'hush' },
  { name: 'mixed', type: 'text', visible_if: { _or: [{ title: 'x' }, { _not: { secret: { _eq: 'fired' } } }] } },
  { name: 'open', type: 'text', visible_if: { title: 'x', created_by: 1 }, required_if: { secret: 'a' } },
  { name: 'locked', type: 'text', readonly_if: { secret: { _null: true } } },
  { name: 'double', type: 'computed', result: 'text', formula: 'secret + title' },
  { name: 'plain', type: 'computed', result: 'text', formula: '"secret " + title' },
  {
    name: 'debts',
    type: 'rollup',
    table: 'bills',
    field: 'deed_id',
    aggregate: 'sum',
    of: 'amount',
    filter: { kind: 'a' },
  },
  {
    name: 'stage',
    type: 'state_model',
    states: [{ slug: 'new', is_initial: true }, { slug: 'done' }],
    transitions: [
      { from: 'new', to: 'done', condition: { secret: 'fired' }, required_fields: ['title'] },
      { from: 'done', to: 'new', condition: { title: 'x' } },
    ],
  },
] as unknown as Field[]
const deeds = tableOf(101, 'deeds', fields)
const all = fields.map(({ name }) => name)
const unruled = { permissions: ['deeds.*', 'bills.*'], rules: [], fields: {} }
const reader = (limits: object, permissions = unruled.permissions): any => ({
  isAdministrator: false,
  permissions,
  grants: [{ permissions, rules: [], fields: limits }],
})
const seenBy = async (who: any): Promise<Record<string, Record<string, unknown>>> =>
  Object.fromEntries((await tableAsSeen(who, deeds)).table_fields.map((field) => [field.name, field as never]))

describe('a table as somebody sees it', () => {
  it('is the table for administrators, and for whom no field is hidden', async () => {
    expect(await tableAsSeen({ ...reader({ deeds: { read: [] } }), isAdministrator: true }, deeds)).toBe(deeds)
    expect(await tableAsSeen(reader({}), deeds)).toBe(deeds)
    expect(await tableAsSeen(reader({ deeds: { read: all } }), deeds)).toBe(deeds)
  })

  it('has no condition, formula or default that tells of a hidden field, wherever the field is named', async () => {
    const seen = await seenBy(reader({ deeds: { read: all.filter((name) => name !== 'secret') } }))
    expect(JSON.stringify(seen)).not.toMatch(/fired|hush/)
    expect(seen).toMatchObject({
      title: { default: 'New' },
      open: { visible_if: { title: 'x', created_by: 1 } },
      plain: { formula: '"secret " + title' },
      debts: { filter: { kind: 'a' }, of: 'amount' },
      stage: { transitions: [{ from: 'new', to: 'done', required_fields: ['title'] }, { condition: { title: 'x' } }] },
    })
    const named = (name: string) => Object.keys(seen[name] ?? {})
    expect([named('mixed'), named('open'), named('locked'), named('double')].flat()).not.toEqual(
      expect.arrayContaining(['required_if']),
    )
    expect([seen.mixed, seen.locked, seen.double].map((one) => Object.keys(one ?? {}).toSorted())).toEqual([
      ['name', 'type'],
      ['name', 'type'],
      ['name', 'result', 'type'],
    ])
    expect(seen.stage?.transitions).toEqual([
      { from: 'new', to: 'done', required_fields: ['title'] },
      { from: 'done', to: 'new', condition: { title: 'x' } },
    ])
  })

  it('does not say what a hidden field is made of', async () => {
    const seen = await seenBy(reader({ deeds: { read: ['title', 'secret'] } }))
    expect([seen.double?.formula, seen.plain?.formula]).toEqual([undefined, undefined])
  })

  it('tells of a rollup what its reader may see of the other table', async () => {
    const rollup = async (limits: object, permissions?: string[]) => {
      const { debts } = await seenBy(reader(limits, permissions))
      return [debts?.filter, debts?.of, debts?.aggregate]
    }
    expect(await rollup({ bills: { read: ['kind'] } })).toEqual([{ kind: 'a' }, undefined, 'sum'])
    expect(await rollup({ bills: { read: ['amount'] } })).toEqual([undefined, 'amount', 'sum'])
    expect(await rollup({}, ['deeds.*'])).toEqual([undefined, undefined, 'sum'])
  })
})
