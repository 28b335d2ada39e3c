import { maxExcerptCharacters } from '../../../kernel/limits/portal.ts'
import type { Caller } from '../../../kernel/principal.ts'
import { readLivingRecord, type StoredRecord } from '../../../platform/store/rows/record-row.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import type { Table } from '../../../tables/tables/table.ts'
import type { ArticleHead } from '../schema.ts'

/** The built-in table of articles. Whoever may change its records writes them. */
export const articlesTable = 'sys_articles'

/** Only these are in the portal. */
export const publishedArticles = { state: 'published' }

/** A published article that the caller may read; undefined for every other record. */
export function readArticle(item: Item | null | undefined, table: Table, caller: Caller): StoredRecord | undefined {
  const record = readLivingRecord(item, table)
  return record?.data.state === publishedArticles.state && isFor(caller, record.data.roles) ? record : undefined
}

/** Whether an article is for a caller: without roles for everybody; with a value that is no list of names for nobody. */
function isFor({ isAdministrator, roles }: Caller, wanted: unknown): boolean {
  if (isAdministrator || wanted === undefined || wanted === null) return true
  if (!Array.isArray(wanted)) return false
  return wanted.length === 0 || wanted.some((role) => roles.includes(String(role)))
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

export const titleOfArticle = ({ data }: StoredRecord): string => textOf(data.title)
export const bodyOfArticle = ({ data }: StoredRecord): string => textOf(data.body)
export const categoryOfArticle = ({ data }: StoredRecord): string | null => textOf(data.category) || null

/** The words of a text without the marks of Markdown. */
const plainText = (markdown: string): string =>
  markdown
    .replaceAll(/^(?:#{1,6} +|[-*] +|> ?|```.*)/gm, '')
    .replaceAll(/\[([^\]\n]*)\]\([^)\s]*\)/g, '$1')
    .replaceAll(/(?<!\\)(\*{1,2}|`)(?=\S)([^*`\n]+)(?<=[^\s\\])\1/g, '$2')
    .replaceAll(/\\([\\*`[\]#<>.()-])/g, '$1')

/** An article as lists show it. */
export function describeArticleHead(record: StoredRecord): ArticleHead {
  const body = plainText(bodyOfArticle(record).slice(0, maxExcerptCharacters * 4)).trim()
  const excerpt = body.length > maxExcerptCharacters ? `${body.slice(0, maxExcerptCharacters).toWellFormed()}…` : body
  return {
    id: record.id,
    title: titleOfArticle(record),
    category: categoryOfArticle(record),
    excerpt,
    updated_at: record.updated_at,
  }
}
