import type { QueryBody } from '../schema.ts'
import type { GridColumns } from './grid-columns.ts'
import { readGridFilter, type Filter, type GridFilterContext } from './grid-filter.ts'

/** A part of a filter with its path in the grid's request. */
export interface FilterPart {
  readonly path: string
  readonly filter: Filter
}

type FilterModel = NonNullable<QueryBody['filterModel']>

/** Translates the model of the column filters, or of the advanced filter, whose members are not columns. */
export function readFilterModel(model: FilterModel, columns: GridColumns, context: GridFilterContext): FilterPart[] {
  if (typeof model.filterType === 'string') return readAdvanced(model, 'filterModel', columns, context)
  return Object.entries(model).map(([column, given]): FilterPart => {
    const path = `filterModel.${column}`
    return { path, filter: readGridFilter(columns(column), given, path, context) }
  })
}

/** What is joined by AND makes several parts, so that an error names the one that it is about. */
function readAdvanced(given: unknown, path: string, columns: GridColumns, context: GridFilterContext): FilterPart[] {
  const refuse = (message: string, at = path): FilterPart[] => {
    context.errors[at] = [message]
    return []
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return refuse(`The ${path} must be an object.`)
  const { filterType, type, conditions, colId } = given as Readonly<Record<string, unknown>>
  if (filterType !== 'join') {
    if (typeof colId !== 'string') return refuse('A condition needs the colId of its column.', `${path}.colId`)
    return [{ path, filter: readGridFilter(columns(colId), given, path, context) }]
  }
  if (type !== 'AND' && type !== 'OR') return refuse('The type must be AND or OR.', `${path}.type`)
  if (!Array.isArray(conditions)) return refuse(`The ${path}.conditions must be an array.`)
  const joined = conditions.map((one, at) => readAdvanced(one, `${path}.conditions.${at}`, columns, context))
  if (type === 'AND') return joined.flat()
  const parts = joined.map((one) => ({ _and: one.map(({ filter }) => filter) }))
  return [{ path, filter: { _or: parts } }]
}
