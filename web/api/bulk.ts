import { useMutation } from '@tanstack/react-query'
import { api, type Schemas } from './client.ts'
import { type Progress, resultOf } from './jobs.ts'
import { queryClient } from './query-client.ts'
import type { Filter, RecordData } from './records.ts'

/** The records of a bulk change: those that were chosen, or all that match or that a view has. */
export type Chosen = { readonly ids: readonly number[] } | { readonly filter: Filter } | { readonly view: number }
export type BulkChange = { readonly set: RecordData } | { readonly delete: true } | { readonly macro: number }
export type BulkResult = Schemas['ChangeRecordsData']
export type UndoResult = Schemas['UnmergeRecordData']

/** Says what a bulk change would do; nothing is written. */
export const useBulkPreview = (model: string, chosen: Chosen) =>
  useMutation({ mutationFn: (change: BulkChange) => send(model, { ...chosen, ...change, dry_run: true }) })

/** Changes the records that the preview found: with another number of them nothing is done. */
export const useBulkChange = (model: string, chosen: Chosen, onProgress: (progress: Progress) => void) =>
  useMutation({
    mutationFn: ({ change, expect }: { change: BulkChange; expect: number }) =>
      send(model, { ...chosen, ...change, expect }, onProgress),
    onSettled: () => refresh(model),
  })

/** Undoes a bulk change; what was changed since stays and is reported. */
export async function undoBatch(model: string, id: number): Promise<UndoResult> {
  const { data } = await api.post('/api/sys/batches/{id}/undo', { params: { path: { id } }, body: {} })
  try {
    return 'job_id' in data ? await resultOf<UndoResult>(data.job_id) : (data as UndoResult)
  } finally {
    void refresh(model)
  }
}

async function send(
  model: string,
  body: Schemas['ChangeRecordsBody'] | object,
  onProgress?: (progress: Progress) => void,
): Promise<BulkResult> {
  const { data } = await api.post('/api/e/{model}/bulk', { params: { path: { model } }, body })
  return 'job_id' in data ? resultOf<BulkResult>(data.job_id, onProgress) : data
}

const refresh = (model: string): Promise<unknown> =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: ['records', model] }),
    queryClient.invalidateQueries({ queryKey: ['about', model] }),
  ])
