import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type OfferedItem, suggestionsQuery } from '../../api/portal.ts'
import { Empty, Failed } from '../../parts/states.tsx'
import { ArticleLink } from '../article-link.tsx'
import { ItemCard, ItemGroups } from './item-groups.tsx'

interface SuggestionsProps {
  readonly typed: string
  /** What the service is asked for: what was typed, a moment later. */
  readonly text: string
  readonly items: readonly OfferedItem[]
}

/** Articles that may help at once, and items; those whose name has what was typed are there from the first letter. */
export function Suggestions({ typed, text, items }: SuggestionsProps) {
  const { t } = useTranslation()
  const { data, error, isFetching } = useQuery(suggestionsQuery(text))
  if (error) return <Failed error={error} />
  const named = items.filter(({ name }) => name.toLowerCase().includes(typed.toLowerCase()))
  const suggested = text.length > 2 ? (data?.items ?? []) : []
  const found = [...named, ...suggested.filter(({ id }) => named.every((one) => one.id !== id))]
  const articles = text.length > 2 ? (data?.articles ?? []) : []
  const isNothing = found.length === 0 && articles.length === 0
  const isDone = !isFetching && text === typed
  return (
    <section className="suggestions" aria-label={t('portal.suggestions')} aria-busy={!isDone} aria-live="polite">
      {isNothing && isDone && (
        <>
          <Empty title={t('portal.nothingFound', { text: typed })}>{t('portal.nothingFoundWhy')}</Empty>
          <ItemGroups items={items} />
        </>
      )}
      {articles.length > 0 && (
        <>
          <h2>{t('portal.articles')}</h2>
          <ul className="plain-list portal-list">
            {articles.map((article) => (
              <li key={article.id}>
                <ArticleLink article={article} />
              </li>
            ))}
          </ul>
        </>
      )}
      {found.length > 0 && (
        <>
          <h2>{t('portal.items')}</h2>
          <ul className="plain-list item-cards">
            {found.map((item) => (
              <li key={item.id}>
                <ItemCard item={item} />
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}
