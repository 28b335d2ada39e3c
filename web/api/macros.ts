import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { api, type Schemas } from './client.ts'
import { queryClient } from './query-client.ts'
import { type EntityRecord, recordKey } from './records.ts'

export type Macro = Schemas['ListMacrosData']

/** The macros that the caller may run. */
const macrosQuery = queryOptions({
  queryKey: ['macros'],
  queryFn: async ({ signal }): Promise<readonly Macro[]> =>
    (await api.get('/api/sys/macros', { params: { query: { per_page: 100, sort: 'name' } }, signal })).data,
  staleTime: 5 * 60_000,
})

/** The macros of a table that can run. */
export function useMacrosOf(model: string): readonly Macro[] {
  const { data = [] } = useQuery(macrosQuery)
  return data.filter((macro) => macro.model === model && macro.problem === null)
}

export interface MacroRun {
  readonly record: EntityRecord
  /** The record that followed in the view; undefined where the macro does not go on. */
  readonly next: number | null | undefined
}

/** Runs a macro on a record. `view`: the list that its next record is taken from. */
export const useRunMacro = (model: string) =>
  useMutation({
    mutationFn: async ({ id, macro, view }: { id: number; macro: Macro; view?: number }): Promise<MacroRun> => {
      const path = { model, id, macro_id: macro.id }
      const { data, meta } = (await api.post('/api/e/{model}/{id}/macros/{macro_id}', {
        params: { path, query: { view } },
      })) as { readonly data: EntityRecord; readonly meta?: { readonly next?: number | null } }
      return { record: data, next: meta?.next }
    },
    onSuccess({ record }) {
      queryClient.setQueryData(recordKey(model, record.id), record)
      void queryClient.invalidateQueries({ queryKey: ['about', model, record.id] })
      void queryClient.invalidateQueries({ queryKey: ['records', model, 'counts'] })
      void queryClient.invalidateQueries({ queryKey: ['records', model, 'list'] })
    },
  })
