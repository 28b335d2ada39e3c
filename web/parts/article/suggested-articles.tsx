import { Button } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { articleQuery, suggestionsQuery } from '../../api/portal.ts'
import { Loading } from '../states.tsx'
import { ArticleText } from './article-text.tsx'

interface SuggestedArticlesProps {
  /** What somebody asks, or what is being written. */
  readonly text: string
  /** Offers to take the text of an article over; left out where there is nothing to write. */
  readonly onInsert?: (text: string) => void
}

const shown = 3

/** The articles that may answer a text, each to be read here; nothing where there are none. */
export default function SuggestedArticles({ text, onInsert }: SuggestedArticlesProps) {
  const { t } = useTranslation()
  const [asked] = useDebouncedValue(text.trim(), 600)
  const [opened, setOpened] = useState<number>()
  const { data } = useQuery(suggestionsQuery(asked))
  const found = data?.articles ?? []
  const shownText = useRef<HTMLDivElement>(null)
  const { data: article } = useQuery({ ...articleQuery(opened ?? 0), enabled: opened !== undefined })
  if (found.length === 0) return null
  return (
    <section className="suggested-articles" aria-label={t('articles.suggested')}>
      <span className="quiet small">{t('articles.suggested')}</span>
      {found.slice(0, shown).map(({ id, title }) => (
        <button
          key={id}
          type="button"
          className="link"
          aria-expanded={id === opened}
          onClick={() => setOpened(id === opened ? undefined : id)}
        >
          {title}
        </button>
      ))}
      {opened !== undefined && (
        <div className="suggested-article article-text">
          <div ref={shownText}>
            {article?.id === opened ? <ArticleText text={article.body} /> : <Loading lines={2} />}
          </div>
          {article?.id === opened && onInsert && (
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => onInsert(shownText.current?.innerText.trim() ?? '')}
            >
              {t('articles.insert')}
            </Button>
          )}
        </div>
      )}
    </section>
  )
}
