import { Button, Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMessageOf } from '../api/failures.ts'
import { historyQuery, pastQuery, useRestore } from '../api/past.ts'
import type { EntityRecord } from '../api/records.ts'
import { articlesTable } from '../api/tables.ts'
import { ArticleText } from '../parts/article/article-text.tsx'
import { Failed, Loading } from '../parts/states.tsx'
import { Moment } from '../parts/time.tsx'

interface ArticleVersionsProps {
  readonly article: EntityRecord
  readonly onRestored: () => void
  readonly onClose: () => void
}

/** The versions of an article, each to be read, and one to be brought back. */
export default function ArticleVersions({ article, onRestored, onClose }: ArticleVersionsProps) {
  const { t } = useTranslation()
  const messageOf = useMessageOf()
  const { data: history, error, refetch } = useQuery(historyQuery(articlesTable, article.id))
  const [chosen, setChosen] = useState<string>()
  const newest = history?.at(-1)?.created_at
  const at = chosen ?? newest
  const { data: past } = useQuery({ ...pastQuery(articlesTable, article.id, at ?? ''), enabled: at !== undefined })
  const restore = useRestore(articlesTable, article.id)
  const text = (name: string): string => String(past?.data[name] ?? '')
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={t('articles.versions')}
      closeButtonProps={{ 'aria-label': t('parts.close') }}
    >
      {error ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !history ? (
        <Loading lines={5} />
      ) : (
        <div className="article-versions">
          <ol className="plain-list" reversed>
            {history.toReversed().map((entry) => (
              <li key={entry.id}>
                <button
                  type="button"
                  className={entry.created_at === at ? 'choice is-active' : 'choice'}
                  aria-pressed={entry.created_at === at}
                  onClick={() => setChosen(entry.created_at)}
                >
                  <Moment at={entry.created_at} />
                  <span className="quiet small">{entry.user?.name ?? t('record.somebody')}</span>
                </button>
              </li>
            ))}
          </ol>
          <div className="article-text">
            {past ? (
              <>
                <h2>{text('title')}</h2>
                <ArticleText text={text('body')} />
                {at !== newest && at !== undefined && (
                  <Button
                    variant="default"
                    loading={restore.isPending}
                    onClick={() =>
                      restore.mutate(at, {
                        onSuccess() {
                          onRestored()
                          onClose()
                        },
                      })
                    }
                  >
                    {t('past.restoreAll')}
                  </Button>
                )}
                {restore.error && (
                  <p className="problem" role="alert">
                    {messageOf(restore.error)}
                  </p>
                )}
              </>
            ) : (
              <Loading lines={4} />
            )}
          </div>
        </div>
      )}
    </Modal>
  )
}
