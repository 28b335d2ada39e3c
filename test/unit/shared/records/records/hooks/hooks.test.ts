import { describe, expect, it, vi } from 'vitest'
import { equals } from '../../../../../../shared/platform/store/writes/conditions.ts'
import type { Actor } from '../../../../../../shared/records/records/actor.ts'
import { noHooks } from '../../../../../../shared/records/records/hooks/hooked-operation.ts'
import { activeHooks, createHooks } from '../../../../../../shared/records/records/hooks/hooks.ts'
import {
  addPendingHooks,
  pendingHooksUpdate,
  readPendingHooks,
} from '../../../../../../shared/records/records/hooks/pending-hooks.ts'
import { checkHookedFields } from '../../../../../../shared/records/records/write/check-fields.ts'
import { readTable, type Table } from '../../../../../../shared/tables/tables/table.ts'

const hook = (id: number, kind: string, position: number, is_active = true) => ({
  id,
  kind,
  name: kind,
  script: '',
  is_active,
  position,
})
const table = (automations: readonly object[], table_fields: readonly object[] = []): Table =>
  readTable({
    name: 'requests',
    version: 1,
    doc: { id: 101, label: '', title_field: null, table_fields, automations, retired: [] },
  })
const actor = { tenant: { id: 1 }, userId: 3, roles: [], isAdministrator: false } as unknown as Actor

describe('the hooks of a table', () => {
  it('are the active ones of an event, by position, then id', () => {
    const all = [
      hook(9, 'before_create', 1),
      hook(4, 'before_create', 2),
      hook(2, 'before_create', 1),
      hook(1, 'before_create', 0, false),
      hook(3, 'after_create', 0),
    ]
    expect(activeHooks(table(all), 'before_create').map(({ id }) => id)).toEqual([2, 9, 4])
  })

  it('load no scripts when none is active for the operation', async () => {
    const loadScripts = vi.fn<() => never>()
    const hooks = createHooks({ loadScripts } as never)
    for (const automations of [[], [hook(1, 'before_create', 1, false)], [hook(1, 'before_update', 1)]]) {
      expect(await hooks.begin(actor, table(automations), 'create')).toBe(noHooks)
    }
    expect(loadScripts).not.toHaveBeenCalled()
  })

  it('are refused when scripts start each other too deeply, with all of them named', async () => {
    const loadScripts = vi.fn<() => never>()
    const path = [
      'a.after_create',
      'b.after_create',
      'a.after_create',
      'b.after_create',
      'a.after_create',
      'b.after_create',
    ]
    const chain = { path, allowance: undefined as never }
    const begun = createHooks({ loadScripts } as never).begin(
      { ...actor, chain },
      table([hook(1, 'before_update', 1)]),
      'update',
    )
    await expect(begun).rejects.toThrow(
      `Scripts may start each other 5 deep, not deeper: ${[...path, 'requests.before_update'].join(' → ')}.`,
    )
    expect(loadScripts).not.toHaveBeenCalled()
  })
})

describe('stored pending hooks', () => {
  const due = (run_id: string, old?: object) => ({
    kind: 'after_update' as const,
    version: 2,
    run_id,
    user_id: 3,
    ...(old && { old: old as never }),
  })

  it('collects the pending hooks of earlier writes, and leaves out old data that is too large', () => {
    const mark = addPendingHooks(
      addPendingHooks(undefined, due('a', { title: 'x' })),
      due('b', { note: 'x'.repeat(30_000) }),
    )
    expect(readPendingHooks({ after_due: mark })).toEqual([due('a', { title: 'x' }), due('b')])
    expect(readPendingHooks(undefined)).toEqual([])
  })

  it.each<[string, object, string]>([
    ['a living record', { kind: 'record' }, 'REMOVE after_due, p20, s20, due_taken'],
    [
      'a record that is being deleted, whose slot belongs to the delete',
      { kind: 'record', deleted_at: 'x' },
      'REMOVE after_due',
    ],
    [
      'a tombstone, with the data it kept',
      { kind: 'tombstone', deleted_at: 'x' },
      'REMOVE after_due, p20, s20, due_taken, #data',
    ],
  ])('is removed from %s', (_, item, expression) => {
    const write = pendingHooksUpdate({ pk: 'p', sk: 's', after_due: '[]', ...item }, undefined)
    expect(write.change.expression).toBe(expression)
    const seen = equals('after_due', '[]')
    expect(write.if?.expression).toContain(seen.expression)
    expect(write.if?.values).toMatchObject(seen.values ?? {})
  })
})

describe('the data after before_update hooks', () => {
  const states = [{ slug: 'new', is_initial: true }, { slug: 'open' }, { slug: 'done' }]
  const transitions = [{ from: 'new', to: 'open', roles: ['agent'] }]
  const fields = table(
    [],
    [
      { name: 'title', type: 'text' },
      { name: 'n', type: 'integer' },
      { name: 'status', type: 'state_model', states, transitions },
    ],
  )
  const before = { title: 'a', n: 1, status: 'new', retired: 'kept' }
  const merged = { ...before, title: 'b' }
  const check = (made: object) => checkHookedFields(fields, before, merged, made as never, actor, { rules: undefined })

  it('has their changes, and keeps other values, including those of removed fields', () => {
    expect(check({ title: 'b', n: 2, status: 'new' })).toEqual({ ...merged, n: 2 })
  })
  it('can change the state without the role, but along transitions only', () => {
    expect(check({ title: 'b', n: 1, status: 'open' })).toEqual({ ...merged, status: 'open' })
    expect(() => check({ title: 'b', n: 1, status: 'done' })).toThrow('Validation error')
  })
  it('has null for deleted fields, and is refused with unknown fields', () => {
    expect(check({ title: 'b', status: 'new' })).toEqual({ ...merged, n: null })
    expect(() => check({ ...merged, colour: 'red' })).toThrow('Validation error')
  })
})
