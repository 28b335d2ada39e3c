import { byName } from '../../../../kernel/collections/own-members.ts'
import type { FieldErrors } from '../../../../kernel/failures/faults.ts'
import { maxKeyMatches } from '../../../../kernel/limits/imports.ts'
import { mayOnTable, permittedFields } from '../../../../kernel/permissions.ts'
import { publicTable } from '../../../../kernel/table-names.ts'
import { didYouMean, listed, openSuggestions, shown } from '../../../../kernel/text/did-you-mean.ts'
import type { Actor } from '../../../../records/records/actor.ts'
import { idsOfHolder, mergedByValues, readableHolders } from '../../../../records/records/read/merged-holders.ts'
import { referencedTable, typeOfField } from '../../../../tables/field-types/read-field.ts'
import type { Table } from '../../../../tables/tables/table.ts'
import type { KeyedDependencies } from './find-by-key.ts'

/** Rows with ids in place of titles, and what is wrong with those that name no record, or several, by their place. */
export interface ReadTitles {
  readonly rows: readonly unknown[]
  readonly errors: ReadonlyMap<number, FieldErrors>
}

type Meaning = { readonly id: number } | { readonly error: string }

/** Records that are read at once. */
const pageRecords = 1000
/** Records among which the nearest title is looked for, and values for which it is. */
const comparedRecords = 200
const maxSuggestions = 20
/** Letters that a mistyped title begins with as well. */
const sameLetters = 2

/**
 * Reads texts in columns of references as the records that they mean: by the unique texts and numbers of the other table,
 * else by its title, as far as the actor may read them. What was found once is known for the rest of the import; some rows
 * cost one list for each of their columns of references.
 */
export function openTitles(
  services: KeyedDependencies,
  actor: Actor,
  table: Table,
): (rows: readonly unknown[]) => Promise<ReadTitles> {
  const columns = table.table_fields.flatMap((field) => {
    const target = referencedTable(field)
    return target === undefined ? [] : [{ name: field.name, target, known: new Map<string, Meaning | undefined>() }]
  })
  const nearest = { of: openSuggestions(), left: maxSuggestions }

  return async (rows) => {
    const after: unknown[] = [...rows]
    const errors = new Map<number, FieldErrors>()
    for (const { name, target, known } of columns) {
      const texts = new Map<number, string>()
      for (const [index, row] of rows.entries()) {
        const value = isObject(row) ? row[name] : undefined
        if (typeof value === 'string' && value.trim() !== '') texts.set(index, value.trim())
      }
      const unknown = [...new Set(texts.values())].filter((text) => !known.has(text))
      if (unknown.length > 0)
        for (const [text, meaning] of await meaningsOf(services, actor, target, unknown, nearest))
          known.set(text, meaning)
      for (const [index, text] of texts) {
        const meaning = known.get(text)
        if (meaning === undefined) continue
        if ('id' in meaning) after[index] = { ...(after[index] as object), [name]: meaning.id }
        else errors.set(index, Object.assign(errors.get(index) ?? byName<string[]>(), { [name]: [meaning.error] }))
      }
    }
    return { rows: after, errors }
  }
}

const isObject = (row: unknown): row is Readonly<Record<string, unknown>> =>
  typeof row === 'object' && row !== null && !Array.isArray(row)

type Nearest = { readonly of: ReturnType<typeof openSuggestions>; left: number }

/** What each text means; a text is left alone where the actor may read no title and no key of the other table. */
async function meaningsOf(
  services: KeyedDependencies,
  actor: Actor,
  model: string,
  texts: readonly string[],
  nearest: Nearest,
): Promise<Map<string, Meaning | undefined>> {
  const target = mayOnTable(actor, model, 'read') ? await services.tables.find(actor.tenant, model) : undefined
  const names = target ? namingFields(actor, target) : []
  if (!target || names.length === 0) return new Map(texts.map((text) => [text, undefined]))
  const { found, isWhole } = await findNamed(services, actor, target, names, texts, maxKeyMatches)
  if (!isWhole)
    for (const text of texts) {
      const alone = await findNamed(services, actor, target, names, [text], 2)
      found.set(text, alone.found.get(text) ?? new Set())
    }
  for (const [text, id] of await mergedNamed(
    services,
    actor,
    target,
    names,
    texts.filter((one) => !found.get(one)?.size),
  ))
    found.set(text, new Set([id]))
  const titles = await titlesLike(
    services,
    actor,
    target,
    texts.filter((text) => !found.get(text)?.size),
    nearest,
  )
  const called = publicTable(actor.tenant, model)
  return new Map(
    texts.map((text): [string, Meaning] => {
      const [id, ...others] = found.get(text) ?? []
      if (id === undefined)
        return [
          text,
          { error: `No record of ${called} is called ${shown(text)}.${didYouMean(text, titles, nearest.of)}` },
        ]
      if (others.length === 0) return [text, { id }]
      const ids = [id, ...others].slice(0, 5).map(String)
      return [text, { error: `Several records of ${called} are called ${shown(text)}: ${listed(ids)}. Use the id.` }]
    }),
  )
}

/** The fields by whose texts records are named, the unique ones first. */
function namingFields(actor: Actor, target: Table): readonly string[] {
  const readable = permittedFields(actor, target.name, 'read')
  const isText = (name: string): boolean => {
    const field = target.fieldsByName.get(name)
    return field !== undefined && ['text', 'numbered'].includes(typeOfField(field).kind) && !typeOfField(field).choices
  }
  const numbers = target.table_fields.filter((field) => typeOfField(field).generate).map(({ name }) => name)
  const names = [...target.uniqueFields, ...numbers, ...(target.title_field === null ? [] : [target.title_field])]
  return [...new Set(names)].filter((name) => isText(name) && (readable?.has(name) ?? true))
}

/** The ids of the records that texts name, at most so many. A key names one record, whatever the titles of others are. */
async function findNamed(
  { queries }: KeyedDependencies,
  actor: Actor,
  target: Table,
  names: readonly string[],
  texts: readonly string[],
  most: number,
): Promise<{ readonly found: Map<string, ReadonlySet<number>>; readonly isWhole: boolean }> {
  const query = await queries.parse(actor, target, {
    filter: { _or: names.map((name) => ({ [name]: { _in: texts } })) },
    sort: ['id'],
  })
  const wanted = new Set(texts)
  const byField = names.map(() => new Map<string, Set<number>>())
  let read = 0
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<typeof queries.page>> = await queries.page(actor.tenant, target, query, {
      offset: 0,
      limit: Math.min(pageRecords, most),
      cursor,
    })
    for (const { id, data } of page.rows)
      for (const [index, name] of names.entries()) {
        const value = data[name]
        if (typeof value !== 'string' || !wanted.has(value)) continue
        const ids = byField[index] as Map<string, Set<number>>
        ids.set(value, (ids.get(value) ?? new Set()).add(id))
      }
    read += page.rows.length
    cursor = page.nextCursor
  } while (cursor !== null && read < most)
  const found = new Map(
    texts.map((text) => [
      text,
      byField.map((ids) => ids.get(text)).find((ids) => ids !== undefined) ?? new Set<number>(),
    ]),
  )
  return { found, isWhole: cursor === null }
}

/** The records that others were merged into which texts name by a unique value or a number, as far as the actor may read both. */
async function mergedNamed(
  { store, access }: KeyedDependencies,
  actor: Actor,
  target: Table,
  names: readonly string[],
  texts: readonly string[],
): Promise<readonly (readonly [string, number])[]> {
  const asked = texts.flatMap((text) => names.map((field) => ({ text, field, value: text })))
  const holders = await mergedByValues(store, actor.tenant, target, asked)
  const readable = await readableHolders(
    access,
    actor,
    target.name,
    holders.filter((one) => one !== undefined),
  )
  return asked.flatMap(({ text }, index) => {
    const holder = holders[index]
    return holder && readable.includes(holder) ? [[text, idsOfHolder(holder).into] as const] : []
  })
}

/** Titles that begin as texts do which name no record. */
async function titlesLike(
  { queries }: KeyedDependencies,
  actor: Actor,
  target: Table,
  texts: readonly string[],
  nearest: Nearest,
): Promise<readonly string[]> {
  const name = target.title_field
  const asked = texts.slice(0, nearest.left)
  if (asked.length === 0 || name === null || !namingFields(actor, target).includes(name)) return []
  nearest.left -= asked.length
  const query = await queries.parse(actor, target, {
    filter: { _or: asked.map((text) => ({ [name]: { _istarts_with: [...text].slice(0, sameLetters).join('') } })) },
    sort: ['id'],
  })
  const { rows } = await queries.page(actor.tenant, target, query, { offset: 0, limit: comparedRecords })
  return [...new Set(rows.flatMap(({ data }) => (typeof data[name] === 'string' ? [data[name]] : [])))]
}
