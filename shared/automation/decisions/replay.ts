import { byName } from '../../kernel/collections/own-members.ts'
import { Fault, Forbidden, Invalid } from '../../kernel/failures/faults.ts'
import { maxReplayMs, maxReplayRecords } from '../../kernel/limits/decisions.ts'
import { mayOnTable } from '../../kernel/permissions.ts'
import type { Caller } from '../../kernel/principal.ts'
import { didYouMean, shown, thereIsNo } from '../../kernel/text/did-you-mean.ts'
import type { Queries, QueryPage, Row } from '../../lists/query/service.ts'
import { standardFieldsByName } from '../../lists/query/service.ts'
import { flatRecord, readLivingRecord } from '../../records/records/service.ts'
import type { Table, Tables } from '../../tables/tables/service.ts'
import { findAmong, noVersion } from './decision.ts'
import { type DecisionDependencies, decisions } from './decisions.ts'
import type { DecisionModel } from './definition/model.ts'
import { requireKnown } from './evaluate/evaluate-by-request.ts'
import { type EvaluateModel, openEvaluation } from './evaluate/evaluate-version.ts'
import type { Outcomes, ReplayAnswer, ReplayBody } from './schema.ts'

export interface ReplayDependencies extends DecisionDependencies {
  readonly tables: Pick<Tables, 'find' | 'all'>
  readonly queries: Pick<Queries, 'parse' | 'page'>
}

const recordsPerRead = 200
const maxExamples = 5
const maxFailures = 10
const maxResults = 20

type FlatRecord = Readonly<Record<string, unknown>>

/**
 * Evaluates a decision, and a candidate beside it, for the newest records of a table that match, and counts what each rule
 * answers. Writes nothing. Throws NotFound, Forbidden, and Invalid for a wrong filter, mapping or candidate.
 */
export async function replayDecision(
  services: ReplayDependencies,
  caller: Caller,
  reference: string,
  body: ReplayBody,
): Promise<ReplayAnswer> {
  const { tenant } = caller
  const one = findAmong(await decisions.allFresh(services, tenant), reference)
  const version = body.version ?? one.version
  const model = await services.openModel(tenant, one.id, version)
  if (model === undefined) throw noVersion(one, version)
  const table = await requireTable(services.tables, caller, body.model)
  const other = body.dmn_xml === undefined ? undefined : await readCandidate(services, one.code, body.dmn_xml)
  const mapping = body.mapping ?? {}
  const known = [model, ...(other ? [other] : [])].flatMap(({ inputs }) => inputs.map(({ name }) => name))
  requireKnown(Object.keys(mapping), [...new Set(known)], (name) => `mapping.${name}`)
  const sources = sourcesOf([...new Set(known)], mapping, table)
  const evaluate = await openEvaluation(services.clock.now, `The decision ${one.code}`)
  const counted = openCount(model, evaluate)
  const compared = other && openCount(other, evaluate)
  const differing: { id: number; result: unknown; candidate: unknown }[] = []
  let [differs, evaluated] = [0, 0]

  const { total } = await readRecords(services, caller, table, body, (record) => {
    const given = Object.fromEntries(sources.map(([name, field]) => [name, valueOf(record, field)]))
    const id = Number(record.id)
    evaluated += 1
    const result = counted.add(id, given)
    if (compared === undefined) return
    const candidate = compared.add(id, given)
    if (JSON.stringify(result) === JSON.stringify(candidate)) return
    differs += 1
    if (differing.length < maxFailures) differing.push({ id, result, candidate })
  })
  return {
    version,
    total,
    evaluated,
    is_complete: evaluated >= total,
    ...counted.outcomes(),
    ...(compared && { candidate: { ...compared.outcomes(), differs: { count: differs, records: differing } } }),
  }
}

async function requireTable(tables: ReplayDependencies['tables'], caller: Caller, name: string): Promise<Table> {
  const table = await tables.find(caller.tenant, name)
  if (table === undefined) {
    const names = (await tables.all(caller.tenant)).map((one) => one.name)
    throw new Invalid({ model: [`The selected model is invalid: ${thereIsNo('table', name, names)}`] })
  }
  if (!mayOnTable(caller, name, 'read')) throw new Forbidden('forbidden', `You need the permission ${name}.read.`)
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

/** Reads the newest records that match, as long as there is time. */
async function readRecords(
  { queries, clock }: ReplayDependencies,
  caller: Caller,
  table: Table,
  { filter, limit = maxReplayRecords }: ReplayBody,
  each: (record: FlatRecord) => void,
): Promise<{ readonly total: number }> {
  const endsAt = clock.now() + maxReplayMs
  const query = await queries.parse(caller, table, { filter: filter ?? {}, sort: ['-id'] }, { checksSlugs: true })
  let cursor: string | null = null
  let [left, total] = [limit, 0]
  do {
    const page: QueryPage = await queries.page(caller.tenant, table, query, {
      offset: 0,
      limit: Math.min(recordsPerRead, left),
      cursor,
    })
    total = Math.max(total, page.total)
    for (const row of page.rows) {
      if (clock.now() > endsAt) return { total }
      const record = recordOf(row, table)
      if (record) each(record)
    }
    left -= page.rows.length
    cursor = page.nextCursor
  } while (cursor !== null && left > 0)
  return { total }
}

function recordOf({ item }: Row, table: Table): FlatRecord | undefined {
  const living = readLivingRecord(item, table)
  return living && flatRecord(table, living)
}

/** Counts what a model answers. */
function openCount(model: DecisionModel, evaluate: EvaluateModel) {
  const last = model.decisions.at(-1)?.logic
  const rules = new Map(
    (last?.is === 'table' ? last.rules : []).map(({ id }) => [id, { id, matched: 0, records: [] as number[] }]),
  )
  const noMatch = { count: 0, records: [] as number[] }
  const failed = { count: 0, records: [] as { id: number; message: string }[] }
  const results = new Map<string, { result: unknown; count: number }>()

  return {
    /** The result; a message when there is none. */
    add(id: number, given: FlatRecord): unknown {
      try {
        const answer = evaluate(model, given)
        for (const rule of answer.rules) count(rules.get(rule), id)
        if (answer.rules.length === 0 && last?.is === 'table') {
          noMatch.count += 1
          if (noMatch.records.length < maxExamples) noMatch.records.push(id)
        }
        const key = JSON.stringify(answer.result)
        const known = results.get(key) ?? { result: answer.result, count: 0 }
        results.set(key, { ...known, count: known.count + 1 })
        return answer.result
      } catch (error) {
        if (!(error instanceof Fault)) throw error
        failed.count += 1
        if (failed.records.length < maxFailures) failed.records.push({ id, message: error.message })
        return { error: error.message }
      }
    },
    outcomes: (): Outcomes => ({
      rules: [...rules.values()],
      no_match: noMatch,
      failed,
      results: [...results.values()].toSorted((a, b) => b.count - a.count).slice(0, maxResults),
    }),
  }

  function count(rule: { matched: number; records: number[] } | undefined, id: number): void {
    if (rule === undefined) return
    rule.matched += 1
    if (rule.records.length < maxExamples) rule.records.push(id)
  }
}
