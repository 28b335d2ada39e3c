import { createTurns } from '../../../kernel/runtime/give-way.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import { saidModel } from '../../../platform/queue/change-feed/said-event.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Table } from '../../../tables/tables/table.ts'
import { isLongColumn } from '../../columns/column-values.ts'
import type { Columns } from '../../columns/reader/create-columns.ts'
import type { ColumnView } from '../../columns/reader/view.ts'
import type { Expression, QueryField } from '../grammar/expression.ts'
import { relatedName } from '../grammar/field.ts'
import type { SearchTerms } from '../grammar/search-terms.ts'
import type { Condition } from './apply-condition.ts'
import { columnsNeeded, type NeededColumns, referredTables } from './columns-needed.ts'
import { hearWords, openSaid } from './hear-words.ts'
import { type FoundChunks, foundKeys } from './keys/found-keys.ts'
import type { KeySource } from './keys/key-source.ts'
import { rescoreFound } from './rescore-found.ts'
import { type Scratch, takeScratch } from './scratch.ts'
import type { Selecting } from './select.ts'
import { createSources } from './sources.ts'

export interface EvaluationDependencies {
  readonly store: Store
  readonly columns: Columns
}

/** What a query asks of the columns. */
export interface Question {
  readonly filter: Expression
  readonly search?: SearchTerms
  /** The fields of sorts, groups and measures. */
  readonly fields: readonly QueryField[]
}

/** A query over one table, ready to be evaluated on its columns. */
export interface Evaluation extends Selecting {
  /** The columns that it uses, by table. */
  readonly needed: NeededColumns
  /** The columns of whole texts that it needs and nobody has: too large for a table's columns. */
  readonly leftOut: readonly string[]
  keysOf(field: QueryField): KeySource
  /** Memory of the evaluation, until it is released. */
  readonly scratch: Scratch
  release(): void
}

/** Opens the columns that a query needs, and prepares its filter and keys. The caller releases the answer. */
export async function openEvaluation(
  services: EvaluationDependencies,
  tenant: Tenant,
  table: Table,
  question: Question,
): Promise<Evaluation> {
  const [evaluation] = await openEvaluations(services, tenant, table, [question])
  return evaluation as Evaluation
}

/**
 * The same for several queries of one table, which see the columns of one moment. Releasing one of the answers releases
 * all of them.
 */
export async function openEvaluations(
  services: EvaluationDependencies,
  tenant: Tenant,
  table: Table,
  questions: readonly Question[],
): Promise<readonly Evaluation[]> {
  const needed = columnsOf(table.name, questions)
  const referred = new Map(questions.flatMap(({ filter, fields }) => [...referredTables(filter, fields)]))
  const searches = questions.some(({ search }) => search !== undefined)
  const views = new Map<string, ColumnView>()
  const scratch = takeScratch()
  let isReleased = false
  const release = (): void => {
    if (!isReleased) scratch.release()
    isReleased = true
    for (const view of views.values()) view.release()
    views.clear()
  }
  try {
    const opening = [...needed].map(async ([model, columns]) => {
      const isOwn = model === table.name
      const fields = isOwn ? table : referred.get(model)
      const options = { ...(searches && isOwn && { words: table }), ...(fields && { fields }) }
      views.set(model, await services.columns.open(tenant, model, [...columns], options))
    })
    if (searches) {
      const terms = questions.flatMap(({ search }) => search?.terms ?? [])
      opening.push(openSaid(services.columns, tenant, terms).then((view) => void views.set(saidModel, view)))
    }
    await Promise.allSettled(opening)
    await Promise.all(opening)
    const viewOf = (model: string): ColumnView => views.get(model) as ColumnView
    const turn = createTurns()
    const sources = createSources(services.store, tenant, viewOf, turn)
    const view = viewOf(table.name)
    const evaluations: Evaluation[] = []
    for (const question of questions) evaluations.push(await evaluationOf(question))
    return evaluations

    async function evaluationOf({ filter, search, fields }: Question): Promise<Evaluation> {
      if (search)
        search.heard = await hearWords(
          services.store,
          tenant,
          table.name,
          { said: viewOf(saidModel), view },
          search,
          turn,
        )
      const indexed = search && (await view.search(search.terms, search.heard))
      const found = search?.rescore && indexed ? await rescoreFound(view, indexed, search.rescore, turn) : indexed
      const keys = new Map<string, KeySource>()
      for (const field of fields)
        keys.set(
          nameOf(field),
          field.name === '$rank' && found ? foundKeys(found) : await sources.keysOn(table.name, field),
        )
      const filtered = await sources.conditionOn(table.name, filter)
      return {
        view,
        needed,
        turn,
        scratch,
        release,
        leftOut: [...needed].flatMap(([model, columns]) =>
          [...columns].filter((column) => isLongColumn(column) && viewOf(model).isLeftOut(column)),
        ),
        condition: found ? { kind: 'all', of: [foundCondition(found), filtered] } : filtered,
        keysOf: (field) => keys.get(nameOf(field)) as KeySource,
      }
    }
  } catch (error) {
    release()
    throw error
  }
}

/** The columns that several queries of a table need. */
function columnsOf(table: string, questions: readonly Question[]): NeededColumns {
  const needed: NeededColumns = new Map()
  const addAll = (model: string, columns: Iterable<string>): void => {
    const known = needed.get(model) ?? new Set()
    for (const column of columns) known.add(column)
    needed.set(model, known)
  }
  for (const { filter, search, fields } of questions) {
    for (const [model, columns] of columnsNeeded(table, filter, fields)) addAll(model, columns)
    addAll(table, search?.rescore?.columns ?? [])
  }
  return needed
}

const nameOf = (field: QueryField): string => (field.via ? `${relatedName(field.via)}.${field.name}` : field.path)

const foundCondition = (found: FoundChunks): Condition => ({
  kind: 'found',
  positions: (chunk) => found(chunk)?.positions,
})
