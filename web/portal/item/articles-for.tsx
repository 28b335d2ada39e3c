import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { suggestionsQuery } from '../../api/portal.ts'
import { ArticleLink } from '../article-link.tsx'

const shownArticles = 3

/** Articles that may spare somebody the request; nothing where there are none. */
export function ArticlesFor({ text }: { readonly text: string }) {
  const { t } = useTranslation()
  const [asked] = useDebouncedValue(text.trim(), 300)
  const { data } = useQuery(suggestionsQuery(asked))
  const articles = asked.length > 2 ? (data?.articles ?? []) : []
  return (
    <div role="status">
      {articles.length > 0 && (
        <section className="articles-for" aria-label={t('portal.maybe')}>
          <h2>{t('portal.maybe')}</h2>
          <ul className="plain-list">
            {articles.slice(0, shownArticles).map((article) => (
              <li key={article.id}>
                <ArticleLink article={article} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}
