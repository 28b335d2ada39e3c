import { maxSuggestions } from '../../kernel/limits/portal.ts'
import type { Caller } from '../../kernel/principal.ts'
import { foldText } from '../../kernel/text/fold-text.ts'
import { tokensOf } from '../../lists/search/terms.ts'
import type { StoredRecord } from '../../platform/store/rows/record-row.ts'
import type { PortalItem } from '../portal-items/portal-item.ts'
import { itemsFor } from '../portal-items/portal-items.ts'
import { describeArticleHead } from './articles/article.ts'
import { findArticles } from './articles/list-articles.ts'
import type { PortalDependencies } from './dependencies.ts'
import { describeItem } from './items/item-form.ts'
import type { Suggestions } from './schema.ts'

/** Words of a text that are looked up: the last ones, which somebody just typed. */
const wordsUsed = 6
/** Shorter words are in every text. */
const shortestWord = 3
/** Articles of each word that are compared. */
const articlesOfWord = 20

/** The best articles and items for what somebody types: those that have most of its rare words. */
export async function suggest(services: PortalDependencies, caller: Caller, text: string): Promise<Suggestions> {
  const words = [...new Set(tokensOf(text))].filter((word) => word.length >= shortestWord).slice(-wordsUsed)
  if (words.length === 0) return { articles: [], items: [] }
  const [found, items] = await Promise.all([
    Promise.all(words.map((word) => findArticles(services, caller, word, articlesOfWord))),
    itemsFor(services, caller),
  ])
  return {
    articles: best(words, found).map(describeArticleHead),
    items: best(
      words,
      words.map((word) => items.filter((item) => wordsOfItem(item).some((one) => one.startsWith(word)))),
    ).map(describeItem),
  }
}

const wordsOfItem = ({ name, category, description }: PortalItem): readonly string[] =>
  foldText([name, category, description].join(' ')).split(/[^\p{L}\p{N}]+/u)

/** What has most of the words. A word that many have counts less, and so does a short one. */
function best<T extends StoredRecord | PortalItem>(words: readonly string[], byWord: readonly (readonly T[])[]): T[] {
  const scores = new Map<number, { readonly one: T; score: number }>()
  for (const [index, found] of byWord.entries())
    for (const one of found) {
      const entry = scores.get(one.id) ?? { one, score: 0 }
      entry.score += Number(words[index]?.length) / (found.length + 1)
      scores.set(one.id, entry)
    }
  return [...scores.values()]
    .toSorted((a, b) => b.score - a.score || a.one.id - b.one.id)
    .slice(0, maxSuggestions)
    .map(({ one }) => one)
}
