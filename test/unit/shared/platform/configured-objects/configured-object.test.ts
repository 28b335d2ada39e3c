import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { FieldErrors } from '../../../../../shared/kernel/failures/faults.ts'
import type { Caller } from '../../../../../shared/kernel/principal.ts'
import { isoTime } from '../../../../../shared/kernel/time/clock.ts'
import {
  type AdministrationDependencies,
  configuredObject,
} from '../../../../../shared/platform/configured-objects/configured-object.ts'
import { membersOf } from '../../../../../shared/platform/configured-objects/members.ts'
import { createConfig } from '../../../../../shared/platform/store/config.ts'
import { tenantKey } from '../../../../../shared/platform/store/keys/auth.ts'
import type { Store } from '../../../../../shared/platform/store/store.ts'
import { frozenClock } from '../../../../make/builders/frozen-clock.ts'
import { interruptedStore } from '../../../../make/services/stores/interrupted-store.ts'
import { openSingleTable, type SingleTable } from '../../../../make/services/stores/single-table.ts'

interface Note {
  readonly id: number
  readonly name: string
  readonly text: string | null
  readonly isActive: boolean
  readonly version: number
}
interface NoteDocument {
  readonly name: string
  readonly text: string | null
  readonly is_active: boolean
}
type NoteAnswer = NoteDocument & {
  readonly id: number
  readonly problem: string | null
  readonly created_at: string
  readonly updated_at: string
  readonly version: number
}
type NoteInput = Partial<NoteDocument> & { readonly name: string; readonly version?: number }

const members = {
  name: {},
  text: { unset: null },
  is_active: { stored: 'isActive' as const, unset: true },
}
/** Notes with the text `gone` are refused, and what is wrong with a stored one is that its text is too short. */
const notes = configuredObject<Note, NoteDocument, NoteAnswer, NoteInput, AdministrationDependencies>({
  kind: 'SUBSCRIPTION',
  sequence: 'sys_notes',
  called: { one: 'note', list: 'notes' },
  members,
  check: ({ text }): FieldErrors => (text === 'gone' ? { text: ['There is no such text.'] } : {}),
  problemOf: async (_deps, _tenant, { text }) => (text === null || text.length < 3 ? 'The text is short.' : null),
})

const clock = frozenClock()
let table: SingleTable
let tenants = 0
let caller: Caller
beforeAll(async () => {
  table = await openSingleTable()
})
afterAll(() => table?.close())
beforeEach(async () => {
  const tenant = { id: ++tenants, slug: `acme-${tenants}`, name: 'Acme', configVersion: 1 }
  caller = { tenant, userId: 7 } as Caller
  const row = { ...tenantKey(tenant), kind: 'tenant', v: 1, id: tenant.id, config_version: 1 }
  await table.store.write(tenant, { put: row })
})
const services = (store: Store = table.store): AdministrationDependencies => ({
  store,
  config: createConfig(store, clock),
  clock,
})
const create = (more: object = {}) => notes.create(services(), caller, { name: 'First', ...more })
const change = (id: number, more: object) => notes.change(services(), caller, id, more)
const storedRow = async () =>
  (await table.itemsOf(`T#${caller.tenant.id}#CONFIG`)).find(({ sk }) => sk.startsWith('SUBSCRIPTION#'))
const events = async () =>
  (await table.itemsOf(`T#${caller.tenant.id}#`))
    .filter(({ kind }) => kind === 'event')
    .map(({ action, name, version, changes }) => ({ action, name, version, changes: JSON.parse(String(changes)) }))
    .toSorted((a, b) => String(a.action).localeCompare(String(b.action)))
const firstPage = { page: 1, per_page: 25 }

describe('a new object', () => {
  it('has its defaults, the first version, and no problem', async () => {
    expect(await create()).toEqual({
      id: 1,
      name: 'First',
      text: null,
      is_active: true,
      problem: null,
      created_at: isoTime(clock.now()),
      updated_at: isoTime(clock.now()),
      version: 1,
    })
  })

  it('is stored by its id, under the names of the stored object', async () => {
    await create({ is_active: false })
    const row = await storedRow()
    expect(row).toMatchObject({ kind: 'config', version: 1, updated_by: 7 })
    expect(JSON.parse(String(row?.doc))).toEqual({ id: 1, name: 'First', text: null, isActive: false })
  })

  it('is refused with every error of its check, and takes no id', async () => {
    await expect(create({ text: 'gone' })).rejects.toMatchObject({ errors: { text: ['There is no such text.'] } })
    expect((await create()).id).toBe(1)
  })

  it('is refused while another one has its name', async () => {
    await create()
    await expect(create()).rejects.toMatchObject({ code: 'name_taken' })
  })
})

describe('a change', () => {
  it('keeps what it leaves out, clears with null, and raises the version', async () => {
    await create({ text: 'long enough', is_active: true })
    expect(await change(1, { name: 'Second' })).toMatchObject({ name: 'Second', text: 'long enough', version: 2 })
    expect(await change(1, { text: null })).toMatchObject({ name: 'Second', text: null, version: 3 })
  })

  it('frees the former name', async () => {
    await create()
    await change(1, { name: 'Second' })
    expect((await create()).id).toBe(2)
  })

  it('moves the time of the change, and keeps that of the create', async () => {
    const { created_at } = await create({ text: 'long enough' })
    clock.advance(60_000)
    const changed = await change(1, { name: 'Second' })
    expect(changed).toMatchObject({ created_at, updated_at: isoTime(clock.now()) })
    expect(await notes.get(services(), caller, 1)).toEqual(changed)
    clock.advance(60_000)
    expect(await change(1, {})).toEqual(changed)
  })

  it('is refused when the body or If-Match names another version than the current one, as is a delete', async () => {
    await create()
    const stale = { code: 'version_mismatch', message: 'The note has changed: its version is 1.' }
    const isSecond = (version: number): boolean => version === 2
    await expect(change(1, { name: 'Second', version: 2 })).rejects.toMatchObject(stale)
    await expect(notes.change(services(), caller, 1, { name: 'Second' }, isSecond)).rejects.toMatchObject(stale)
    await expect(notes.remove(services(), caller, 1, isSecond)).rejects.toMatchObject(stale)
    expect(await change(1, { name: 'Second', version: 1 })).toMatchObject({ version: 2 })
    await notes.remove(services(), caller, 1, isSecond)
  })

  it('is refused when somebody else changes the object in between', async () => {
    await create()
    const store = interruptedStore(table, 'TransactWriteItems', () => change(1, { text: 'their text' }))
    await expect(notes.change(services(store), caller, 1, { text: 'my text' })).rejects.toMatchObject({
      code: 'write_conflict',
    })
    expect(await notes.get(services(), caller, 1)).toMatchObject({ text: 'their text', version: 2 })
  })

  it('that alters nothing writes nothing, and says what is wrong with the object', async () => {
    await create()
    expect(await change(1, { text: null })).toMatchObject({ version: 1, problem: 'The text is short.' })
    expect(await events()).toHaveLength(1)
  })

  it('that only switches an object off is not checked, because it may name what was removed', async () => {
    await create()
    const row = await storedRow()
    await table.store.write(caller.tenant, {
      put: { ...row, doc: JSON.stringify({ id: 1, name: 'First', text: 'gone', isActive: true }) } as never,
    })
    expect(await change(1, { is_active: false })).toMatchObject({ is_active: false, version: 2 })
    await expect(change(1, { is_active: true })).rejects.toMatchObject({ errors: { text: expect.anything() } })
  })

  it('of an object that does not exist is refused', async () => {
    await expect(change(1, {})).rejects.toMatchObject({ code: 'subscription_not_found' })
  })
})

describe('a deleted object', () => {
  it('is gone, and its name is free', async () => {
    await create()
    await notes.remove(services(), caller, 1)
    await expect(notes.get(services(), caller, 1)).rejects.toMatchObject({ code: 'subscription_not_found' })
    expect((await create()).id).toBe(2)
  })
})

it('the list has the newest objects first, each with its problem', async () => {
  await create({ text: 'long enough' })
  await create({ name: 'Second' })
  const { items, total } = await notes.list(services(), caller, firstPage)
  expect(items.map(({ id, problem }) => [id, problem])).toEqual([
    [2, 'The text is short.'],
    [1, null],
  ])
  expect(total).toBe(2)
})

it('the trail has an event of each write, with what administrators set', async () => {
  await create()
  await change(1, { is_active: false })
  await notes.remove(services(), caller, 1)
  expect(await events()).toEqual([
    {
      action: 'create',
      name: 'First',
      version: 1,
      changes: {
        name: { old: null, new: 'First' },
        text: { old: null, new: null },
        is_active: { old: null, new: true },
      },
    },
    expect.objectContaining({ action: 'delete', name: 'First', version: 2 }),
    { action: 'update', name: 'First', version: 2, changes: { is_active: { old: true, new: false } } },
  ])
})

describe('a document of the configuration is completed', () => {
  const { complete } = membersOf<Note, NoteDocument>(members)

  it('with the defaults of a new object', () => {
    expect(complete({ name: 'First' } as NoteDocument, undefined)).toEqual({
      name: 'First',
      text: null,
      is_active: true,
    })
  })

  it('with the existing object, except for members that leaving out clears', () => {
    const before = { name: 'First', text: 'long enough', is_active: false }
    expect(complete({ name: 'First' } as NoteDocument, before)).toEqual({ ...before, text: null })
  })
})

describe('what an object misses', () => {
  interface Deps extends AdministrationDependencies {
    readonly texts: readonly string[]
  }
  const naming = configuredObject<Note, NoteDocument, NoteAnswer, NoteInput, Deps>({
    kind: 'SUBSCRIPTION',
    sequence: 'sys_notes',
    called: { one: 'note', list: 'notes' },
    members,
    check: ({ name }): FieldErrors => (name === 'bad' ? { name: ['The name is bad.'] } : {}),
    misses: async ({ texts }, _by, { text }): Promise<FieldErrors> =>
      text === null || texts.includes(text) ? {} : { text: [`There is no text ${text}.`] },
  })
  const having = (...texts: string[]): Deps => ({ ...services(), texts })

  it('refuses it beside the errors of its own check, unless it is switched off', async () => {
    await expect(naming.create(having(), caller, { name: 'bad', text: 'a' })).rejects.toMatchObject({
      errors: { name: ['The name is bad.'], text: ['There is no text a.'] },
    })
    await naming.create(having('a'), caller, { name: 'First', text: 'a' })
    expect(await naming.change(having(), caller, 1, { is_active: false })).toMatchObject({ is_active: false })
  })

  it('is its problem once what it names is gone, and is found in a document', async () => {
    expect((await naming.create(having('a'), caller, { name: 'First', text: 'a' })).problem).toBeNull()
    expect((await naming.get(having('a'), caller, 1)).problem).toBeNull()
    expect((await naming.get(having(), caller, 1)).problem).toBe('There is no text a.')
    expect(await naming.missesOf(having(), caller, { name: 'First', text: 'b' })).toEqual({
      text: ['There is no text b.'],
    })
    expect(await naming.missesOf(having(), caller, { name: 'First' })).toEqual({})
  })
})
