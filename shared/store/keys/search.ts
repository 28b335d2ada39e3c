import type { TenantRef } from '../../kernel/tenancy.ts'
import { idKey, idText, type Key, tenantPrefix } from './key.ts'

/** Each generation of the index has its own keys (docs/decisions/0015); those of generation 0 carry no number. */
const generationPart = (generation: number): string => (generation === 0 ? '' : `#${generation}`)
/**
 * Words are partitioned by their first two letters; in scripts whose letters are syllables or words (CJK), by the first
 * one.
 */
const lettersOf = (token: string): string => {
  const [first = '', second = ''] = token
  return first >= '\u2e80' ? first : first + second
}

/** The partition of all words that start as `token` does; see `tellsPostingPartition`. */
export const postingPartition = (tenant: TenantRef, model: string, generation: number, token: string): string =>
  `${tenantPrefix(tenant)}S#${model}${generationPart(generation)}#${lettersOf(token)}`
/** Whether a prefix of a word is long enough to tell the partition of its postings. */
export const tellsPostingPartition = (prefix: string): boolean => [...prefix].length > 1 || prefix >= '\u2e80'
/** The prefix of every posting of exactly this word. */
export const postingPrefix = (token: string): string => `${token}#`
export const postingKey = (tenant: TenantRef, model: string, generation: number, token: string, id: number): Key => ({
  pk: postingPartition(tenant, model, generation, token),
  sk: `${postingPrefix(token)}${idText(id)}`,
})

export const manifestKey = (tenant: TenantRef, model: string, id: number): Key =>
  idKey(`${tenantPrefix(tenant)}SM#${model}`, id)

export const counterPartition = (tenant: TenantRef, model: string, field: string, generation: number): string =>
  `${tenantPrefix(tenant)}N#${model}#${field}${generationPart(generation)}`
const noValue = '-'
/** The sort key of a value's counter. null and undefined count the records without a value. */
export const counterSort = (value: unknown): string =>
  value === null || value === undefined ? noValue : `=${String(value)}`
/** The value in a `counterSort`, as text; null for the records without a value. */
export const parseCounterSort = (sort: string): string | null => (sort === noValue ? null : sort.slice(1))
/** `sort`: see `counterSort`. */
export const counterKey = (tenant: TenantRef, model: string, field: string, generation: number, sort: string): Key => ({
  pk: counterPartition(tenant, model, field, generation),
  sk: sort,
})
