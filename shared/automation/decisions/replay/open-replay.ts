import { byName } from '../../../kernel/collections/own-members.ts'
import { Forbidden, Invalid } from '../../../kernel/failures/faults.ts'
import { mayOnTable } from '../../../kernel/permissions.ts'
import type { Viewer } from '../../../kernel/principal.ts'
import { didYouMean, shown, thereIsNo } from '../../../kernel/text/did-you-mean.ts'
import { standardFieldsByName } from '../../../lists/query/grammar/field.ts'
import type { QueryPage } from '../../../lists/query/read/read-page.ts'
import type { Row } from '../../../lists/query/read/row.ts'
import type { Queries } from '../../../lists/query/service.ts'
import { flatRecord } from '../../../records/records/hooks/script-records.ts'
import { readLivingRecord } from '../../../records/records/record-item.ts'
import type { Tables } from '../../../tables/tables/read-tables.ts'
import type { Table } from '../../../tables/tables/table.ts'
import { findAmong, noVersion } from '../decision.ts'
import { type DecisionDependencies, decisions } from '../decisions.ts'
import type { DecisionModel } from '../definition/model.ts'
import { requireKnown } from '../evaluate/evaluate-by-request.ts'
import { openEvaluation } from '../evaluate/evaluate-version.ts'
import type { ReplayAnswer, ReplayBody } from '../schema.ts'
import { type Counted, cut, openCount, type ResultBounds } from './count-outcomes.ts'

export interface ReplayDependencies extends DecisionDependencies {
  readonly tables: Pick<Tables, 'find' | 'all'>
  readonly queries: Pick<Queries, 'parse' | 'page'>
}

const recordsPerRead = 200
const maxDiffering = 10

type FlatRecord = Readonly<Record<string, unknown>>

/** How far a replay is. Jobs keep it between their steps, so its members are a stored format. */
export interface ReplayProgress {
  readonly evaluated: number
  readonly total: number
  /** The page that is being evaluated, and the last record of it that was. */
  readonly cursor: string | null
  readonly lastId: number | null
  readonly counted?: Counted
  readonly compared?: Counted
  readonly differs: number
  readonly differing: readonly { readonly id: number; readonly result: unknown; readonly candidate: unknown }[]
}

const nothingYet: ReplayProgress = { evaluated: 0, total: 0, cursor: null, lastId: null, differs: 0, differing: [] }

/**
 * Prepares the evaluation of a decision, and of a candidate beside it, for the records of a table. Throws NotFound,
 * Forbidden, and Invalid for a wrong filter, mapping or candidate.
 */
export async function openReplay(services: ReplayDependencies, viewer: Viewer, reference: string, body: ReplayBody) {
  const { tenant } = viewer
  const { clock, queries } = services
  const one = findAmong(await decisions.allFresh(services, tenant), reference)
  const version = body.version ?? one.version
  const model = await services.openModel(tenant, one.id, version)
  if (model === undefined) throw noVersion(one, version)
  const table = await requireTable(services.tables, viewer, body.model)
  const other = body.dmn_xml === undefined ? undefined : await readCandidate(services, one.code, body.dmn_xml)
  const mapping = body.mapping ?? {}
  const known = [model, ...(other ? [other] : [])].flatMap(({ inputs }) => inputs.map(({ name }) => name))
  requireKnown(Object.keys(mapping), [...new Set(known)], (name) => `mapping.${name}`)
  const sources = sourcesOf([...new Set(known)], mapping, table)
  const evaluate = await openEvaluation(clock.now, `The decision ${one.code}`)
  const query = await queries.parse(viewer, table, { filter: body.filter ?? {}, sort: ['-id'] }, { checksSlugs: true })
  const read = (cursor: string | null, limit: number): Promise<QueryPage> =>
    queries.page(tenant, table, query, { offset: 0, limit, cursor })

  /** How many records match. */
  const count = async (): Promise<number> => (await read(null, 1)).total

  /**
   * Evaluates the newest records, at most `limit` with those of before, until `isOver`. `isDone`: none is left.
   */
  async function advance(
    before: ReplayProgress | undefined,
    limit: number,
    isOver: () => boolean,
    bounds?: ResultBounds,
  ): Promise<{ readonly progress: ReplayProgress; readonly isDone: boolean; outcomes(): ReplayAnswer }> {
    const counted = openCount(model as DecisionModel, evaluate, before?.counted, bounds)
    const compared = other && openCount(other, evaluate, before?.compared, bounds)
    const differing = [...(before?.differing ?? [])]
    let { evaluated, total, cursor, lastId, differs } = before ?? nothingYet
    let isDone = false
    const kept = (value: unknown) => (bounds ? cut(value, bounds.maxCharacters) : value)

    const evaluateRecord = (record: FlatRecord): void => {
      const given = Object.fromEntries(sources.map(([name, field]) => [name, valueOf(record, field)]))
      const id = Number(record.id)
      evaluated += 1
      const result = counted.add(id, given)
      if (compared === undefined) return
      const candidate = compared.add(id, given)
      if (JSON.stringify(result) === JSON.stringify(candidate)) return
      differs += 1
      if (differing.length < maxDiffering) differing.push({ id, result: kept(result), candidate: kept(candidate) })
    }

    pages: while (evaluated < limit) {
      const page = await read(cursor, recordsPerRead)
      total = Math.max(total, page.total)
      for (const row of page.rows) {
        const record = recordOf(row, table)
        if (record === undefined || (lastId !== null && Number(record.id) >= lastId)) continue
        if (evaluated >= limit || isOver()) break pages
        evaluateRecord(record)
        lastId = Number(record.id)
      }
      isDone = page.nextCursor === null
      if (isDone) break
      cursor = page.nextCursor
    }
    return {
      progress: {
        evaluated,
        total,
        cursor,
        lastId,
        counted: counted.counted(),
        ...(compared && { compared: compared.counted() }),
        differs,
        differing,
      },
      isDone: isDone || evaluated >= limit,
      outcomes: () => ({
        version,
        total,
        evaluated,
        is_complete: evaluated >= total,
        ...counted.outcomes(),
        ...(compared && { candidate: { ...compared.outcomes(), differs: { count: differs, records: differing } } }),
      }),
    }
  }

  return { version, count, advance }
}

async function requireTable(tables: ReplayDependencies['tables'], viewer: Viewer, name: string): Promise<Table> {
  const table = await tables.find(viewer.tenant, name)
  if (table === undefined) {
    const names = (await tables.all(viewer.tenant)).map((one) => one.name)
    throw new Invalid({ model: [`The selected model is invalid: ${thereIsNo('table', name, names)}`] })
  }
  if (!mayOnTable(viewer, name, 'read')) throw new Forbidden('forbidden', `You need the permission ${name}.read.`)
  return table
}

async function readCandidate({ compile }: ReplayDependencies, code: string, xml: string): Promise<DecisionModel> {
  const made = await compile(xml, code)
  if ('problems' in made) throw new Invalid({ dmn_xml: [...made.problems] })
  return made.model
}

/** The whole record, for an input of this name. */
const wholeRecord = 'record'

/** The field that each input takes its value from. Throws Invalid. */
function sourcesOf(
  inputs: readonly string[],
  mapping: Readonly<Record<string, string>>,
  { name: table, fieldsByName }: Table,
): readonly (readonly [name: string, field: string])[] {
  const errors: Record<string, string[]> = byName()
  const fields = [...fieldsByName.keys(), ...standardFieldsByName.keys()]
  const sources = inputs.map((name) => {
    const mapped = Object.hasOwn(mapping, name) ? mapping[name] : undefined
    const field = (mapped ?? name).replace(/^record\./, '')
    const isKnown = field === wholeRecord || fields.includes(field)
    if (!isKnown)
      errors[`mapping.${name}`] = [
        mapped === undefined
          ? `The table ${table} has no field ${shown(name)}: say which one the input ${shown(name)} takes its value from.${didYouMean(name, fields)}`
          : `The table ${table} has no field ${shown(field)}.${didYouMean(field, fields)}`,
      ]
    return [name, field] as const
  })
  if (Object.keys(errors).length > 0) throw new Invalid(errors)
  return sources
}

const valueOf = (record: FlatRecord, field: string): unknown =>
  field === wholeRecord ? record : Object.hasOwn(record, field) ? (record[field] ?? null) : null

function recordOf({ item }: Row, table: Table): FlatRecord | undefined {
  const living = readLivingRecord(item, table)
  return living && flatRecord(table, living)
}
