import { Button, Checkbox, SegmentedControl, TextInput } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import Plus from 'lucide-react/icons/plus'
import Search from 'lucide-react/icons/search'
import { useTranslation } from 'react-i18next'
import { articlesFilter } from '../api/articles.ts'
import { useFollow } from '../api/follow.ts'
import { may, useUser } from '../api/permissions.ts'
import { type Row, titleOf, windowQuery } from '../api/records.ts'
import { articlesTable } from '../api/tables.ts'
import { useKeys } from '../keyboard/keyboard.tsx'
import { Empty, Failed, Loading } from '../parts/states.tsx'
import { Moment } from '../parts/time.tsx'
import { Title } from '../parts/title.tsx'
import type { ArticlesSearch } from './articles-search.ts'

/** The articles of the company: those of the portal, and drafts. */
export function ArticlesView() {
  const { t } = useTranslation()
  const user = useUser()
  const navigate = useNavigate()
  const search = useSearch({ from: '/frame/articles' })
  const { q, state, mine } = search
  const filter = articlesFilter(state, mine === true)
  const query = {
    ...(filter && { filter }),
    ...(q !== undefined ? { search: q } : { sort: ['-updated_at'] }),
  }
  const { data, error, refetch } = useQuery({
    ...windowQuery(articlesTable, query, 0),
    placeholderData: keepPreviousData,
  })
  useFollow(articlesTable)
  const mayCreate = may(user, 'create', articlesTable)
  const change = (changes: { [Name in keyof ArticlesSearch]: ArticlesSearch[Name] | undefined }): void => {
    const next = Object.fromEntries(
      Object.entries({ ...search, ...changes }).filter(([, value]) => value !== undefined),
    )
    void navigate({ to: '/articles', search: next as ArticlesSearch, replace: true })
  }
  const create = (): void => void navigate({ to: '/articles/$id', params: { id: 'new' } })
  useKeys([
    ...(mayCreate ? [{ keys: 'c', label: t('articles.new'), run: create }] : []),
    { keys: 'j', label: t('myWork.keyNext'), run: () => move(1) },
    { keys: 'k', label: t('myWork.keyPrevious'), run: () => move(-1) },
  ])
  return (
    <div className="screen articles">
      <Title>{t('articles.title')}</Title>
      <header className="articles-head">
        <h1>{t('articles.title')}</h1>
        {mayCreate && (
          <Button onClick={create} leftSection={<Plus size={16} />} className="push">
            {t('articles.new')}
          </Button>
        )}
      </header>
      <div className="articles-head">
        <TextInput
          size="xs"
          type="search"
          aria-label={t('articles.search')}
          placeholder={t('articles.search')}
          leftSection={<Search size={14} aria-hidden />}
          defaultValue={q ?? ''}
          onChange={(event) => change({ q: event.currentTarget.value.trim() || undefined })}
        />
        <SegmentedControl
          size="xs"
          aria-label={t('articles.state')}
          value={state ?? 'all'}
          onChange={(value) => change({ state: value === 'draft' || value === 'published' ? value : undefined })}
          data={[
            { value: 'all', label: t('articles.all') },
            { value: 'published', label: t('articles.published') },
            { value: 'draft', label: t('articles.drafts') },
          ]}
        />
        <Checkbox
          size="xs"
          label={t('articles.mine')}
          checked={mine === true}
          onChange={(event) => change({ mine: event.currentTarget.checked || undefined })}
        />
      </div>
      {error ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !data ? (
        <Loading lines={5} height={44} />
      ) : data.rows.length === 0 ? (
        <Empty title={t('articles.empty')}>{t('articles.emptyWhy')}</Empty>
      ) : (
        <ul className="plain-list articles-list">
          {data.rows.map((row) => (
            <ArticleEntry key={row.id} row={row} />
          ))}
        </ul>
      )}
    </div>
  )
}

function ArticleEntry({ row }: { readonly row: Row }) {
  const { t } = useTranslation()
  const { category, state } = row.data as { readonly category?: string | null; readonly state?: string }
  return (
    <li className="work-item">
      <Link to="/articles/$id" params={{ id: String(row.id) }} className="article-link">
        {titleOf(row, 'title')}
      </Link>
      {state === 'draft' && <span className="badge">{t('articles.draft')}</span>}
      <span className="quiet small work-facts">
        {category}
        {row.updated_at && <Moment at={row.updated_at} short />}
      </span>
    </li>
  )
}

/** Moves the focus among the articles, from wherever it is. */
function move(step: number): void {
  const links = [...document.querySelectorAll<HTMLElement>('.article-link')]
  const at = links.indexOf(document.activeElement as HTMLElement)
  links[Math.min(Math.max(at + step, 0), links.length - 1)]?.focus()
}
