import { formerTableNameDays, maxFormerTableNames } from './limits/tables.ts'
import { isoTime } from './time/clock.ts'

/*
 * A table keeps the name under which its rows are stored, and everything inside the service knows it by that name. What
 * enters and leaves the service has the name that people gave the table last (docs/decisions/0094).
 */

/** The tables of a tenant that people call otherwise than they are stored. */
export interface RenamedTables {
  /** What a table is called, by its stored name. */
  readonly names: Readonly<Record<string, string>>
  /** The stored name of the table that had a name before, and until when addresses with that name lead to it (ISO). */
  readonly former: Readonly<Record<string, FormerName>>
}

export interface FormerName {
  readonly table: string
  readonly until: string
}

/** Whose tables are named. Undefined while none is called otherwise than it is stored. */
export interface NamesTables {
  readonly renamedTables?: RenamedTables
}

const storedByName = new WeakMap<RenamedTables, ReadonlyMap<string, string>>()

function storedNamesOf(renamed: RenamedTables): ReadonlyMap<string, string> {
  const known = storedByName.get(renamed)
  if (known) return known
  const made = new Map(Object.entries(renamed.names).map(([stored, name]) => [name, stored]))
  storedByName.set(renamed, made)
  return made
}

/**
 * The name under which the table that is called `name` is stored. For a name that no table has, while a table is stored
 * under it, the name that a new table of this name would be stored under.
 */
export function storedTable({ renamedTables: renamed }: NamesTables, name: string): string {
  if (!renamed) return name
  const stored = storedNamesOf(renamed).get(name)
  if (stored !== undefined) return stored
  if (!Object.hasOwn(renamed.names, name)) return name
  for (let number = 2; ; number += 1) {
    const free = `${name}~${number}`
    if (!Object.hasOwn(renamed.names, free)) return free
  }
}

/** What the table is called that is stored under `stored`. */
export function publicTable({ renamedTables: renamed }: NamesTables, stored: string): string {
  if (!renamed) return stored
  return Object.hasOwn(renamed.names, stored) ? (renamed.names[stored] as string) : stored.replace(/~\d+$/, '')
}

/** The table that `name` led to before it was renamed, while the name still leads there; undefined for any other name. */
export function formerTable(
  { renamedTables: renamed }: NamesTables,
  name: string,
  nowMs: number,
): FormerName | undefined {
  if (!renamed || !Object.hasOwn(renamed.former, name) || storedNamesOf(renamed).has(name)) return undefined
  const former = renamed.former[name] as FormerName
  return former.until > isoTime(nowMs) ? former : undefined
}

/** `storedTable` for the names in scripts, which may use a former name as long as addresses may. */
export const storedTableInScript = (tenant: NamesTables, name: string, nowMs: number): string =>
  formerTable(tenant, name, nowMs)?.table ?? storedTable(tenant, name)

/**
 * The names after a table is called `name`: created under that name, or renamed. `was`: what it was called before. Answers
 * undefined when every table is called as it is stored, and no former name is left.
 */
export function withTableName(
  renamed: RenamedTables | undefined,
  {
    stored,
    name,
    was,
    nowMs,
  }: { readonly stored: string; readonly name: string; readonly was?: string; readonly nowMs: number },
): RenamedTables | undefined {
  const { [stored]: _before, ...names } = renamed?.names ?? {}
  const { [name]: _taken, ...others } = renamed?.former ?? {}
  const former: Record<string, FormerName> = others
  if (was !== undefined && was !== name)
    former[was] = { table: stored, until: isoTime(nowMs + formerTableNameDays * 24 * 3_600_000) }
  return kept({ ...names, ...(name !== stored && { [stored]: name }) }, former, nowMs)
}

/** The names without those of a table that is deleted. */
export function withoutTable(renamed: RenamedTables, stored: string, nowMs: number): RenamedTables | undefined {
  const { [stored]: _gone, ...names } = renamed.names
  return kept(
    names,
    Object.fromEntries(Object.entries(renamed.former).filter(([, { table }]) => table !== stored)),
    nowMs,
  )
}

function kept(
  names: RenamedTables['names'],
  former: RenamedTables['former'],
  nowMs: number,
): RenamedTables | undefined {
  const now = isoTime(nowMs)
  const left = Object.entries(former)
    .filter(([, { until }]) => until > now)
    .sort(([, one], [, other]) => (one.until < other.until ? 1 : -1))
    .slice(0, maxFormerTableNames)
  if (Object.keys(names).length === 0 && left.length === 0) return undefined
  return { names, former: Object.fromEntries(left) }
}

const inTexts = new WeakMap<RenamedTables, RegExp>()

/** Where a text speaks of a table by its stored name: other words may be the same as one. */
function inText(renamed: RenamedTables): RegExp {
  const known = inTexts.get(renamed)
  if (known) return known
  const words = Object.keys(renamed.names).filter((stored) => !stored.includes('~'))
  const named = `(?:${words.join('|')})(?![\\w~])`
  const free = '\\b[a-z][a-z0-9_]*~\\d+(?![\\w~])'
  const spoken = `(?<=\\b(?:tables?|of|in|to|from|mean|permission) )${named}|(?<=^(?:tables|views)\\.)${named}`
  const made = new RegExp(words.length === 0 ? free : `${free}|${spoken}`, 'g')
  inTexts.set(renamed, made)
  return made
}

/** A text with the names that tables have, where it speaks of tables by their stored names. */
export function withPublicNames(tenant: NamesTables, text: string): string {
  const { renamedTables: renamed } = tenant
  return renamed ? text.replaceAll(inText(renamed), (stored) => publicTable(tenant, stored)) : text
}

/** Standard fields: callers never set them, and no custom field has such a name. */
export const standardFields: ReadonlySet<string> = new Set([
  'id',
  'tenant_id',
  'created_by',
  'updated_by',
  'created_at',
  'updated_at',
  'version',
])
