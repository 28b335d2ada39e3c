import { keepPreviousData, queryOptions, useMutation } from '@tanstack/react-query'
import { api, type Schemas } from './client.ts'
import { resultOf } from './jobs.ts'
import { queryClient } from './query-client.ts'
import type { EntityRecord, RecordData } from './records.ts'

export type Merge = Schemas['MergeRecordData']
export type Unmerge = Schemas['UnmergeRecordData']
export type Candidate = Schemas['FoundInTable']['records'][number]

const candidates = 20

/** Records of a table that words find, best first. */
export const candidatesQuery = (model: string, words: string) =>
  queryOptions({
    queryKey: ['search', model, words],
    queryFn: async ({ signal }): Promise<readonly Candidate[]> => {
      const query = { q: words, tables: [model], limit: candidates }
      return (await api.get('/api/search', { params: { query }, signal })).data[0]?.records ?? []
    },
    enabled: words !== '',
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  })

interface Into {
  readonly id: number
  readonly into: number
}

/** Says what merging a record into another would move; nothing is written. */
export const useMergePreview = (model: string) =>
  useMutation({ mutationFn: ({ id, into }: Into) => merge(model, id, { into, dry_run: true }) })

export const useMerge = (model: string) =>
  useMutation({ mutationFn: ({ id, into }: Into) => merge(model, id, { into }), onSettled: () => refresh(model) })

async function merge(model: string, id: number, body: Schemas['MergeRecordBody']): Promise<Merge> {
  const { data } = await api.post('/api/e/{model}/{id}/merge', { params: { path: { model, id } }, body })
  return 'job_id' in data ? resultOf<Merge>(data.job_id) : data
}

/** Makes a merged record one of its own again; what was changed since stays and is reported. */
export const useUnmerge = (model: string) =>
  useMutation({
    mutationFn: async (id: number): Promise<Unmerge> => {
      const { data } = await api.post('/api/e/{model}/{id}/unmerge', { params: { path: { model, id } }, body: {} })
      return 'job_id' in data ? resultOf<Unmerge>(data.job_id) : data
    },
    onSettled: () => refresh(model),
  })

/** Makes a record of some comments of another; they leave that one. */
export const useSplit = (model: string, id: number) =>
  useMutation({
    mutationFn: async ({ comments, data }: { comments: readonly number[]; data: RecordData }): Promise<EntityRecord> =>
      (
        await api.post('/api/e/{model}/{id}/split', {
          params: { path: { model, id } },
          body: { comment_ids: [...comments], data },
        })
      ).data,
    onSuccess: () => refresh(model),
  })

const refresh = (model: string): Promise<unknown> =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: ['records', model] }),
    queryClient.invalidateQueries({ queryKey: ['about', model] }),
    queryClient.invalidateQueries({ queryKey: ['form', model] }),
  ])
